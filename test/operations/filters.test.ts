/** The filters of Get Many that the node applies itself, one record at a time. */
import type { JsonRecord } from '../../nodes/LeadGenPublishing/api/schemas';
import { getAllActivity } from '../../nodes/LeadGenPublishing/operations/activity/getAll';
import { getAllLeads } from '../../nodes/LeadGenPublishing/operations/lead/getAll';
import { getAllLeadMagnets } from '../../nodes/LeadGenPublishing/operations/leadMagnet/getAll';
import type { Operation } from '../../nodes/LeadGenPublishing/operations/operation';
import { getAllPosts } from '../../nodes/LeadGenPublishing/operations/post/getAll';
import { expectRefused, expectUnsent, itemOf } from './itemScene';

const OPERATIONS = {
	lead: getAllLeads,
	activity: getAllActivity,
	post: getAllPosts,
	magnet: getAllLeadMagnets,
};
type What = keyof typeof OPERATIONS;

const listed = (operation: Operation, filters: unknown, records: readonly JsonRecord[]) =>
	itemOf(operation, { limit: 50, filters }, { walk: { records: [...records] } });

/** What is left of the records, and what is said of them. */
async function filtered(what: What, filters: JsonRecord, records: readonly JsonRecord[]) {
	const { run, said } = listed(OPERATIONS[what], filters, records);
	return { found: await run(), said };
}

interface Case {
	readonly what: What;
	readonly filters: JsonRecord;
	readonly matching: readonly JsonRecord[];
	readonly others: readonly JsonRecord[];
}

