/**
 * Parameters that a workflow may store where the form does not offer them: under a name of the
 * contract at the top level, or one by one where the form has a group or a list.
 */
import { NodeHelpers, type INodeProperties } from 'n8n-workflow';

import { customFieldsAtTop } from '../../nodes/LeadGenPublishing/fields/customFields';
import { RESOURCES } from '../../nodes/LeadGenPublishing/operations/index';
import { runAsTool, stopInstance } from '../support/engine';
import { byId, setUpKit, subjectOf, type Parameters } from '../support/kit/index';

const kit = setUpKit();
afterAll(async () => await stopInstance());

const at = (name: string, parameters: Parameters = {}): Parameters => {
	const [resource, operation] = name.split('.');
	return { resource, operation, ...parameters };
};
const sentBy = async (parameters: Parameters): Promise<unknown> => {
	await kit.run(parameters, { onError: 'continueErrorOutput' });
	return kit.writes()[0]?.json;
};

describe('custom fields at the top level', () => {
	it('are laid over the body, and those among the options over them', async () => {
		const body = await sentBy(
			at('post.create', {
				text: 'A post',
				additionalFields: { notes: 'n' },
				customFields: '{"team_boost": true, "notes": null, "theme_id": "a"}',
				options: { customFields: { theme_id: 'b' } },
			}),
		);
		expect(body).toEqual({ text: 'A post', status: 'draft', team_boost: true, theme_id: 'b' });
	});

	it('are laid over the query of a list', async () => {
		await kit.run(at('activity.getAll', { customFields: { source: 'comment' } }));
		expect(kit.service.requests[0]?.query).toMatchObject({ source: 'comment' });
	});

	it('are known to every operation that takes any', () => {
		for (const { fields, value } of RESOURCES.flatMap(({ operations }) => operations)) {
			const options = fields.find(({ name }) => name === 'options')?.options ?? [];
			const isOption = options.some(({ name }) => name === 'customFields');
			const hasBody = fields.some(({ name }) => name === 'body');
			expect([value, fields.includes(customFieldsAtTop)]).toEqual([value, isOption || hasBody]);
		}
	});

	it('are named in errors as what they are, there or among the options', async () => {
		const list = at('lead.getAll', { customFields: '{"page": 2}' });
		expect((await kit.failure(list)).error).toContain(
			'parameter "Custom Fields" may not set "page"',
		);
		const options = { customFields: '{"page": 2}' };
		expect((await kit.failure(at('lead.getAll', { options }))).error).toContain(
			'parameter "Options > Custom Fields" may not set "page"',
		);
	});

	it('may not publish if a model has filled them in, in either place', async () => {
		const custom = { customFields: "={{ $fromAI('custom', '', 'json') }}" };
		for (const where of [custom, { options: custom }]) {
			const parameters = at('post.create', { text: 'A', ...where });
			const { errorMessage } = await runAsTool({
				...subjectOf(kit.credentials(parameters)),
				parameters,
				args: { custom: { status: 'published' } },
			});
			expect(errorMessage).toContain('leaves the draft state');
			expect(kit.service.requests).toEqual([]);
		}
	});
});

describe('interval and duration of Fast Response at the top level', () => {
	it.each<[Parameters, Parameters]>([
		[{}, {}],
		[
			{ interval: 2, duration: 30 },
			{ interval_minutes: 2, duration_minutes: 30 },
		],
		[{ interval: 'default', duration: 60 }, { duration_minutes: 60 }],
		[{ interval: '={{ undefined }}', duration: '={{ "30" }}' }, { duration_minutes: 30 }],
		[{ interval: 2, options: { interval: 5 } }, { interval_minutes: 5 }],
		[{ interval: 2, options: { interval: 'default' } }, {}],
		[{ options: { interval: 10, duration: 60 } }, { interval_minutes: 10, duration_minutes: 60 }],
	])('%j sends %j', async (chosen, expected) => {
		const { id } = kit.service.world.addPost(kit.service.world.own, { status: 'scheduled' });
		const body = await sentBy(at('post.startFastResponse', { postId: byId(id), ...chosen }));
		expect(body).toEqual(expected);
	});

	it.each([{ interval: 3 }, { duration: '={{ 45 }}' }])('%j is refused', async (chosen) => {
		const [name = ''] = Object.keys(chosen);
		const label = name === 'interval' ? 'Interval (Minutes)' : 'Duration (Minutes)';
		const postId = byId('6f1c2f0e-7d4b-4a53-9d53-0c1f0a6c1b11');
		const { error } = await kit.failure(at('post.startFastResponse', { postId, ...chosen }));
		expect(error).toContain(`The parameter "${label}" must be one of`);
		expect(kit.service.requests).toEqual([]);
	});
});

