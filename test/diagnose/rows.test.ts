/** Each row on its own, with facts that no fake service shows. */
import { failure } from '../operations/itemScene';
import type {
	Asked,
	Facts,
	FilterTrial,
	ListTrial,
	RequestOutcome,
} from '../../nodes/LeadGenPublishing/diagnose/facts';
import { judge } from '../../nodes/LeadGenPublishing/diagnose/judge/judge';
import { accounts } from '../../nodes/LeadGenPublishing/diagnose/judge/rows/accounts';
import { clients } from '../../nodes/LeadGenPublishing/diagnose/judge/rows/clients';
import { clock, connection } from '../../nodes/LeadGenPublishing/diagnose/judge/rows/connection';
import { filters } from '../../nodes/LeadGenPublishing/diagnose/judge/rows/filters';
import { uniqueKeys } from '../../nodes/LeadGenPublishing/diagnose/judge/rows/keys';
import { completeLists } from '../../nodes/LeadGenPublishing/diagnose/judge/rows/lists';
import { reads } from '../../nodes/LeadGenPublishing/diagnose/judge/rows/reads';
import { scopes } from '../../nodes/LeadGenPublishing/diagnose/judge/rows/scopes';

const asked = (name: Asked['name'], outcome: RequestOutcome, more: Partial<Asked> = {}): Asked => ({
	...{ name, at: 0, outcome },
	attempts: [{ ms: 1, status: 200, headers: {} }],
	...more,
});
const data = (name: Asked['name'], record: object, more?: Partial<Asked>): Asked =>
	asked(name, { kind: 'answered', body: { data: record } }, more);
const page = (
	name: Asked['name'],
	records: readonly object[],
	{
		hasMore = false,
		limit = 100,
		...more
	}: { hasMore?: boolean; limit?: number } & Partial<Asked> = {},
): Asked =>
	asked(
		name,
		{
			kind: 'answered',
			body: { data: records, pagination: { limit, offset: 0, has_more: hasMore } },
		},
		{ query: { limit: 100, offset: 0 }, ...more },
	);
const failed = (
	name: Asked['name'],
	status: number,
	more: Partial<Asked> = {},
	facts = {},
): Asked =>
	asked(
		name,
		{ kind: 'failed', failure: failure(status, { endpoint: name, ...facts }).facts },
		{ attempts: [{ ms: 1, status, headers: {} }], ...more },
	);

const ME = { user_id: 'me', account_type: 'agency', scopes: ['*'] };
const factsOf = (more: Partial<Facts> = {}, me: object = ME): Facts => ({
	...{ asked: [], requests: 1, clients: [], lists: [], singles: [] },
	...{ listTrials: [], filterTrials: [] },
	greeting: { base: data('account.getApiInfo', {}), subject: data('account.getSubject', me) },
	...more,
});
const kinds = (found: ReadonlyArray<{ readonly kind: string }>) => found.map(({ kind }) => kind);
const ids = (...numbers: readonly number[]) => numbers.map((number) => ({ id: `r${number}` }));
const range = (from: number, to: number) =>
	ids(...Array.from({ length: to - from + 1 }, (_, at) => from + at));