const cases: ReadonlyArray<[string, Case]> = [
	[
		'keyword of leads',
		{
			what: 'lead',
			filters: { keyword: ' Güide ' },
			matching: [
				{ latest_keyword: 'GÜIDE' },
				{ latest_keyword: 'gu\u0308ide ' },
				{ keyword: 'güide' },
				{ latest_keyword: null, keyword: 'güide' },
			],
			others: [
				{ latest_keyword: 'guide' },
				{ latest_keyword: 'güides' },
				{ latest_keyword: null },
				{},
			],
		},
	],
	[
		'intent',
		{
			what: 'lead',
			filters: { onlyWithIntent: true },
			matching: [{ has_intent: true }],
			others: [{ has_intent: false }, { has_intent: null }, {}],
		},
	],
	[
		'qualification status',
		{
			what: 'lead',
			filters: { qualificationStatus: 'qualified' },
			matching: [{ qualification_status: 'Qualified' }],
			others: [{ qualification_status: 'unqualified' }, { qualification_status: null }, {}],
		},
	],
	[
		'creation time of leads',
		{
			what: 'lead',
			filters: { createdAfter: '2030-01-01T10:00:00+01:00' },
			matching: [
				{ created_at: '2030-01-01T09:00:00Z' },
				{ createdAt: '2030-01-01T09:00:01' },
				{ created_at: null, submitted_at: '2030-01-02T00:00:00Z' },
			],
			others: [{ created_at: '2030-01-01T08:59:59Z' }],
		},
	],
	[
		'text of leads',
		{
			what: 'lead',
			filters: { search: ' søren  O’Brien' },
			matching: [
				{ name: 'Dr. SØREN O’BRIEN Jr.' },
				{ name: 'Søren\u00a0O’Brien', emails: null },
				{ name: null, email: 'x', emails: { work: '"søren o’brien" <s@x.example>' } },
			],
			others: [{ name: 'Soren O’Brien' }, { name: 'Søren' }, { headline: 'Søren O’Brien' }],
		},
	],
	[
		'address of leads',
		{
			what: 'lead',
			filters: { search: 'ADA@X.example' },
			matching: [
				{ emails: { submitted: null, work: 'ada@x.example' } },
				{ emails: ['ada@x.example'] },
				{ email: 'ada@x.example' },
			],
			others: [{ emails: { work: 'bob@x.example' } }, { emails: [] }, { emails: null }],
		},
	],
	[
		'profile of leads, however its URL is written',
		{
			what: 'lead',
			filters: { search: 'https://www.network.example/in/ada/?from=mail' },
			matching: [
				{ network_profile_url: 'https://network.example/in/ada' },
				{ profile_url: 'http'.concat('s://NETWORK.example/in/ada/') },
			],
			others: [{ network_profile_url: 'https://network.example/in/adam' }],
		},
	],
	[
		'ID of leads',
		{
			what: 'lead',
			filters: { search: 'LEAD-7' },
			matching: [{ id: 'lead-7' }],
			others: [{ id: 'lead-8', name: 'Ada' }],
		},
	],
	[
		'keyword of activity',
		{
			what: 'activity',
			filters: { keyword: 'guide' },
			matching: [{ keyword: 'GUIDE' }],
			others: [{ keyword: null }, { keyword: 'guides' }],
		},
	],
	[
		'status of activity',
		{
			what: 'activity',
			filters: { status: 'Matched' },
			matching: [{ status: 'matched' }],
			others: [{ status: 'ignored' }, { status: null }],
		},
	],
	[
		'text of activity',
		{
			what: 'activity',
			filters: { search: 'ada' },
			matching: [
				{ author_name: 'Ada' },
				{ content: 'Hello, Ada!' },
				{ author_profile_url: 'https://network.example/in/ada' },
				{ metadata: { post_id: 'ada-1' } },
			],
			others: [
				{ author_name: 'Bob', content: null },
				{ metadata: { note: 'ada' } },
				{ status: 'ada', keyword: 'ada' },
			],
		},
	],
	[
		'statuses of posts',
		{
			what: 'post',
			filters: { statuses: ['draft', 'scheduled'] },
			matching: [{ status: 'draft' }, { status: 'Scheduled' }],
			others: [{ status: 'published' }, { status: null }, {}],
		},
	],
	[
		'times of posts',
		{
			what: 'post',
			filters: { scheduledAfter: '2030-01-01T00:00:00Z', scheduledBefore: '2030-02-01T00:00:00Z' },
			matching: [
				{ scheduled_at: '2030-01-01T00:00:00Z' },
				{ scheduled_at: '2030-02-01T00:30:00+01:00' },
			],
			others: [
				{ scheduled_at: '2029-12-31T23:59:59Z' },
				{ scheduled_at: '2030-02-01T00:00:00Z' },
				{ scheduled_at: null, status: 'draft' },
			],
		},
	],
	[
		'text of posts',
		{
			what: 'post',
			filters: { search: 'R&D is straße' },
			matching: [
				{ text: 'Our R&amp;D is\nSTRASSE.' },
				{ text: 'Other', notes: 'r&d is Straße' },
				{ text: '', notes: 'R&D IS STRASSE' },
			],
			others: [{ text: 'Our R&D' }],
		},
	],
	[
		'keyword of lead magnets',
		{
			what: 'magnet',
			filters: { keyword: 'guide' },
			matching: [{ keyword: 'GUIDE' }],
			others: [{ keyword: null }, { keyword: 'other' }],
		},
	],
	[
		'text of lead magnets',
		{
			what: 'magnet',
			filters: { search: 'playbook' },
			matching: [
				{ resource_name: 'The Playbook' },
				{ keyword: 'PLAYBOOK' },
				{ description: 'A playbook.' },
				{ resource_link: 'https://x.example/playbook.pdf' },
			],
			others: [{ resource_name: 'The guide', text_template: 'playbook' }],
		},
	],
];

describe('a filter', () => {
	it.each(cases)('by %s keeps what matches', async (_, { what, filters, matching, others }) => {
		const { found, said } = await filtered(what, filters, [...others, ...matching]);
		expect(found).toEqual(matching);
		const [summary] = said;
		const read = others.length + matching.length;
		expect(summary).toMatch(
			new RegExp(`^The node read ${read} \\w+.* and returned ${matching.length}\\.$`),
		);
	});

	it.each(cases)('by %s says if nothing matches', async (_, { what, filters, others }) => {
		const { found, said } = await filtered(what, filters, others);
		expect(found).toEqual([]);
		expect(said[0]).toMatch(
			new RegExp(`^No .* match the filters\\. The node read ${others.length}\\.$`),
		);
	});

	it.each(cases)('by %s finds nothing in an empty list', async (_, { what, filters }) => {
		const { found, said } = await filtered(what, filters, []);
		expect(found).toEqual([]);
		expect(said).toEqual([expect.stringMatching(/^No .* found\./)]);
	});
});

