/** What the API document does not forbid is sent; where it may be a mistake, the user is told. */
import { undescribed } from '../support/followOpenApi';
import { byId, HOUR, inMs, setUpKit } from '../support/kit/index';

const kit = setUpKit({ resource: 'post' });

interface Told {
	/** The body that was sent, if one was. */
	sent: unknown;
	hints: string[];
	error?: string;
}

async function told(parameters: Record<string, unknown>): Promise<Told> {
	const run = await kit.run(parameters, { onError: 'continueErrorOutput' });
	const hints = run.runData['Node under test']?.[0]?.hints ?? [];
	const failed = run.outputs[1]?.[0]?.json.error;
	// What is sent here goes beyond what is described.
	undescribed();
	return {
		sent: kit.writes()[0]?.json,
		hints: hints.map(({ message }) => message),
		...(failed === undefined ? {} : { error: String(failed) }),
	};
}
const post = (parameters: Record<string, unknown>) => ({
	operation: 'create',
	text: 'A post',
	...parameters,
});
const magnet = (parameters: Record<string, unknown>) => ({
	resource: 'leadMagnet',
	operation: 'create',
	deliveryMode: 'external_link',
	keyword: 'GUIDE',
	resourceName: 'The guide',
	resourceLink: 'https://example.com/guide',
	...parameters,
});

describe('of a post', () => {
	it('the status "publishing" in Custom Fields is the service’s business', async () => {
		const { sent } = await told(post({ options: { customFields: { status: 'publishing' } } }));
		expect(sent).toMatchObject({ status: 'publishing' });
	});

	it('an empty text in Custom Fields is the service’s business', async () => {
		const { sent } = await told(
			post({ text: '={{ "" }}', options: { customFields: { text: '' } } }),
		);
		expect(sent).toMatchObject({ text: '' });
	});

	it.each([
		['a type of document without a document', { documentType: 'pdf' }, 1],
		['a type of document with one', { documentType: 'pdf', documentUrl: 'https://x/a.pdf' }, 0],
		['the type "image"', { documentType: 'image' }, 0],
	])('%s', async (_, additionalFields, count) => {
		const { sent, hints } = await told(post({ additionalFields }));
		expect(sent).toMatchObject({ document_type: additionalFields.documentType });
		expect(hints).toHaveLength(count);
		for (const hint of hints)
			expect(hint).toMatch(/"Additional Fields > Document Type".*no document URL/);
	});

	it('a type of document is looked at beside what the post has', async () => {
		const account = kit.service.world.own;
		const { id } = kit.service.world.addPost(account, { document_url: 'https://x/a.pdf' });
		const update = { operation: 'update', postId: byId(id) };
		expect((await told({ ...update, updateFields: { documentType: 'pdf' } })).hints).toEqual([]);
		const emptied = { documentType: 'pdf', documentUrl: '' };
		expect((await told({ ...update, updateFields: emptied })).hints).toHaveLength(1);
	});

	it.each([
		['a form of its own', 'in three weeks', 1, true],
		['a time without a zone, past only in some', inMs(-11 * HOUR).slice(0, 19), 0, true],
		['a time without a zone, past everywhere', inMs(-13 * HOUR).slice(0, 19), 0, false],
		['a time that is past', inMs(-1000), 0, false],
	])('a time in Custom Fields in %s', async (_, scheduled_at, count, isSent) => {
		const customFields = { status: 'scheduled', scheduled_at };
		const { sent, hints, error } = await told(post({ options: { customFields } }));
		expect(sent).toEqual(isSent ? { text: 'A post', ...customFields } : undefined);
		expect(hints).toHaveLength(count);
		for (const hint of hints)
			expect(hint).toMatch(/"Options > Custom Fields" gives "scheduled_at"/);
		if (!isSent) expect(error).toMatch(/"scheduled_at" a value that is not in the future/);
	});

	it('a time that clocks skip is moved, and the user is told', async () => {
		// The workflow counts in the time of New York, where clocks go forward on 12 March 2090.
		const { sent, hints } = await told(
			post({ status: 'scheduled', scheduledAt: '2090-03-12T02:30:00' }),
		);
		expect(sent).toMatchObject({ scheduled_at: '2090-03-12T07:30:00.000Z' });
		expect(hints).toEqual([
			expect.stringMatching(/"Scheduled At".*moved forward to 2090-03-12 03:30/),
		]);
	});

	it('dates of n8n are understood, at the top, in a collection and within JSON', async () => {
		const later = '={{ DateTime.fromISO("2090-01-02T10:00:00+09:00") }}';
		const { sent } = await told(post({ status: 'scheduled', scheduledAt: later }));
		expect(sent).toMatchObject({ scheduled_at: '2090-01-02T01:00:00.000Z' });
		kit.service.clearLog();
		const followups = '={{ [{ at: DateTime.fromISO("2090-01-02T10:00:00Z") }] }}';
		const withDates = await told(post({ additionalFields: { followups } }));
		expect(JSON.stringify(withDates.sent)).toContain('"at":"2090-01-02T');
		expect(JSON.stringify(withDates.sent)).not.toContain('__n8nType');
	});
});

