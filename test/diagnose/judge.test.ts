/** The judge step alone: facts that no service of ours shows, and any facts at all. */
import fc from 'fast-check';

import { endpointNames, ENDPOINTS } from '../../nodes/LeadGenPublishing/api/endpoints';
import type { Asked, Purpose, RequestOutcome } from '../../nodes/LeadGenPublishing/diagnose/facts';
import { needingAttention } from '../../nodes/LeadGenPublishing/diagnose/judge/judge';
import { reportOf } from '../../nodes/LeadGenPublishing/diagnose/judge/report';
import {
	asked,
	BASE,
	greeting,
	judged,
	ME,
	page,
	posts,
	query,
	refusal,
	refused,
	silent,
	success,
	UUIDS,
} from './facts';

const slow = { attempts: [{ ms: 9_000, requestId: 'n8n:1', headers: {} }] };

const CLIENT = { clientId: UUIDS[0] } as const;
const clientWith = (status: string): Asked =>
	success('client.get', { data: { user_id: UUIDS[0], grant: { status } } }, CLIENT);
const CLOSED = refused('post.getAll', 403, CLIENT);

/** The item of this check, for what was asked beside the base and `/me`. */
const rowOf = (check: string, ...those: Asked[]) =>
	judged([BASE, ME, ...those]).find((item) => item.check === check);

/** The facts, and the row and the first words that come of them. */
const TABLE: Readonly<Record<string, readonly [those: Asked[], check: string, means: RegExp]>> = {
	'no host': [
		greeting(silent('unreached', 'hostNotFound')),
		...(['Base URL', /^n8n cannot reach the server/] as const),
	],
	'a certificate that is not accepted': [
		greeting(silent('tls', 'certificateRejected')),
		...(['Base URL', /encrypted connection/] as const),
	],
	'an address that n8n does not allow': [
		greeting({ kind: 'unsent', why: 'n8n' }),
		...(['Base URL', /^n8n does not allow requests/] as const),
	],
	'no response': [
		greeting(silent('lost', 'timedOut')),
		...(['Base URL', /^The service does not respond/] as const),
	],
	'a key that is known and not let in': [
		[BASE, refused('account.getSubject', 403), refused('post.getAll', 403)],
		...(['Key', /does not let it do anything/] as const),
	],
	'responses that take nine seconds': [
		[
			{ ...BASE, ...slow },
			{ ...ME, ...slow },
		],
		...(['Speed', /^The service is slow/] as const),
	],
	'a key that may read nothing': [
		[BASE, ME, ...(['post.getAll', 'lead.getAll'] as const).map((name) => refused(name, 403))],
		...(['Scopes', /does not let it read anything/] as const),
	],
	'full pages that overlap': [
		[
			BASE,
			ME,
			success(
				'post.getAll',
				{ data: posts.slice(0, 2), pagination: { limit: 2, offset: 0, has_more: true } },
				{ query },
			),
			success(
				'post.getAll',
				{ data: posts.slice(1), pagination: { limit: 2, offset: 2, has_more: false } },
				{ query: { limit: 2, offset: 2 }, purpose: 'following' },
			),
		],
		...(['Complete lists', /^The pages of posts overlap/] as const),
	],
	'a grant that was not tried': [
		[BASE, ME, success('client.getAll', page([{ user_id: UUIDS[0], grant: { status: 'ended' } }]))],
		...(['Grants', /grant that is not active/] as const),
	],
	'a named client whose grant has ended': [
		[BASE, ME, clientWith('ended'), success('post.getAll', page([])), CLOSED],
		...(['Grants', /grant that does not give the agency access: ended/] as const),
	],
	'a named client whose grant is not shown': [
		[BASE, ME, refused('client.get', 403, CLIENT), success('post.getAll', page([])), CLOSED],
		...(['Access to clients', /denies access to some clients, and does not show/] as const),
	],
	'an end that is refused': [
		[
			...[BASE, ME, success('post.getAll', page(posts), { query })],
			refused('post.getAll', 400, { purpose: 'following', query: { limit: 2, offset: 3 } }),
			refused('post.getAll', 400, { purpose: 'farBehind', query: { limit: 2, offset: 1_000_000 } }),
		],
		...(['Complete lists', /rejects an offset after the end/] as const),
	],
	'a cap on offsets, with a long list': [
		[
			...[BASE, ME, success('post.getAll', page(posts, true), { query })],
			refused('post.getAll', 400, { purpose: 'farBehind', query: { limit: 2, offset: 1_000_000 } }),
			success('post.getAll', page([]), { purpose: 'farBehind', query: { limit: 2, offset: 8 } }),
		],
		...(['Complete lists', /rejects high offsets/] as const),
	],
	'another request ID in the header': [
		[
			BASE,
			success(
				'account.getSubject',
				{ data: {} },
				{
					attempts: [
						{
							...{ ms: 1, requestId: 'n8n:1', headers: { 'x-request-id': 'other' } },
							json: { data: {}, request_id: 'n8n:1' },
						},
					],
				},
			),
		],
		...(['Request IDs', /^The body and the header/] as const),
	],
};