describe('a filter on what no record shows is an error', () => {
	it.each<[string, What, JsonRecord, JsonRecord]>([
		['keyword', 'lead', { keyword: 'a' }, {}],
		['intent', 'lead', { onlyWithIntent: true }, {}],
		['qualification', 'lead', { qualificationStatus: 'a' }, {}],
		['creation time', 'lead', { createdAfter: '2030-01-01T00:00Z' }, {}],
		['email addresses', 'lead', { hasEmail: true }, {}],
		['email addresses that are missing', 'lead', { hasEmail: false }, {}],
		['source', 'activity', { source: 'comment' }, {}],
		['a time that is none', 'lead', { createdAfter: '2030-01-01T00:00Z' }, { created_at: 'now' }],
		['text', 'lead', { search: 'a' }, { id: 'b' }],
		['keyword', 'activity', { keyword: 'a' }, {}],
		['status', 'activity', { status: 'a' }, {}],
		['text', 'activity', { search: 'a' }, {}],
		['status', 'post', { statuses: ['draft'] }, { text: 'a' }],
		['begin', 'post', { scheduledAfter: '2030-01-01T00:00Z' }, { status: 'draft' }],
		['end', 'post', { scheduledBefore: '2030-01-01T00:00Z' }, { scheduled_at: 'soon' }],
		['text', 'post', { search: 'a' }, { status: 'draft' }],
		['keyword', 'magnet', { keyword: 'a' }, {}],
		['text', 'magnet', { search: 'a' }, {}],
		['the second', 'lead', { keyword: 'a', onlyWithIntent: true }, { latest_keyword: 'b' }],
	])('%s of %s', async (_, what, filters, record) => {
		const item = listed(OPERATIONS[what], filters, [record, record]);
		await expectRefused(item);
	});

	it.each<[What, JsonRecord, JsonRecord]>([
		['lead', { keyword: 'a' }, { latest_keyword: null }],
		['lead', { onlyWithIntent: true }, { has_intent: null }],
		['lead', { createdAfter: '2030-01-01T00:00Z' }, { created_at: null }],
		['lead', { hasEmail: true }, { emails: null }],
		['lead', { search: 'a' }, { name: null }],
		['activity', { source: 'comment' }, { source: null }],
		['post', { scheduledAfter: '2030-01-01T00:00Z' }, { scheduled_at: null }],
		['post', { statuses: ['draft'] }, { status: null }],
	])('but null is shown: %s by %j', async (what, filters, record) => {
		expect((await filtered(what, filters, [record])).found).toEqual([]);
	});

	it('unless another record shows it', async () => {
		const records = [{ id: 'a' }, { id: 'b', latest_keyword: null }];
		expect((await filtered('lead', { keyword: 'a' }, records)).found).toEqual([]);
	});

	it('unless its ID was searched for', async () => {
		expect((await filtered('post', { search: 'p-1' }, [{ id: 'p-1' }])).found).toHaveLength(1);
	});
});

describe('a filter that is empty', () => {
	const leads = [{ latest_keyword: 'a', emails: { work: 'a@x.example' } }];

	it.each<[string, unknown]>([
		['text', ''],
		['blanks', '  '],
	])('is not set: %s', async (_, keyword) => {
		const filters = { keyword, search: keyword, createdAfter: keyword, hasEmail: keyword };
		expect(await filtered('lead', filters, leads)).toEqual({ found: leads, said: [] });
	});

	it('is not set: no status, and a switch that is off', async () => {
		const posts = [{ status: 'draft' }];
		expect((await filtered('post', { statuses: [] }, posts)).found).toEqual(posts);
		expect((await filtered('lead', { onlyWithIntent: false }, leads)).found).toEqual(leads);
	});

	it.each<[What, string]>([
		...(['createdAfter', 'hasEmail', 'keyword', 'onlyWithIntent', 'search'] as const).map(
			(name): [What, string] => ['lead', name],
		),
		['lead', 'qualificationStatus'],
		['activity', 'source'],
		['post', 'statuses'],
	])('is refused if its expression gives nothing: %s %s', async (what, name) => {
		for (const nothing of [undefined, null, NaN]) {
			const stored = { filters: { [name]: '={{ $json.nope }}' } };
			const parameters = { limit: 50, filters: { [name]: nothing } };
			const item = itemOf(OPERATIONS[what], parameters, { stored, walk: { records: leads } });
			await expect(item.run()).rejects.toThrow('is an expression that returned no value');
			expect(item.sent).toEqual([]);
		}
	});

	it('is refused if an expression gives nothing for all of them', async () => {
		const item = itemOf(getAllLeads, { limit: 50 }, { stored: { filters: '={{ $json.nope }}' } });
		await expectUnsent(item);
	});
});

