/** What single items of posts send, what the API document demands of them, and what is said of them. */
import { spoken } from '../support/facts';
import type { JsonRecord } from '../../nodes/LeadGenPublishing/api/schemas';
import { createPost } from '../../nodes/LeadGenPublishing/operations/post/create';
import { simplifyPost } from '../../nodes/LeadGenPublishing/operations/post/simplify';
import { startFastResponse } from '../../nodes/LeadGenPublishing/operations/post/startFastResponse';
import { updatePost } from '../../nodes/LeadGenPublishing/operations/post/update';
import { expectRefused, failing, failure, ID, itemOf, NOW, type ItemReply } from './itemScene';

const HOUR = 3_600_000;
const iso = (ms: number): string => new Date(NOW + ms).toISOString();
const LATER = iso(HOUR);

function creating(parameters: JsonRecord) {
	return itemOf(
		createPost,
		{ text: 'A', additionalFields: {}, options: {}, ...parameters },
		{ answers: { 'post.create': [{ id: 'new' }] } },
	);
}
/** With these custom fields, which may be anything. */
const custom = (customFields: JsonRecord) => ({ options: { customFields } });
function updating(sent: JsonRecord, current: JsonRecord = {}, updateFields: JsonRecord = {}) {
	return itemOf(
		updatePost,
		{ postId: ID, updateFields, ...custom(sent) },
		{ answers: { 'post.get': [{ status: 'draft', ...current }], 'post.update': [{ id: ID }] } },
	);
}
async function expectUnwritten(item: ReturnType<typeof creating>): Promise<void> {
	await expectRefused(item);
	expect(item.writes()).toEqual([]);
}
const bodyOf = async (parameters: JsonRecord) => {
	const { run, sent } = creating(parameters);
	await run();
	return sent[0]?.body;
};

describe('a creation', () => {
	const hidden = { scheduledAt: LATER };
	const SCHEDULED = { text: 'A', status: 'scheduled', scheduled_at: LATER };
	it.each<[string, JsonRecord, JsonRecord]>([
		['not of a draft', { status: 'draft' }, { text: 'A', status: 'draft' }],
		['if it is scheduled', { status: ' scheduled\n' }, SCHEDULED],
		[
			'if a custom field says so',
			{ status: 'draft', ...custom({ status: 'scheduled' }) },
			SCHEDULED,
		],
		[
			'not if that says otherwise',
			{ status: 'scheduled', ...custom({ status: 'draft' }) },
			{ text: 'A', status: 'draft' },
		],
	])('sends the time that the form hides: %s', async (_, parameters, body) => {
		expect(await bodyOf({ ...hidden, ...parameters })).toEqual(body);
	});

	it('needs a status if the workflow stores one, since its time would be lost without a word', async () => {
		expect(await bodyOf({})).toEqual({ text: 'A' });
		await expectUnwritten(creating({ status: '' }));
	});

	it.each<JsonRecord>([
		{ status: 'scheduled' },
		{ status: 'scheduled', scheduledAt: iso(-HOUR) },
		...[3001, 3002].map((length) => ({ text: '😀'.repeat(length) })),
		custom({ text: 'x'.repeat(3001) }),
		{ additionalFields: { images: 'a.png', documentUrl: 'b.pdf' } },
		{ additionalFields: { images: 'a' }, ...custom({ document_url: 'b' }) },
	])('is refused: %#', async (parameters) => {
		await expectUnwritten(creating(parameters));
	});

	it('has custom fields laid over its own, whatever they are called, without those that are null', async () => {
		const customFields = '{"__proto__": {"a": 1}, "notes": null, "x": "n", "toString": null}';
		const body = await bodyOf({ additionalFields: { notes: 'own' }, options: { customFields } });
		expect(JSON.stringify(body)).toBe('{"text":"A","__proto__":{"a":1},"x":"n"}');
		const some = { text: undefined, followups: ['a'] };
		const replaced = { additionalFields: { followups: 'not read' }, ...custom(some) };
		expect(await bodyOf(replaced)).toEqual({ text: 'A', followups: ['a'] });
	});

	it('needs no text if there are images', async () => {
		const images = ['https://x.example/a.png'];
		expect(await bodyOf({ text: '', additionalFields: { images, notes: '' } })).toEqual({ images });
	});
});