describe('what Schedule > Spread reads at the top level', () => {
	const spread = (more: Parameters) =>
		at('schedule.spread', { start: '2090-01-02T12:00:00', ...more });
	const items = [{ json: {} }, { json: {} }];

	it.each([
		['the time zone', { timeZone: 'Asia/Tokyo' }, '2090-01-02T03:00:00Z'],
		[
			'that of the options before it',
			{ timeZone: 'Asia/Tokyo', options: { timeZone: 'UTC' } },
			'2090-01-02T12:00:00Z',
		],
	])('is %s', async (_, more, earliest) => {
		const { json } = await kit.item(spread(more));
		const due = Date.parse(String(json.scheduled_at));
		expect(due).toBeGreaterThanOrEqual(Date.parse(earliest));
		expect(due).toBeLessThan(Date.parse(earliest) + 24 * 3_600_000);
	});

	it.each([
		[{ outputField: 'due_at' }, 'due_at'],
		[{ outputField: 'due_at', options: { outputField: 'at' } }, 'at'],
		[{}, 'scheduled_at'],
	])('is the output field of %j', async (more, field) => {
		const { json } = await kit.item(spread(more));
		expect(Object.keys(json)).toEqual([field]);
	});

	it.each([
		[{ minimumGapMinutes: 400 }, 400],
		[{ minimumGapMinutes: 400, options: { minimumGapMinutes: 1 } }, 1],
	])('is the gap of %j', async (more, minutes) => {
		const [first, second] = (
			await kit.records(spread({ ...more, timeZone: 'UTC' }), { items })
		).map((json) => Date.parse(String(json.scheduled_at)));
		const gap = ((second ?? 0) - (first ?? 0)) / 60_000;
		expect(gap).toBeGreaterThanOrEqual(minutes);
		// With room for more, both are due on one day; 400 minutes do not fit into what is left of it.
		expect(gap < 300).toBe(minutes === 1);
	});
});

describe('the call to action', () => {
	const link = { ctaLabel: 'Go', ctaUrl: 'https://x.example/go' };
	const sent = { cta_label: 'Go', cta_url: 'https://x.example/go' };
	const magnet = (additionalFields: Parameters) =>
		at('leadMagnet.create', { resourceLink: 'https://x.example', additionalFields });

	it.each([
		['one by one', link],
		['as a group', { cta: { values: link } }],
		['as a group, which wins', { ...link, ctaLabel: 'Old', cta: { values: link } }],
	])('is sent if it is given %s', async (_, fields) => {
		expect(await sentBy(magnet(fields))).toMatchObject(sent);
	});

	it.each([
		['one by one', { ctaLabel: '', ctaUrl: '' }],
		['as a group', { cta: { values: { ctaLabel: '', ctaUrl: '' } } }],
	])('is removed if it is emptied %s', async (_, updateFields) => {
		const { world } = kit.service;
		const leadMagnetId = byId(world.addLeadMagnet(world.own, sent).id);
		const body = await sentBy(at('leadMagnet.update', { leadMagnetId, updateFields }));
		expect(body).toEqual({ cta_label: null, cta_url: null });
	});

	it('is offered as a group alone', () => {
		const collections = RESOURCES.flatMap(({ operations }) => operations)
			.flatMap(({ fields }) => fields)
			.filter(({ type }) => type === 'collection');
		const offered = (field: INodeProperties, values = {}) =>
			((field.options ?? []) as INodeProperties[])
				.filter((one) => NodeHelpers.displayParameter(values, one, { typeVersion: 1 }, null))
				.map(({ name }) => name)
				.filter((name) => name.startsWith('cta'));
		const withCta = collections.filter((one) => offered(one).length > 0);
		expect(withCta.map((one) => offered(one))).toEqual([['cta'], ['cta']]);
		// Where a workflow has them one by one, a person can see and change them.
		const stored = { ctaLabel: '', ctaUrl: '={{ $json.url }}' };
		for (const one of withCta) expect(offered(one, stored)).toEqual(['cta', 'ctaLabel', 'ctaUrl']);
	});
});

describe('a list', () => {
	it.each([
		['one text', 'https://x.example/a.png, https://x.example/b.png'],
		['an expression', '={{ ["https://x.example/a.png", "https://x.example/b.png"] }}'],
		['entries', ['https://x.example/a.png', '={{ ["https://x.example/b.png"] }}']],
	])('may be stored as %s', async (_, images) => {
		const body = await sentBy(at('post.create', { text: 'A', additionalFields: { images } }));
		expect(body).toMatchObject({ images: ['https://x.example/a.png', 'https://x.example/b.png'] });
	});
});