it.each(Object.entries(TABLE))('%s', (_, [those, check, means]) => {
	const items = judged(those);
	const item = items.find((one) => one.check === check && one.result !== 'ok');
	expect(item?.means).toMatch(means);
	// One dead cause is one item.
	if (check === 'Base URL' || check === 'Key') expect(needingAttention(items)).toHaveLength(2);
});

it('a grant under another name is open for the clients that are, and closed for the others', () => {
	const clients = UUIDS.map((id) => ({ user_id: id, grant: { status: 'approved' } }));
	const tried = (clientId: string | undefined, outcome: RequestOutcome) =>
		asked('lead.getAll', outcome, { clientId, purpose: 'otherGrant' });
	const items = judged([
		...[BASE, ME, success('client.getAll', page(clients))],
		tried(UUIDS[0], { kind: 'success', body: page([]) }),
		tried(UUIDS[1], refusal(403)),
	]);
	const grants = items.filter(({ check }) => check === 'Grants');
	expect(grants.map(({ client_ids: ids }) => ids)).toEqual([[UUIDS[0], UUIDS[2]], [UUIDS[1]]]);
	expect(grants[0]?.means).toContain('gives the agency access anyway');
});

it('a key without the word of the service is noticed, unless the credential has it', () => {
	const of = (serviceWord?: string) =>
		judged([BASE, ME], { connection: { isEncrypted: true, serviceWord } }).find(
			({ check }) => check === 'Service word',
		);
	expect([of()?.result, of('svc')?.result]).toEqual(['unusual', 'ok']);
});

it.each<[texts: string[], result: string, seen: string | undefined]>([
	[['plain', 'also plain'], 'not_checked', undefined],
	[['Müller', '\ufffd'], 'ok', 'posts: 1 of 2 texts with special characters'],
	[
		['M\u00c3\u00bcller', '\u00e2\u20ac\u201c'],
		'needs_you',
		'posts: 2 of 2 texts with special characters',
	],
	[
		['\ufffd', '\u00c2\u00a0', 'é', 'ü'],
		'needs_you',
		'posts: 2 of 4 texts with special characters',
	],
	[['\ufffd', '\ufffd', 'é', 'ü', 'ß'], 'ok', 'posts: 2 of 5 texts with special characters'],
	[['\ufffd'], 'ok', 'posts: 1 of 1 text with special characters'],
	[['\u00c3 la carte', '\u00c3\u00d1'], 'ok', 'posts: 0 of 2 texts with special characters'],
])('texts such as %j are %s', (texts, result, seen) => {
	const inner = Object.fromEntries(texts.map((text, at) => [`t${at}`, text]));
	const list = success('post.getAll', page([{ id: UUIDS[0], text: 7, inner }]));
	const found = rowOf('Special characters', list);
	expect(found?.result).toBe(result);
	if (seen !== undefined) expect(found?.seen).toBe(seen);
});

it.each([
	[{ deleted: true }, true],
	[{ is_deleted: true }, true],
	[{ deleted_at: '2030-01-31T09:30:00Z' }, true],
	[{ removed_at: 'yesterday' }, true],
	[{ deleted: 'true', is_deleted: 1 }, false],
	[{ deleted_at: '', removed_at: null }, false],
	[{ deleted_at: 7 }, false],
])('a list that shows %j shows a deleted record: %p', (record, isDeleted) => {
	const [field = ''] = Object.keys(record);
	for (const [list, name] of [
		['post.getAll', 'posts'],
		['lead.getAll', 'leads'],
		['activity.getAll', 'activity'],
	] as const) {
		const records = [{ id: UUIDS[0], ...record }, { id: UUIDS[1] }];
		const found = rowOf('Deleted records', success(list, page(records)));
		if (isDeleted) {
			expect(found).toMatchObject({ result: 'unusual', seen: `${name}: 1 of 2 records` });
			expect(found?.means).toContain(`${name} (${field})`);
		} else expect(found?.result).toBe('ok');
	}
});

it('no deleted record is looked for where no list has any record, or shows people or posts', () => {
	const magnets = success('leadMagnet.getAll', page([{ id: UUIDS[0], deleted: true }]));
	for (const list of [success('post.getAll', page([])), magnets])
		expect(rowOf('Deleted records', list)?.result).toBe('not_checked');
});