it('its text has 3000 characters at most, of whatever kind', async () => {
	for (const sign of ['a', '😀', '𝒂'])
		expect(await bodyOf({ text: sign.repeat(3000) })).toEqual({ text: sign.repeat(3000) });
});

describe('images and a document', () => {
	it.each<[unknown, unknown, boolean]>([
		[['a.png'], 'b', false],
		['a.png', 'b', false],
		[['a.png'], ' ', true],
		...[[], ' '].map((images): [unknown, unknown, boolean] => [images, 'b', true]),
	])('exclude each other in what is sent: %j, %j', async (images, document_url, isFine) => {
		const item = creating(custom({ images, document_url }));
		if (isFine) expect(await item.run()).toMatchObject({ id: 'new' });
		else await expectUnwritten(item);
	});

	it.each<[string, JsonRecord, JsonRecord, isFine: boolean]>([
		['images beside a document', { images: ['a'] }, { document_url: 'b' }, false],
		['a document beside images', { document_url: 'b' }, { images: ['a'] }, false],
		['images instead', { images: ['a'], document_url: '' }, { document_url: 'b' }, true],
		['a document instead', { images: [], document_url: 'b' }, { images: ['a'] }, true],
		['images where there are some', { images: ['a'] }, { images: ['b'] }, true],
		['other fields', { text: 'a' }, { images: ['a'], document_url: 'b' }, true],
	])('may be in an update: %s', async (_, sent, current, isFine) => {
		const item = updating(sent, current);
		if (isFine) expect(await item.run()).toMatchObject({ id: ID });
		else await expectUnwritten(item);
	});

	it.each<[JsonRecord, JsonRecord, number]>([
		[{ document_type: 'pdf' }, {}, 1],
		[{ document_type: 'pdf', document_url: '' }, { document_url: 'b' }, 1],
		[{ document_type: 'pdf', document_url: 'a/b' }, {}, 0],
		[{ document_type: 'pdf' }, { document_url: 'b' }, 0],
		[{ document_type: 'image' }, {}, 0],
		[{ document_type: ' ' }, {}, 0],
	])('%j over %j gets %p words', async (sent, current, count) => {
		const { run, said } = updating(sent, current);
		await run();
		expect(said).toHaveLength(count);
		for (const one of said)
			expect(one).toMatch(/^"Options > Custom Fields" sets a type other than "image"/);
	});
});

describe('its time', () => {
	const at = (scheduled_at: unknown) => creating(custom({ status: 'scheduled', scheduled_at }));

	it.each([...[iso(1), iso(-12 * HOUR + 60_000).slice(0, 19), iso(0).replace('.000Z', '-00:01')]])(
		'may be %s',
		async (time) => {
			const { run, said } = at(time);
			await run();
			expect(said).toEqual([]);
		},
	);

	it.each([iso(0), iso(-1), iso(-12 * HOUR).slice(0, 19), iso(0).replace('.000Z', '+00:01')])(
		'may not be %s',
		async (time) => {
			await expectUnwritten(at(time));
		},
	);

	it.each(['in three weeks', 7, { at: 1 }])('that is %j is sent with a word', async (time) => {
		const { run, said } = at(time);
		await run();
		expect(said).toEqual([expect.stringMatching(/a value that the node cannot read/)]);
	});
});