describe('Complete lists', () => {
	const leads = 'lead.getAll';
	const first = page(leads, range(1, 10));
	const long = page(leads, range(1, 10), { limit: 10, hasMore: true });
	const short = page(leads, range(1, 8), { limit: 10, hasMore: true });

	it.each<[string, Partial<ListTrial>, string]>([
		[
			'all is as documented',
			{ inside: page(leads, ids(5, 6)), behind: page(leads, []) },
			'complete',
		],
		['the offset is ignored', { inside: page(leads, ids(1, 2)) }, 'offsetIgnored'],
		['pages are counted from 0', { inside: page(leads, ids(9, 10)) }, 'offsetInPages'],
		['pages are counted from 1', { inside: page(leads, ids(7, 8)) }, 'offsetInPages'],
		['the order changes', { inside: page(leads, ids(3, 9)) }, 'unstable'],
		['it ends too early', { behind: page(leads, ids(11)) }, 'cutOff'],
		['the end comes again', { behind: page(leads, ids(10)) }, 'complete'],
		['the next page repeats it', { first: long, next: page(leads, range(1, 10)) }, 'repeated'],
		['the next page overlaps it', { first: long, next: page(leads, range(9, 18)) }, 'complete'],
		[
			'an empty page announces more',
			{ first: long, next: page(leads, [], { hasMore: true }) },
			'blank',
		],
		['nothing follows', { first: long, next: page(leads, []) }, 'complete'],
		[
			'records lie between two pages',
			{ first: short, next: page(leads, range(11, 18)), behind: page(leads, ids(9)) },
			'skipped',
		],
		[
			'some records of the page are hidden',
			{ first: short, next: page(leads, range(9, 18)), behind: page(leads, ids(9)) },
			'complete',
		],
		['the next page fails', { first: long, next: failed(leads, 500) }, 'listUntried'],
	])('if %s', (_, trial, kind) => {
		const whole: ListTrial = { list: leads, first, ...trial };
		expect(
			kinds(completeLists(factsOf({ listTrials: [{ ...whole, again: whole.first }] }))),
		).toEqual([kind]);
		// The same, but the list has changed in the meantime.
		const again = page(leads, [...ids(0), ...range(1, 9)]);
		const changing = completeLists(factsOf({ listTrials: [{ ...whole, again }] }));
		expect(kinds(changing)).toEqual([
			['complete', 'listUntried'].includes(kind) ? kind : 'listChanging',
		]);
	});

	it('has one finding for all lists with the same defect', () => {
		const inside = page(leads, ids(1, 2));
		const trial = { first, inside, again: first };
		const listTrials = [
			{ list: leads, ...trial },
			{ list: 'post.getAll', ...trial },
		] as const;
		expect(completeLists(factsOf({ listTrials }))).toEqual([
			{ kind: 'offsetIgnored', lists: ['lead.getAll', 'post.getAll'] },
		]);
	});

	it('a page that could not be read again proves nothing', () => {
		const trial: ListTrial = { list: leads, first, inside: page(leads, ids(1, 2)) };
		expect(kinds(completeLists(factsOf({ listTrials: [trial] })))).toEqual(['listChanging']);
	});
});

describe('Filters', () => {
	const email = { submitted: 'a@example.com', work: null, personal: null };
	const none = { submitted: null, work: null, personal: null };
	const all = [
		{ id: 'a', emails: email },
		{ id: 'b', emails: none },
		{ id: 'c', emails: email },
	];
	const first = page('lead.getAll', all);
	const [a, b, c] = all as [object, object, object];

	it.each<[string, Asked, string]>([
		['right', page('lead.getAll', [a, c]), 'filtersWork'],
		[
			'right, with a new lead',
			page('lead.getAll', [{ id: 'd', emails: email }, a, c]),
			'filtersWork',
		],
		['without effect', page('lead.getAll', [a, b, c]), 'filterIgnored'],
		['incomplete', page('lead.getAll', [a]), 'filterIncomplete'],
		['incomplete, with more pages', page('lead.getAll', [a], { hasMore: true }), 'filtersWork'],
		['rejected', failed('lead.getAll', 400), 'filterRefused'],
		['asked to wait', failed('lead.getAll', 429), 'filterUntried'],
	])('a filter is %s', (_, filtered, kind) => {
		const trial: FilterTrial = { filter: 'hasEmail', value: true, first, filtered, again: first };
		expect(kinds(filters(factsOf({ filterTrials: [trial] })))).toEqual([kind]);
		const again = page('lead.getAll', [a, { ...b, emails: email }, c]);
		const changing = filters(factsOf({ filterTrials: [{ ...trial, again }] }));
		expect(kinds(changing)).toEqual([
			['filtersWork', 'filterUntried'].includes(kind) ? kind : 'filterChanging',
		]);
	});
});

