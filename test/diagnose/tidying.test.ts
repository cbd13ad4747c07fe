/** What a trial has made is found and removed, and counts as gone only if something shows it. */
import type { JsonRecord } from '../../nodes/LeadGenPublishing/api/schemas';
import {
	mayBeMade,
	remove,
	removeFile,
	saysNotFound,
	searchFor,
} from '../../nodes/LeadGenPublishing/diagnose/collect/tidying';
import type { Requests } from '../../nodes/LeadGenPublishing/diagnose/collect/requests';
import type { Asked, RequestOutcome } from '../../nodes/LeadGenPublishing/diagnose/facts';
import { asked, page, refusal, silent } from './facts';

const succeeded = (body: unknown = { data: {} }): RequestOutcome => ({ kind: 'success', body });
const GONE = refusal(404);
const LOST = silent('lost', 'connectionReset');
const UNSENT: RequestOutcome = { kind: 'unsent', why: 'limit' };
const REDIRECTED: RequestOutcome = { kind: 'redirected', status: 302 };
const BAD = { ...refusal(400), code: 'bad_request' };

/** Answers in turn, the last one again and again. There is time for so many pauses. */
function tidying(outcomes: readonly RequestOutcome[], pauses = Infinity) {
	const sent: Array<[string, JsonRecord]> = [];
	const waits: number[] = [];
	const tidier = {
		send: async (name: Asked['name'], { purpose, clientId, ...rest }: Partial<Asked>) => {
			expect([purpose, clientId]).toEqual(['tidying', 'c']);
			const outcome = outcomes[Math.min(sent.length, outcomes.length - 1)] ?? UNSENT;
			sent.push([name, rest]);
			// As the client does, the body of a deletion is only left in the attempt.
			const json = outcome.kind === 'success' ? outcome.body : undefined;
			const attempts = [{ ms: 1, requestId: 'n8n:1', headers: {}, json }];
			return await Promise.resolve(asked(name, outcome, { attempts }));
		},
		wait: async (ms: number) => {
			waits.push(ms);
			return await Promise.resolve(waits.length <= pauses);
		},
	} as unknown as Requests;
	return { of: { clientId: 'c', tidier }, sent, waits, names: () => sent.map(([name]) => name) };
}

it.each<[what: string, outcome: RequestOutcome, may: boolean]>([
	['created', succeeded(), true],
	['without a response', LOST, true],
	['answered by a page', { kind: 'unreadable', status: 200 }, true],
	['failed at the service', refusal(502), true],
	['rejected', refusal(400), false],
	['throttled', refusal(429), false],
	['redirected', REDIRECTED, false],
	['not sent', UNSENT, false],
])('a record whose creation was %s may exist: %p', (_, outcome, may) => {
	expect(mayBeMade(asked('post.create', outcome))).toBe(may);
});

it.each([
	[GONE, true],
	[refusal(410), true],
	[refusal(403), false],
	[LOST, false],
])('%j says that it is not there: %p', (outcome, isGone) => {
	expect(saysNotFound(outcome)).toBe(isGone);
});

describe('a record without a known ID', () => {
	const MARK = 'mark-1';
	const ours = { id: 'ours', notes: `x ${MARK}` };
	const others = (count: number) => Array.from({ length: count }, (_, at) => ({ id: `o${at}` }));
	const search = async (
		lists: ReadonlyArray<readonly object[]>,
		{ creation = succeeded() as RequestOutcome, pauses = Infinity } = {},
	) => {
		const script = tidying(
			lists.map((records) => succeeded(page(records))),
			pauses,
		);
		const mark = { mark: MARK, creation: asked('post.create', creation) };
		const id = await searchFor(script.of, 'post', mark);
		const offsets = script.sent.map(([name, { query }]) => [name, query]);
		return { id, offsets, waits: script.waits };
	};
	const at = (offset: number) => ['post.getAll', { limit: 100, offset }];

	it('is found by its mark, on any of three pages', async () => {
		expect(await search([[...others(3), ours]])).toEqual({
			id: 'ours',
			offsets: [at(0)],
			waits: [],
		});
		expect((await search([others(100), others(100), [ours]])).offsets).toEqual(
			[0, 100, 200].map(at),
		);
		const full = [others(100), others(100), others(100), [ours]];
		expect(await search(full)).toEqual({
			...{ id: 'ours', waits: [1_000] },
			offsets: [0, 100, 200, 0].map(at),
		});
	});

	it('is looked for again after a moment, for longer if no response has come', async () => {
		expect(await search([[]])).toEqual({ offsets: [at(0), at(0)], waits: [1_000] });
		expect((await search([[]], { creation: LOST })).waits).toEqual([1_000, 3_000, 6_000]);
		expect(await search([[], [ours]])).toMatchObject({ id: 'ours' });
		expect(await search([[]], { creation: LOST, pauses: 1 })).toEqual({
			...{ offsets: [at(0), at(0)], waits: [1_000, 3_000] },
		});
	});

	it('is not taken for found by an ID that leads to another path', async () => {
		for (const id of ['a/b', '', undefined])
			expect((await search([[{ ...ours, id }]])).id).toBeUndefined();
	});
});