it('a record without an ID, or with one that nobody shares, belongs to one account', () => {
	const of = (own: object, clients: object) =>
		rowOf(
			'Separate accounts',
			success('client.getAll', page([{ user_id: UUIDS[0] }])),
			success('post.getAll', page([own])),
			success('post.getAll', page([clients]), CLIENT),
		)?.result;
	expect(of({ id: UUIDS[1] }, { id: UUIDS[1] })).toBe('needs_you');
	expect(of({ id: UUIDS[1] }, { id: UUIDS[2] })).toBe('ok');
	for (const id of [undefined, null, '']) expect(of({ id }, { id })).toBe('ok');
});

it('what was not sent is not checked, and has not failed', () => {
	const items = judged([
		BASE,
		ME,
		asked('lead.getAll', { kind: 'unsent', why: 'limit' }, { attempts: [] }),
	]);
	expect(needingAttention(items)).toHaveLength(1);
	expect(items.find(({ check }) => check === 'Requests')?.result).toBe('not_checked');
});

const LISTED = success('post.getAll', page(posts));

it.each<[what: string, more: Asked[], status: number, result: string]>([
	[
		'shows nothing if the key may not read posts',
		[refused('post.getAll', 403)],
		403,
		'not_checked',
	],
	[
		'shows nothing if the key may not read a post',
		[LISTED, refused('post.get', 403)],
		403,
		'not_checked',
	],
	['shows nothing if the service asks to wait', [LISTED], 429, 'not_checked'],
	['is not found', [LISTED], 404, 'ok'],
	['is refused in another way than documented', [LISTED], 403, 'unusual'],
	['is refused so, although a client shows no posts', [LISTED, CLOSED], 403, 'unusual'],
	['makes the service fail', [LISTED], 500, 'unusual'],
])('a record that does not exist %s', (_, more, status, result) => {
	const unknown = refused('post.get', status, { id: UUIDS[2], purpose: 'unknownRecord' });
	expect(rowOf('A record that does not exist', ...more, unknown)?.result).toBe(result);
});

describe('the summary', () => {
	const read = [BASE, ME, success('lead.getAll', page([]), { query })];
	const forbidden = refused('post.getAll', 403);
	const failing = refused('activity.getAll', 500);
	const farthest = { limit: 2, offset: 1_000_000 };
	const promising = success('lead.getAll', page([], true), {
		purpose: 'farBehind',
		query: farthest,
	});
	const byDefault = success('lead.getAll', page([]), { purpose: 'byDefault', query: {} });

	it.each<[string, Asked[], string, string]>([
		[
			'of nothing',
			[],
			'No check found a problem. These work: your own account and leads.',
			'There is nothing to do.',
		],
		[
			'of one unusual thing',
			[promising],
			'These work: your own account and leads. 1 check is unusual: Complete lists. The service announces more leads after the end of the list. The node notices this, and only needs a few more requests.',
			'You can work as usual.',
		],
		[
			'of several unusual things',
			[promising, byDefault],
			'These work: your own account and leads. 2 checks are unusual: Complete lists and Page without a limit.',
			'You can work as usual. The next items say what follows for your workflows.',
		],
		[
			'of one thing to do',
			[forbidden],
			'1 check needs you: Scopes. The key lacks posts:read. Also unusual: Error responses. These work: your own account and leads.',
			'Ask the service to add what is missing to the key. Until then, do not use the operations that need it.',
		],
		[
			'of several things to do',
			[forbidden, failing],
			'2 checks need you: Scopes and Requests. Also unusual: Error responses. These work: your own account and leads.',
			'Start with "Scopes". The next items say what to do about each check.',
		],
	])('says what to do %s', (_, those, means, next) => {
		const [summary] = judged([...read, ...those]);
		expect([summary?.means, summary?.do_next]).toEqual([means, next]);
	});

	it('names nothing that works, and nothing unusual, if there is none', () => {
		const [summary] = judged(greeting(silent('unreached', 'hostNotFound')));
		expect(summary?.means).toMatch(/^1 check needs you: Base URL\. /);
		expect(summary?.means).not.toMatch(/Also unusual|These work/);
	});

	it('does not say that everything works if nothing could be read', () => {
		const [summary] = judged([
			...[BASE, ME],
			asked('lead.getAll', { kind: 'unsent', why: 'time' }, { attempts: [] }),
		]);
		expect(summary?.result).toBe('not_checked');
		expect(summary?.do_next).toContain('Max Wait');
	});
});

describe('the clients of a key that may not list them', () => {
	const closed = refused('client.getAll', 403);
	const of = (data: object) =>
		judged([
			...[BASE, closed, success('account.getSubject', { data })],
			success('lead.getAll', page([]), { query }),
		]).find(({ check }) => check === 'Clients');

	it.each<[string, object, string, RegExp]>([
		['a user', { actor_type: 'direct_user' }, 'ok', /has no clients, and needs none/],
		['nobody knows whose', {}, 'ok', /nothing is missing for your own account/],
		['a scope for clients', { scopes: ['clients:read'] }, 'unusual', /According to \/me/],
	])('are explained: %s', (_, data, result, means) => {
		expect(of(data)).toMatchObject({ result, means: expect.stringMatching(means) as string });
		if (result === 'ok') expect(of(data)?.seen).not.toMatch(/HTTP|403/);
	});
});