describe('of a published post', () => {
	it.each([false, null, 'yes'])(
		'an etag of the user’s own does not replace the capability: %p',
		async (can_edit) => {
			const { id } = kit.service.world.addPost(kit.service.world.own, { status: 'published' });
			kit.service.faults.add({
				kind: 'change',
				change: (envelope) => ({
					...envelope,
					data: {
						...(envelope.data as object),
						published_mutation_capabilities: { can_edit, edit_etag: 'pv_1' },
					},
				}),
			});
			const { error } = await kit.failure({
				operation: 'update',
				postId: byId(id),
				updateFields: { text: 'Another' },
				options: { etag: 'pv_1', currentStatus: 'published' },
			});
			expect(error).toMatch(/cannot be edited at the moment/);
			expect(kit.answered()).toEqual(['GET 200']);
		},
	);
});

describe('of a lead magnet', () => {
	it.each([
		[
			'an address of the call to action',
			{ additionalFields: { cta: { values: { ctaLabel: 'Go', ctaUrl: 'go' } } } },
		],
		['a link that is not external', { deliveryMode: 'gated_external', resourceLink: 'guide' }],
	])('%s that is none is sent with a word', async (_, parameters) => {
		const { sent, hints } = await told(magnet({ hostedPage: { title: 'A page' }, ...parameters }));
		expect(sent).toBeDefined();
		expect(hints).toEqual([expect.stringMatching(/does not hold a web address/)]);
	});

	it('a link in an update that is none is sent with a word', async () => {
		const { id } = kit.service.world.addLeadMagnet(kit.service.world.own);
		const { sent, hints } = await told({
			resource: 'leadMagnet',
			operation: 'update',
			leadMagnetId: byId(id),
			updateFields: { resourceLink: 'guide' },
		});
		expect(sent).toEqual({ resource_link: 'guide' });
		expect(hints).toHaveLength(1);
	});

	it('a delivery mode of the service’s own needs nothing that we know of', async () => {
		const customFields = { delivery_mode: 'by_pigeon' };
		expect(
			(await told(magnet({ resourceLink: '={{ "" }}', options: { customFields } }))).sent,
		).toMatchObject(customFields);
	});

	it('an empty page in Custom Fields is the service’s business', async () => {
		const customFields = { hosted_page: {} };
		const { sent } = await told(
			magnet({ deliveryMode: 'hosted_content', options: { customFields } }),
		);
		expect(sent).toMatchObject(customFields);
	});
});

describe('Custom Fields', () => {
	it('a key to which an expression gives nothing takes no parameter away; null does', async () => {
		const additionalFields = { notes: 'kept', themeId: 'gone' };
		const customFields = '={{ { notes: undefined, theme_id: null, template_id: undefined } }}';
		const { sent } = await told(post({ additionalFields, options: { customFields } }));
		expect(sent).toEqual({ text: 'A post', status: 'draft', notes: 'kept' });
	});

	it.each([
		'={{ { scheduled_at: new Date($json.when) } }}',
		'={{ { scheduled_at: DateTime.fromISO("next Tuesday") } }}',
		'={{ { followups: [{ after_minutes: $json.minutes * 60 }] } }}',
	])('do not erase by a date or a number that is none: %s', async (customFields) => {
		const { error } = await kit.failure(post({ options: { customFields } }));
		expect(error).toContain('Custom Fields" holds a date or a number that is not valid');
		expect(kit.writes()).toEqual([]);
	});
});

describe('the account', () => {
	it('is not the own one when a client is given beside it by an expression', async () => {
		const clientId = byId(kit.service.world.clientA.id);
		const { error } = await told(post({ actAs: '={{ "own" }}', clientId }));
		expect(error).toMatch(/"Act As" is "own", although a client is given/);
		expect(kit.service.requests).toEqual([]);
	});
});