describe('before anything is sent', () => {
	it.each<[What, JsonRecord]>([
		['lead', { createdAfter: 'last week' }],
		['lead', { createdAfter: '2030-01-01' }],
		['lead', { keyword: { a: 1 } }],
		['lead', { onlyWithIntent: 'perhaps' }],
		['post', { statuses: [{ a: 1 }] }],
		['post', { statuses: 'draft, shceduled' }],
		['post', { scheduledAfter: '2030-02-01T00:00Z', scheduledBefore: '2030-02-01T01:00+01:00' }],
	])('is refused: %s by %j', async (what, filters) => {
		await expectUnsent(listed(OPERATIONS[what], filters, []));
	});

	it('times without a zone are those of the workflow', async () => {
		const at = (created_at: string) => ({ created_at });
		const records = [at('2030-07-01T06:59:00Z'), at('2030-07-01T07:00:00Z')];
		const item = itemOf(
			getAllLeads,
			{ limit: 50, filters: { createdAfter: '2030-07-01T09:00' } },
			{ walk: { records }, functions: { getTimezone: () => 'Europe/Berlin' } },
		);
		expect(await item.run()).toEqual([records[1]]);
	});
});

it('filters go together, and with those of the service', async () => {
	const records = [
		{ id: 'a', latest_keyword: 'guide', has_intent: true, email: 'a@x.example' },
		{ id: 'b', latest_keyword: 'guide', has_intent: false, email: 'b@x.example' },
		{ id: 'c', latest_keyword: 'other', has_intent: true },
	];
	const filters = { keyword: 'guide', onlyWithIntent: true, hasEmail: true };
	const item = listed(getAllLeads, filters, records);
	expect(await item.run()).toEqual([records[0]]);
	expect(item.sent).toMatchObject([{ query: { has_email: true }, wanted: 50 }]);
	expect(item.said).toEqual(['The node read 3 leads and returned 1.']);
});

it.each<[JsonRecord, ...JsonRecord[]]>([
	[{ latest_keyword: 'guide', has_intent: true }],
	[{ has_intent: true }, { latest_keyword: 'guide' }],
])('several filters are shown by one record, or by several: %j', async (...records) => {
	const filters = { onlyWithIntent: true, keyword: 'guide' };
	const { found } = await filtered('lead', filters, records);
	expect(found).toHaveLength(records.length === 1 ? 1 : 0);
});

describe('a filter that the service is asked for is applied by the node, too', () => {
	const WITH = { emails: { work: 'a@x.example' } };
	const WITHOUT = { emails: { work: null, personal: ' ' } };
	it.each<[What, JsonRecord, readonly JsonRecord[], readonly JsonRecord[]]>([
		['lead', { hasEmail: true }, [WITH, WITHOUT, { id: 'a' }], [WITH]],
		['lead', { hasEmail: false }, [WITH, WITHOUT, { id: 'a' }], [WITHOUT, { id: 'a' }]],
		[
			'activity',
			{ source: 'comment' },
			[{ source: 'Comment' }, { source: 'message' }, { source: null }],
			[{ source: 'Comment' }],
		],
	])('%s by %j', async (what, filters, records, kept) => {
		const { found, said } = await filtered(what, filters, records);
		expect(found).toEqual(kept);
		expect(said[0]).toMatch(/^The node read 3 .* and returned/);
	});

	it('without a word if the service has applied it', async () => {
		const { found, said } = await filtered('lead', { hasEmail: true }, [WITH, WITH]);
		expect([found.length, said]).toEqual([2, []]);
	});
});