describe('a record is removed', () => {
	const read = (record: object = { id: 'x' }) => succeeded({ data: record });

	it.each<[what: string, outcomes: RequestOutcome[], rounds: number, isGone: boolean]>([
		['deleted, and not there any more', [succeeded(), GONE], 1, true],
		['deleted, and kept as archived', [succeeded(), read({ status: 'Archived' })], 1, true],
		['deleted, and kept as deleted', [succeeded(), read({ status: 'deleted' })], 1, true],
		['deleted, and unreadable', [succeeded(), refusal(500)], 1, true],
		['not there, and unreadable', [GONE, LOST], 1, true],
		['refused, but not there', [refusal(500), GONE], 1, true],
		['deleted, and still there', [succeeded(), read()], 3, false],
		['deleted at the second attempt', [refusal(500), read(), succeeded(), GONE], 2, true],
		[
			'not found the second time, although it is shown',
			[succeeded(), read(), GONE, read()],
			2,
			true,
		],
		['not found, although it is shown', [GONE, read()], 3, false],
		[
			'refused, then not found, although it is shown',
			[refusal(403), read(), GONE, read()],
			3,
			false,
		],
		['denied, and unreadable', [succeeded({ data: { deleted: false } }), LOST], 3, false],
		['lost, and unreadable', [LOST], 3, false],
	])('%s', async (_, outcomes, rounds, isGone) => {
		const { of, names, waits } = tidying(outcomes);
		const removal = await remove(of, 'post', 'x');
		expect(removal.isGone).toBe(isGone);
		expect(removal.deletions).toHaveLength(rounds);
		expect(removal.look?.name).toBe('post.get');
		const round = ['post.delete', 'post.get'];
		expect(names()).toEqual(Array.from({ length: rounds }, () => round).flat());
		expect(waits).toEqual(Array.from({ length: rounds - 1 }, () => 1_000));
	});

	it('in as many rounds as there is time for', async () => {
		const { of } = tidying([refusal(500), LOST], 1);
		expect(await remove(of, 'leadMagnet', 'x')).toMatchObject({
			isGone: false,
			deletions: [{}, {}],
		});
	});

	it('by its ID, and with a key where one is given', async () => {
		const { of, sent } = tidying([succeeded(), GONE]);
		await remove(of, 'leadMagnet', 'x', 'k');
		expect(sent).toEqual([
			['leadMagnet.archive', { id: 'x', idempotencyKey: 'k' }],
			['leadMagnet.get', { id: 'x' }],
		]);
	});
});

describe('a file is removed', () => {
	const BODY = { body: { path: 'a/b.png' } };
	const QUERY = { query: { path: 'a/b.png' } };
	const denied = (data: unknown) => succeeded({ data });

	it.each<[string, RequestOutcome[], sent: object[], isGone: boolean, deletions?: number]>([
		['at once', [succeeded(undefined)], [BODY], true],
		['because it is not there', [GONE], [BODY], true],
		['by the query, if the body has the wrong shape', [BAD, succeeded()], [BODY, QUERY], true],
		['not, if both have the wrong shape', [BAD, BAD], [BODY, QUERY], false, 1],
		['not, if a proxy rejects it', [{ ...BAD, hasEnvelope: false }], [BODY], false],
		['not, if it is refused', [refusal(403)], [BODY], false],
		['not, if the query is refused', [BAD, refusal(403)], [BODY, QUERY], false],
		['at the third attempt', [LOST, refusal(503), succeeded()], [BODY, BODY, BODY], true],
		['not in three attempts', [LOST], [BODY, BODY, BODY], false],
	])('%s', async (...[, outcomes, requests, isGone, deletions = requests.length]) => {
		const { of, sent } = tidying(outcomes);
		const removal = await removeFile(of, 'a/b.png');
		expect(sent.map(([, request]) => request)).toEqual(requests);
		expect(removal.isGone).toBe(isGone);
		expect(removal.deletions).toHaveLength(deletions);
	});

	it('in as many attempts as there is time for', async () => {
		const { of } = tidying([LOST], 1);
		expect((await removeFile(of, 'x')).deletions).toHaveLength(2);
	});

	it.each([
		[denied({ deleted: false }), true],
		[denied({ deleted: 0 }), true],
		[denied({ deleted: null }), true],
		[denied({ deleted: [] }), true],
		[succeeded({ deleted: false }), true],
		[denied({ deleted: true }), false],
		[denied({ deleted: ['a/b.png'] }), false],
		[denied({}), false],
		[denied('deleted'), false],
		[succeeded('deleted'), false],
	])('unless the response denies it: %j, %p', async (outcome, isDenied) => {
		const { of } = tidying([outcome]);
		expect(await removeFile(of, 'a/b.png')).toMatchObject({ isGone: !isDenied, isDenied });
	});
});