describe('Separate accounts', () => {
	const posts = (clientId: string | undefined, ...numbers: readonly number[]) =>
		page('post.getAll', ids(...numbers), { clientId });
	const known = page('client.getAll', [{ user_id: 'a' }, { user_id: 'b' }, { user_id: 'me' }]);

	it.each<[string, Asked[], string]>([
		['two clients share a record', [posts('a', 1, 2), posts('b', 2, 3)], 'mixed'],
		['the own account shares one', [posts(undefined, 1), posts('a', 1)], 'sharedWithOwn'],
		['the own account is a client', [posts(undefined, 1), posts('me', 1)], 'oneAccount'],
		['each has its own', [posts('a', 1), posts('b', 2)], 'separate'],
		['there is only one', [posts(undefined, 1, 2)], 'oneAccount'],
		[
			'another list has the same ID',
			[posts('a', 1), page('lead.getAll', ids(1), { clientId: 'b' })],
			'separate',
		],
	])('if %s', (_, lists, kind) => {
		expect(kinds(accounts(factsOf({ lists, clients: [known] })))).toEqual([kind]);
	});
});

describe('URL and key', () => {
	const base = data('account.getApiInfo', {});
	const proxy = { kind: 'unreadable', problem: 'webPage' } as const;

	it.each<[string, Facts['greeting'], string]>([
		['all is well', { base, subject: data('account.getSubject', ME) }, 'accepted'],
		['the key is rejected', { base, subject: failed('account.getSubject', 401) }, 'keyRejected'],
		[
			'the key is rejected without an envelope',
			{ base, subject: failed('account.getSubject', 401, {}, proxy) },
			'keyRejected',
		],
		[
			'a proxy asks for a login',
			{
				base: failed('account.getApiInfo', 401, {}, proxy),
				subject: failed('account.getSubject', 401, {}, proxy),
			},
			'unreachable',
		],
		[
			'/me fails and a list responds',
			{ base, subject: failed('account.getSubject', 500), further: page('post.getAll', []) },
			'accepted',
		],
		[
			'/me fails and a list is forbidden',
			{ base, subject: failed('account.getSubject', 500), further: failed('post.getAll', 403) },
			'accepted',
		],
		[
			'/me fails and a list rejects the key',
			{ base, subject: failed('account.getSubject', 500), further: failed('post.getAll', 401) },
			'keyRejected',
		],
		[
			'everything fails',
			{ base, subject: failed('account.getSubject', 500), further: failed('post.getAll', 500) },
			'unreachable',
		],
		[
			'nothing exists under the URL, not even the base',
			{
				base: failed('account.getApiInfo', 404),
				subject: failed('account.getSubject', 404),
				further: failed('post.getAll', 404),
			},
			'unreachable',
		],
		[
			'no path under the URL allows the method',
			{
				base: failed('account.getApiInfo', 405),
				subject: failed('account.getSubject', 405),
				further: failed('post.getAll', 404),
			},
			'unreachable',
		],
		[
			'the service only hides the base and the owner',
			{
				base: failed('account.getApiInfo', 404),
				subject: failed('account.getSubject', 404),
				further: failed('post.getAll', 403),
			},
			'accepted',
		],
	])('if %s', (_, greeting, kind) => {
		expect(kinds(connection(factsOf({ greeting })))).toEqual([kind]);
	});

	it('says that the account is not active, and still that the key is accepted', () => {
		const found = connection(factsOf({}, { ...ME, account_status: 'past_due' }));
		expect(found).toMatchObject([{ kind: 'inactive', status: 'past_due' }, { kind: 'accepted' }]);
	});

	it('an agency whose own routes are closed works for clients', () => {
		const lists = [failed('post.getAll', 404), page('post.getAll', [], { clientId: 'a' })];
		const facts = factsOf({ lists, clients: [page('client.getAll', [{ user_id: 'a' }])] });
		expect(kinds(connection(facts))).toEqual(['agencyOnly']);
		expect(kinds(scopes(facts))).toEqual(['scopesHeld']);
		expect(kinds(reads(facts))).toEqual(['allRead']);
	});
});