it('entries without a value are left out of its follow-ups', async () => {
	for (const [followups, expected] of [
		['[null, " ", {"a": 1}, "b "]', [{ a: 1 }, 'b']],
		['{"a": [null]}', { a: [null] }],
	] as const) {
		const { run, writes } = updating({}, {}, { followups });
		await run();
		expect(writes()[0]?.body).toEqual({ followups: expected });
	}
});

it('an update removes what is added and left empty, follow-ups as they stand there included', async () => {
	const { run, writes } = updating({}, {}, { followups: 'null', images: '', notes: '' });
	await run();
	expect(writes()).toEqual([
		{
			...{ name: 'post.update', params: { id: ID } },
			body: { followups: null, images: [], notes: null },
		},
	]);
});

describe('Fast Response', () => {
	const starting = (parameters: JsonRecord, answer: ItemReply = {}) =>
		itemOf(
			startFastResponse,
			{ postId: ID, ...parameters },
			{
				answers: { 'post.startFastResponse': [answer] },
				functions: { getTimezone: () => 'America/New_York' },
			},
		);

	it.each<[string, JsonRecord, JsonRecord]>([
		['nothing, so that the service decides', {}, {}],
		['no "default"', { interval: ' default ', duration: 60 }, { duration_minutes: 60 }],
		['a number that is given as text', { interval: '5' }, { interval_minutes: 5 }],
		[
			'other names by custom fields',
			{ interval: 5, ...custom({ interval_minutes: null, interval: 5 }) },
			{ interval: 5 },
		],
	])('starts with %s', async (_, parameters, body) => {
		const { run, sent } = starting(parameters);
		await run();
		expect(sent).toMatchObject([{ params: { id: ID }, body }]);
		expect(Object.keys(sent[0]?.body ?? {})).toEqual(Object.keys(body));
	});

	const RESERVED = {
		...{ reason: 'boost_window_conflict', excerpt: 'The other post', posts: ['a'], active: true },
		...{
			until: null,
			window: { other_post_id: 'p-1', slot: { number: 3 }, from: '2030-01-28T09:00:00Z' },
		},
	};
	it.each<[string, JsonRecord | undefined, string | undefined]>([
		[
			'all that is told of a reserved window, by the clock of the workflow, prose last',
			RESERVED,
			'window from 2030-01-28 04:00 (America/New_York), window other post id "p-1", window slot number 3, excerpt "The other post".',
		],
		['nothing of another refusal', { reason: 'account_paused', paused_by: 'support' }, undefined],
		['nothing where nothing is told', { reason: 'boost_window_conflict' }, undefined],
		['nothing without details', undefined, undefined],
	])('shows in words %s', async (_, serviceDetails, expected) => {
		const reason = String(serviceDetails?.reason ?? 'boost_window_conflict');
		const refused = failure(409, { reason, serviceDetails });
		const { facts } = await failing(starting({}, refused).run());
		expect(spoken(facts).found).toBe(expected && `Details from the service: ${expected}`);
	});
});

describe('simplified, its capabilities', () => {
	const of = (capabilities: unknown, more: JsonRecord = {}) =>
		simplifyPost({ id: '1', ...more, published_mutation_capabilities: capabilities });

	it.each([[null], [undefined], [{}], [{ can_edit: false }]])('are none in %j', (capabilities) => {
		expect(of(capabilities)).toStrictEqual({
			...{ id: '1', can_edit: false, can_delete: false },
			...{ edit_etag: null, unavailable_reason: null },
		});
	});

	it('stand beside the fields of the post, which keep their values', () => {
		const capabilities = { can_edit: true, etag: 'v1', reason: 'pending' };
		expect(of(capabilities, { edit_etag: 'own', unavailable_reason: 'own' })).toMatchObject({
			...{ can_edit: true, edit_etag: 'own', unavailable_reason: 'own' },
		});
		expect(of(capabilities)).toMatchObject({ edit_etag: 'v1', unavailable_reason: 'pending' });
		expect(of('soon')).toMatchObject({ published_mutation_capabilities: 'soon' });
	});
});