const PERSONAL = [
	'Jane Doe',
	'jane@example.com',
	'https://crm.example/jane',
	'<h1>Jane</h1>',
	'JANE',
];

it.each([
	['a code', (text: string) => refusedAs({ code: text })],
	['a reason', (text: string) => refusedAs({ code: 'forbidden', reason: text })],
	['names of fields', (text: string) => named({ [text]: 1, other: 2 })],
	['names of fields inside', (text: string) => named({ by_person: { [text]: 1 } })],
	['values', (text: string) => valued(text)],
])('no report shows %s that a person may have written', (_, factsOf) => {
	for (const text of PERSONAL) {
		const items = judged(factsOf(text));
		expect(reportOf(items)).not.toContain(text);
		const shown = items.map((item) => ({ ...item, service_says: '' }));
		expect(JSON.stringify(shown)).not.toContain(text);
	}
});

const refusedAs = (said: { code: string; reason?: string }): Asked[] => [
	...[BASE, ME],
	asked('lead.getAll', {
		...refusal(403),
		message: 'Jane',
		...said,
	}),
];
const named = (data: object): Asked[] => [
	...[BASE, ME],
	success('leadMagnet.getAnalytics', { data }),
	success('lead.getAll', page([{ id: UUIDS[0], name: 'Jane Doe', ...data }]), { query }),
];
const valued = (text: string): Asked[] => [
	...[BASE, ME],
	success('activity.getAll', page([{ id: UUIDS[0], source: text, status: text }]), { query }),
	success('lead.getAll', page([{ id: UUIDS[1], qualification_status: text }]), { query }),
];

const PURPOSES: readonly Purpose[] = [
	...(['reading', 'second', 'following', 'byDefault', 'tooMany', 'farBehind'] as const),
	...(['withEmail', 'withoutEmail', 'bySource', 'unknownRecord', 'otherGrant'] as const),
];
const anyRecord = fc.record(
	{
		id: fc.oneof(fc.constantFrom(...UUIDS), fc.jsonValue()),
		status: fc.jsonValue(),
		created_at: fc.oneof(fc.jsonValue(), fc.constantFrom('2026-01-01T00:00:00Z', 1_767_225_600)),
		emails: fc.jsonValue(),
		grant: fc.jsonValue(),
		published_mutation_capabilities: fc.jsonValue(),
	},
	{ requiredKeys: [] },
);
const anyBody = fc.oneof(
	fc.jsonValue(),
	fc.record({ data: anyRecord }),
	fc.record({
		data: fc.array(anyRecord, { maxLength: 4 }),
		pagination: fc.record({ limit: fc.nat(120), offset: fc.nat(3), has_more: fc.boolean() }),
	}),
);
const anyOutcome: fc.Arbitrary<RequestOutcome> = fc.oneof(
	{ weight: 5, arbitrary: anyBody.map((body) => ({ kind: 'success', body }) as const) },
	fc
		.record({
			status: fc.constantFrom(400, 401, 402, 403, 404, 409, 410, 418, 422, 429, 500, 502, 503),
			code: fc.option(fc.string(), { nil: undefined }),
			hasEnvelope: fc.boolean(),
		})
		.map((given) => ({ ...refusal(given.status), ...given })),
	fc.constant({ kind: 'unreadable', status: 200, problem: 'webPage' } as const),
	fc.constant({ kind: 'redirected', status: 302 } as const),
	fc.constant(silent('lost', 'timedOut')),
	fc.constant({ kind: 'unsent', why: 'limit' } as const),
);
const READS = endpointNames.filter((name) => ENDPOINTS[name].method === 'GET');
const anyAsked: fc.Arbitrary<Asked> = fc
	.record({
		name: fc.constantFrom(...READS),
		outcome: anyOutcome,
		purpose: fc.constantFrom(...PURPOSES),
		clientId: fc.option(fc.constantFrom(...UUIDS), { nil: undefined }),
	})
	.map(({ name, outcome, purpose, clientId }) =>
		asked(name, outcome, { purpose, clientId, query, id: UUIDS[0] }),
	);

it('any facts are judged, in words that fit', () => {
	fc.assert(
		fc.property(fc.array(anyAsked, { maxLength: 12 }), fc.boolean(), (those, isAlive) => {
			const items = judged(isAlive ? [BASE, ME, ...those] : those);
			expect(items[0]?.check).toBe('Summary');
			expect(items.filter(({ seen }) => seen.includes('breaks this check'))).toEqual([]);
		}),
		{ numRuns: 300 },
	);
});
