/** What the judge step says that it has seen, fact by fact. */
import type { JsonRecord } from '../../nodes/LeadGenPublishing/api/schemas';
import type { Asked } from '../../nodes/LeadGenPublishing/diagnose/facts';
import {
	asked,
	BASE,
	judged,
	ME,
	page,
	query,
	refusal,
	refused,
	silent,
	success,
	UUIDS,
} from './facts';

const DAY = 86_400_000;
const NOW = Date.parse('2030-01-28T09:00:00Z');

/** What a check has seen. Empty if it has found nothing. */
const seenBy = (check: string, those: readonly Asked[]): Array<readonly [string, string]> =>
	judged(those)
		.filter((item) => item.check === check)
		.map(({ result, seen }) => [result, seen] as const);

describe('the pages of a list', () => {
	const post = (digit: number): JsonRecord => ({
		id: `6f1c2f0e-7d4b-4a53-9d53-0c1f0a6c1b1${digit}`,
		...{ text: `Post ${digit}`, status: 'draft', notes: null },
	});
	const [first, second, third, other] = [post(1), post(2), post(3), post(9)];
	const of = (
		{
			hasMore = false,
			shown = [first, second, third],
		}: { hasMore?: boolean; shown?: readonly object[] },
		...further: Asked[]
	) =>
		seenBy('Complete lists', [
			...[BASE, ME, success('post.getAll', page(shown, hasMore), { query })],
			...further,
		]);
	const at = (purpose: Asked['purpose'], offset: number, shown: readonly unknown[], more = false) =>
		success(
			'post.getAll',
			{ data: shown, pagination: { limit: 2, offset, has_more: more } },
			{ purpose, query: { limit: 2, offset } },
		);

	it.each<[string, ReturnType<typeof of>, RegExp]>([
		['an end with more behind it', of({}, at('following', 3, [other])), /offset 3 gave more$/],
		[
			'an end that is given again',
			of({}, at('following', 3, [third])),
			/the end was given again, or announced more$/,
		],
		[
			'an end that announces more',
			of({}, at('following', 3, [], true)),
			/the end was given again, or announced more$/,
		],
		[
			'a page of known records',
			of({ hasMore: true }, at('following', 3, [first])),
			/offset 3 gave a known one$/,
		],
		['nothing after more', of({ hasMore: true }, at('following', 3, [])), /nothing follows$/],
		[
			'more of nothing',
			of({ hasMore: true, shown: [] }),
			/^posts: 0 records, limit 100, has_more true$/,
		],
		[
			'a record that was not there',
			of({}, at('second', 1, [other, third])),
			/offset 1 gave a record that the page before did not have$/,
		],
		['another place', of({}, at('second', 1, [third, first])), /offset 1 gave record 3$/],
		[
			'records far behind the end',
			of({}, at('farBehind', 1_000_000, [other])),
			/offset 1000000: 1 record, has_more false$/,
		],
		[
			'more announced far behind the end',
			of({}, at('farBehind', 1_000_000, [], true)),
			/offset 1000000: 0 records, has_more true$/,
		],
		['a record twice', of({ shown: [first, second, first] }), /1 record came twice in one page$/],
		[
			'pages of more than the limit',
			of({}, at('second', 1, [second, third, other])),
			/limit 2 gave 3 records$/,
		],
	])('%s', (_, seen, words) => {
		expect(seen.map(([, told]) => told)).toEqual([expect.stringMatching(words)]);
	});

	it('in order are not reported', () => {
		expect(of({}, at('second', 1, [second, third]), at('following', 3, []))).toEqual([
			['ok', expect.any(String)],
		]);
	});
});

describe('the address', () => {
	const unsent = asked('account.getSubject', { kind: 'unsent', why: 'time' }, { attempts: [] });

	it('is not to blame for a service that fails for the moment', () => {
		for (const subject of [unsent, asked('account.getSubject', silent('lost', 'timedOut'))]) {
			const [item] = judged([refused('account.getApiInfo', 503), subject]).filter(
				({ check }) => check === 'Base URL',
			);
			expect([item?.result, item?.means]).toEqual([
				'needs_you',
				'The service responds to every request with an error.',
			]);
		}
	});
});