describe('Clock', () => {
	const NOW = Date.parse('2026-01-05T09:00:00Z');
	const at = (date: string | undefined, more: object = {}): Asked =>
		data('post.getAll', {}, { at: NOW, attempts: [{ ms: 500, headers: { date, ...more } }] });

	it.each<[string, Asked[], object]>([
		['agrees', [at('Mon, 05 Jan 2026 09:00:00 GMT')], { kind: 'sameTime', apartMs: 0 }],
		['is behind', [at('Mon, 05 Jan 2026 09:10:00 GMT')], { kind: 'otherTime', apartMs: -599_500 }],
		['is ahead', [at('Mon, 05 Jan 2026 08:50:00 GMT')], { kind: 'otherTime', apartMs: 599_000 }],
		[
			'agrees in one response',
			[at('Mon, 05 Jan 2026 08:50:00 GMT'), at('Mon, 05 Jan 2026 09:00:00 GMT')],
			{ kind: 'sameTime', apartMs: 0 },
		],
		['is not shown', [at(undefined)], { kind: 'noTime' }],
		[
			'is hidden by a cache',
			[at('Mon, 05 Jan 2026 08:00:00 GMT', { age: '3600' })],
			{ kind: 'noTime' },
		],
	])('%s', (_, all, found) => {
		expect(clock(factsOf({ asked: all }))).toEqual([found]);
	});
});

describe('Scopes', () => {
	it.each<[string, readonly string[] | undefined, Asked[], string]>([
		[
			'is missing',
			undefined,
			[failed('lead.getAll', 403), page('post.getAll', [])],
			'scopesMissing',
		],
		[
			'is missing and hidden as 404',
			['posts:read'],
			[failed('lead.getAll', 404), page('post.getAll', [])],
			'scopesMissing',
		],
		[
			'is stated and rejected',
			['posts:read', 'leads:read'],
			[failed('lead.getAll', 403), page('post.getAll', [])],
			'scopesContradicted',
		],
		[
			'is missing everywhere',
			undefined,
			[failed('lead.getAll', 403), failed('post.getAll', 403)],
			'nothingAllowed',
		],
		[
			'is open for another account',
			undefined,
			[failed('lead.getAll', 403), page('lead.getAll', [], { clientId: 'a' })],
			'scopesHeld',
		],
	])('a scope %s', (_, stated, lists, kind) => {
		expect(kinds(scopes(factsOf({ lists }, { user_id: 'me', scopes: stated })))).toEqual([kind]);
	});
});

describe('Clients', () => {
	const list = (...rows: readonly object[]) => [page('client.getAll', rows)];
	const open = page('post.getAll', [], { clientId: 'b' });

	it.each<[string, Partial<Facts>, object, string[]]>([
		['no list for a user', { clients: [failed('client.getAll', 403)] }, {}, ['noClientsNeeded']],
		['no list for an agency', { clients: [failed('client.getAll', 404)] }, ME, ['noClients']],
		[
			'no scope for the list',
			{ clients: [failed('client.getAll', 403)] },
			{ ...ME, scopes: [] },
			['clientsClosed'],
		],
		['an empty list', { clients: list() }, ME, ['noClients']],
		[
			'a suspended client that can be read',
			{ clients: list({ user_id: 'b', account_status: 'suspended' }), lists: [open] },
			ME,
			['clientInactive'],
		],
		[
			'a client that is not found',
			{
				clients: list({ user_id: 'a' }),
				lists: [open, failed('post.getAll', 404, { clientId: 'a' })],
			},
			ME,
			['clientMissing'],
		],
		[
			'a client whose list fails for another reason',
			{
				clients: list({ user_id: 'a' }),
				lists: [open, failed('post.getAll', 500, { clientId: 'a' })],
			},
			ME,
			['clientsWork'],
		],
		[
			'two statuses of grants',
			{
				clients: list(
					{ user_id: 'a', grant: { status: 'expired' } },
					{ user_id: 'b', grant: { status: 'active' } },
					{ user_id: 'c', grant: { status: 'pending' } },
				),
				lists: [open],
			},
			ME,
			['grantInactive', 'grantInactive'],
		],
	])('%s', (_, more, me, found) => {
		expect(kinds(clients(factsOf(more, me)))).toEqual(found);
	});

	describe('the client that the user has chosen', () => {
		const chosen = (status: number) => ({
			clients: [failed('client.get', status, { clientId: 'x' })],
			lists: [page('post.getAll', []), failed('post.getAll', status, { clientId: 'x' })],
		});

		it.each([
			[403, ME],
			[404, ME],
			[403, { user_id: 'me', account_type: 'agency' }],
			[404, { ...ME, scopes: ['posts:read'] }],
			[403, {}],
		])('is closed (%i), and neither a scope nor a route is missing', (status, me) => {
			const facts = factsOf(chosen(status), me);
			expect(kinds(clients(facts))).toEqual(['chosenClosed']);
			expect(kinds(scopes(facts))).toEqual(['scopesHeld']);
			expect(kinds(reads(facts))).toEqual(['allRead']);
		});

		it('has lists, so the key lacks the scope for clients', () => {
			const lists = [page('post.getAll', [], { clientId: 'x' })];
			const me = { user_id: 'me', account_type: 'agency' };
			const facts = factsOf({ ...chosen(403), lists }, me);
			expect(kinds(clients(facts))).toEqual(['clientsClosed']);
			expect(kinds(scopes(facts))).toEqual(['scopesMissing']);
		});
	});
});

describe('Reads', () => {
	it.each<[string, Asked, string[]]>([
		['is not offered', failed('activity.getAll', 404), ['notOffered']],
		['has to be paid for', failed('activity.getAll', 402), ['notOffered']],
		['is rejected', failed('activity.getAll', 400, {}, { code: 'bad_request' }), ['rejected']],
		['fails', failed('activity.getAll', 500, {}, { code: 'internal_error' }), ['fails']],
		['is a web page', failed('activity.getAll', 200, {}, { kind: 'unreadable' }), ['fails']],
		['gets no response', failed('activity.getAll', 0, {}, { kind: 'unreachable' }), ['fails']],
		['was not sent', asked('activity.getAll', { kind: 'unsent', why: 'limit' }), ['unsent']],
		['is forbidden, which another row says', failed('activity.getAll', 403), ['allRead']],
	])('a list %s', (_, one, found) => {
		expect(kinds(reads(factsOf({ lists: [page('post.getAll', []), one] })))).toEqual(found);
	});

	it('has one finding for each cause, with all routes and clients', () => {
		const known = page('client.getAll', [{ user_id: 'a', full_name: 'Ada' }, { user_id: 'b' }]);
		const error = (name: Asked['name'], clientId?: string) =>
			failed(name, 500, { clientId }, { code: 'internal_error' });
		const lists = [
			error('lead.getAll', 'a'),
			error('activity.getAll', 'a'),
			error('lead.getAll', 'b'),
		];
		expect(reads(factsOf({ lists, clients: [known] }))).toMatchObject([
			{
				kind: 'fails',
				routes: ['GET /leads', 'GET /activity'],
				clients: [{ id: 'a', name: 'Ada' }, { id: 'b' }],
			},
		]);
	});
});

it('a read that fails for the own account names no client', () => {
	const known = page('client.getAll', [{ user_id: 'a', full_name: 'Ada' }]);
	const lists = [failed('lead.getAll', 500), failed('lead.getAll', 500, { clientId: 'a' })];
	expect(reads(factsOf({ lists, clients: [known] }))).toMatchObject([
		{ kind: 'fails', clients: [] },
	]);
});

describe('Unique keys', () => {
	it.each<[string, object, object | undefined, string]>([
		['lists show notes', { notes: 'x' }, undefined, 'notesListed'],
		['lists show empty notes', { notes: null }, { notes: null }, 'notesListed'],
		['lists hide notes', { notes: null }, { notes: 'x' }, 'notesOneByOne'],
		['lists have no notes', {}, { notes: null }, 'notesOneByOne'],
		['nothing shows notes', {}, {}, 'notesNowhere'],
		['no post was read', {}, undefined, 'noPost'],
	])('if %s', (_, listed, read, kind) => {
		const lists = [page('post.getAll', [listed])];
		const singles = read === undefined ? [] : [data('post.get', read)];
		expect(kinds(uniqueKeys(factsOf({ lists, singles })))).toEqual([kind]);
	});
});

it('a row that cannot read a response does not end the others', () => {
	const broken = {
		kind: 'answered',
		get body(): unknown {
			throw new Error('broken');
		},
	} as const;
	const items = judge(factsOf({ lists: [page('post.getAll', []), asked('lead.getAll', broken)] }));
	const unjudged = items.filter(({ means }) =>
		means.startsWith('The node does not know the format'),
	);
	expect(unjudged.length).toBeGreaterThan(0);
	expect(items.some(({ check, result }) => check === 'URL and key' && result === 'ok')).toBe(true);
});