describe('the clock', () => {
	const dated = (date: string | undefined, more: JsonRecord = {}): Asked => ({
		...ME,
		at: NOW,
		attempts: [{ ms: 20, requestId: 'n8n:1', headers: { date, ...more } }],
	});
	const of = (...those: Asked[]) => seenBy('Clock', [BASE, ...those]);

	it.each([
		['Mon, 28 Jan 2030 09:00:00 GMT', 'ok', '0 seconds apart'],
		['Mon, 28 Jan 2030 08:50:00 GMT', 'needs_you', '599 seconds apart, n8n ahead'],
		['Mon, 28 Jan 2030 09:10:00 GMT', 'needs_you', '600 seconds apart, n8n behind'],
	])('of a response at %s', (date, result, seen) => {
		expect(of(dated(date))).toEqual([[result, seen]]);
	});

	it('is not judged by responses from a cache, nor without a date', () => {
		const long = 'Mon, 28 Jan 2030 02:00:00 GMT';
		for (const more of [{ age: '7' }, { 'x-cache': 'HIT from x' }])
			expect(of(dated(long, more))).toEqual([['not_checked', 'every response came from a cache']]);
		expect(of(dated(undefined))).toEqual([['not_checked', 'nothing to check']]);
	});
});

it.each([
	[0, 'needs_you', 'a time in the past'],
	[1, 'needs_you', 'in 1 day'],
	[13, 'needs_you', 'in 13 days'],
	[14, 'ok', 'in 14 days'],
])('a key that expires after %i days', (days, result, seen) => {
	const expires_at = new Date(NOW + days * DAY).toISOString();
	const subject = success('account.getSubject', { data: { expires_at } }, { at: NOW });
	expect(seenBy('Key expiry', [BASE, subject])).toEqual([[result, seen]]);
});

it.each([
	[undefined, 'ok', '1 response asked to wait, 0 with Retry-After'],
	['7', 'ok', '1 response asked to wait, 1 with Retry-After'],
	['Mon, 28 Jan 2030 09:00:00 GMT', 'ok', '1 response asked to wait, 1 with Retry-After'],
	['soon', 'unusual', '1 response asked to wait, 1 with Retry-After'],
])('a response that asks to wait with %s', (wait, result, seen) => {
	const attempts = [
		{ ms: 1, requestId: 'a', status: 429, headers: { 'retry-after': wait } },
		{ ms: 1, requestId: 'b', status: 200, headers: {} },
	];
	expect(seenBy('Rate limits', [BASE, { ...ME, attempts }])).toEqual([[result, seen]]);
});

describe('the clients', () => {
	const clientsOf = (subject: JsonRecord, ...records: JsonRecord[]) =>
		seenBy('Clients', [
			...[BASE, success('account.getSubject', { data: subject })],
			success('client.getAll', page(records)),
		]);

	it.each<[string, ReturnType<typeof clientsOf>, string, string]>([
		['of a user', clientsOf({ actor_type: 'direct_user' }), 'ok', 'no clients'],
		['of nobody knows whom', clientsOf({}), 'ok', 'no clients'],
		[
			'of an agency without any',
			clientsOf({ actor_type: 'agency' }),
			'needs_you',
			'0 clients, 0 checked',
		],
		[
			'whose accounts are not active',
			clientsOf({}, { user_id: UUIDS[0], account_status: 'paused' }),
			'needs_you',
			'1 client, 0 checked; account_status: paused',
		],
		[
			'without usable IDs',
			clientsOf({}, { user_id: 7 }),
			'needs_you',
			'1 client, 0 checked, 1 without a UUID as user_id',
		],
	])('%s', (_, seen, result, words) => {
		expect(seen).toEqual([[result, words]]);
	});

	it('that deny all their lists are reported, although no other list was read', () => {
		const clientId = UUIDS[0] ?? '';
		const client = { user_id: clientId, grant: { status: 'active' } };
		const items = seenBy('Access to clients', [
			...[BASE, ME, success('client.getAll', page([client]))],
			...(['post.getAll', 'lead.getAll'] as const).map((name) => refused(name, 403, { clientId })),
		]);
		expect(items).toEqual([['needs_you', expect.stringContaining('HTTP 403')]]);
	});
});

it('shortens what the service says, and never what it says shortly', () => {
	const saying = (message: string) =>
		judged([BASE, ME, asked('lead.getAll', { ...refusal(500), message })]).find(
			({ check }) => check === 'Requests',
		)?.service_says;
	expect(saying('x'.repeat(200))).toBe('x'.repeat(200));
	expect(saying('x'.repeat(201))).toBe(`${'x'.repeat(200)}…`);
});

it('a response that breaks one check leaves the others', () => {
	const lead = Object.defineProperty({ id: UUIDS[0] }, 'qualification_status', {
		enumerable: true,
		get: () => {
			throw new Error('Jane Doe');
		},
	});
	const items = judged([BASE, ME, success('lead.getAll', page([lead]), { query })]);
	const broken = items.filter(({ seen }) => seen === 'a response that breaks this check');
	expect(broken.length).toBeGreaterThan(0);
	expect(items.length).toBeGreaterThan(broken.length + 5);
	expect(JSON.stringify(items)).not.toContain('Jane');
});
