/**
 * Part 7.2 of the API document, row by row: what is sent and read when the text of a published post is
 * changed, or the post deleted, and what is said in the end. Against a script instead of a service, on
 * a clock that only waiting moves.
 *
 * What is asked stands in a line: `old, v1 → stale, theirs` is a read that shows the old text, a change
 * sent with the etag v1 that is refused as stale, and a read that shows the text of somebody else.
 */
import { ApiFailure, InputError } from '../../nodes/LeadGenPublishing/api/failure';
import type { JsonRecord } from '../../nodes/LeadGenPublishing/api/schemas';
import type { EarlierAttempt } from '../../nodes/LeadGenPublishing/operations/define';
import { deletePost } from '../../nodes/LeadGenPublishing/operations/post/delete';
import { etagOf } from '../../nodes/LeadGenPublishing/operations/post/published/state';
import { update } from '../../nodes/LeadGenPublishing/operations/post/update';
import { failure, ID, itemScene } from './itemScene';

type Answer = JsonRecord | Error;

const post = (text = 'old', etag: unknown = 'v1', more: JsonRecord = {}): JsonRecord => ({
	...{ id: ID, status: 'published', text },
	published_mutation_capabilities: { can_edit: true, can_delete: true, edit_etag: etag, ...more },
});
const busy = (text = 'old'): JsonRecord =>
	post(text, null, { can_edit: false, can_delete: false, reason: 'provider_ambiguous' });
const refusal = (reason: string, more: JsonRecord = {}): ApiFailure =>
	failure(409, { code: 'conflict', reason, uncertain: false, ...more });

/** What a read may show. Any other word is the reason for which the post cannot be changed. */
const SEEN: Readonly<Record<string, Answer>> = {
	...{ old: post(), 'old again': post('old', 'v2'), new: post('new', 'v2') },
	...{ theirs: post('theirs', 'v2'), 'theirs again': post('theirs', 'v3') },
	...{ 'theirs as v1': post('theirs'), 'without etag': post('old', null) },
	...{ busy: busy(), 'busy new': busy('new'), 'busy theirs': busy('theirs') },
	...{ publishing: { ...post('new'), status: 'publishing' }, 'of then': post('of then') },
	...{ gone: failure(404, { uncertain: false }), broken: failure(502, { uncertain: true }) },
};
/** What a change may be answered. Any other word is a reason of part 7.2, "lost" an answer before it. */
const ANSWERED: Readonly<Record<string, Answer>> = {
	...{ ok: { text: 'new' }, 502: failure(502, { code: 'upstream_error', uncertain: true }) },
	stale: refusal('stale_provider_version'),
	refreshed: refusal('provider_state_refreshed'),
	'lost stale': refusal('stale_provider_version', { uncertain: true }),
	'lost refreshed': refusal('provider_state_refreshed', { uncertain: true }),
};
const answerOf = (word: string): Answer =>
	ANSWERED[word] ?? refusal(word.replace('lost ', ''), { uncertain: word.startsWith('lost ') });

interface Given {
	readonly options?: JsonRecord;
	readonly earlier?: Partial<EarlierAttempt>;
	readonly maxWaitMs?: number;
	/** More words for what a read shows, or a change is answered. */
	readonly words?: Readonly<Record<string, Answer>>;
}

interface Expected {
	/** The record, or what the failure says. */
	readonly record?: JsonRecord;
	readonly found?: RegExp;
	readonly facts?: JsonRecord;
	/** The message of an error that is none of the service. */
	readonly message?: RegExp;
	readonly said?: RegExp;
}

type Row = [what: string, asked: string, Expected, Given?];

/** What was asked, what came of it, and for how long was waited. */
async function play(
	operation: 'update' | 'delete',
	asked: string,
	{ options = {}, earlier, maxWaitMs, words = {} }: Given = {},
) {
	const steps = asked.split(', ').map((step) => step.split(' → '));
	const reads = steps.flatMap(([seen = '', answer]) =>
		answer === undefined
			? [words[seen] ?? SEEN[seen] ?? post('old', 'v1', { can_edit: false, reason: seen })]
			: [],
	);
	const writes = steps.flatMap(([, answer]) =>
		answer === undefined ? [] : [words[answer] ?? answerOf(answer)],
	);
	const item = itemScene(
		{ postId: ID, updateFields: { text: 'new' }, confirmPublished: true, options },
		{ answers: { 'post.get': reads, [`post.${operation}`]: writes }, earlier, maxWaitMs },
	);
	const { run } = operation === 'update' ? update : deletePost;
	const outcome = await run(item.call).catch((error: unknown) => error);
	return {
		asked: item.sent.map(({ name, etag = 'deleted' }) => (name === 'post.get' ? 'read' : etag)),
		expected: steps.map(([step, answer]) => (answer === undefined ? 'read' : step)),
		outcome,
		facts: outcome instanceof ApiFailure ? outcome.facts : undefined,
		keys: item.writes().map(({ idempotencyKey }) => idempotencyKey),
		said: item.said,
		waited: item.waited(),
	};
}

const holds =
	(operation: 'update' | 'delete') =>
	async (...[, asked, expected, given]: Row): Promise<void> => {
		const played = await play(operation, asked, given);
		expect(played.asked).toEqual(played.expected);
		if (expected.record !== undefined) expect(played.outcome).toEqual(expected.record);
		else if (expected.message !== undefined) {
			expect(played.outcome).toBeInstanceOf(InputError);
			expect((played.outcome as Error).message).toMatch(expected.message);
		} else {
			expect(played.outcome).toBeInstanceOf(ApiFailure);
			expect(played.facts?.found ?? '').toMatch(expected.found ?? /^$/);
			expect(played.facts).toMatchObject(expected.facts ?? {});
		}
		expect(played.said.join()).toMatch(expected.said ?? /^$/);
	};

const NO_TIME: Given = { maxWaitMs: 0 };
const RETRY: Given = { options: { onStaleVersion: 'retryWithFreshEtag' } };
const REVIEWED: Given = { options: { etag: 'mine' } };
const CERTAIN = { uncertain: false, notCarriedOut: true, settled: true };
const UNKNOWN = { uncertain: true, notCarriedOut: false };
const CHANGED: Expected = { record: { id: ID, text: 'new' } };
const THEIRS: Expected = { found: /^Its text is now: "theirs"\.$/ };
const IS_THERE: Expected = { record: post('new', 'v2'), said: /the post has the new text now$/ };
const NOT_NEW: Expected = { found: /does not show the new text/ };
const UNSETTLED: Expected = { found: /had not settled/, facts: UNKNOWN };
const UNREAD: Expected = { found: /could not be read/ };
const DOUBTFUL: Expected = { ...THEIRS, facts: { uncertain: true } };
const REVIEW: Expected = { ...THEIRS, facts: { serviceDetails: { refreshed_text: 'theirs' } } };
const NO_SIGN = /does not show the new text, .* no sign of a change in progress/;
const SENT_V1 = { etag: 'v1' };
const TO_CHECK = { checkOnly: true, ...SENT_V1 };

describe('a change of the text', () => {
	it.each<Row>([
		['is sent once with the etag just read', 'old, v1 → ok', CHANGED],
		['is sent with the etag that was reviewed', 'old, mine → ok', CHANGED, REVIEWED],
		['is sent though it is there, to a version that is named', 'new, mine → ok', CHANGED, REVIEWED],
		['is not sent without an etag', 'without etag', { message: /gives no etag/ }],
		...[undefined, null, false, 'true', 1].map((can_edit): Row => [
			`is not sent where the service says ${String(can_edit)} to it, with a reviewed etag either`,
			'as it says',
			{ message: /^The published post cannot be edited .* "can_edit" as true/ },
			{ ...REVIEWED, words: { 'as it says': post('old', 'v1', { can_edit }) } },
		]),
		[
			'is not sent with a read-only key',
			'write_forbidden',
			{ message: /key may only read it \(write_/ },
		],
		['is not sent for a reason, which is told', 'odd', { message: /gives the reason odd/ }],
	])('%s', holds('update'));

	it.each<Row>([
		['shows the text for a review in any case', 'old, v1 → refreshed, theirs', REVIEW, RETRY],
		['says if it cannot', 'old, v1 → refreshed, gone', UNREAD],
		['may be its own doing after a lost answer', 'old, v1 → lost refreshed, new', IS_THERE],
	])('provider_state_refreshed: %s', holds('update'));

	it.each<Row>([
		['stops', 'old, v1 → stale, theirs', THEIRS],
		['sends once more if told to', 'old, v1 → stale, theirs, v2 → ok', CHANGED, RETRY],
		['sends only once more', 'old, v1 → stale, theirs, v2 → stale, theirs again', THEIRS, RETRY],
		['sends no etag again that is called stale', 'old, v1 → stale, theirs as v1', THEIRS, RETRY],
		[
			'stops where it cannot be edited',
			'old, v1 → stale, busy theirs',
			{ message: /edited at/ },
			RETRY,
		],
		['sends nothing more if it cannot be read', 'old, v1 → stale, gone', UNREAD, RETRY],
		[
			'is a success where the newer version has the text',
			'old, v1 → stale, new',
			{ record: post('new', 'v2'), said: /newer version/ },
		],
		['stops where it may be its own doing', 'old, v1 → lost stale, theirs', DOUBTFUL, RETRY],
	])('stale_provider_version: %s', holds('update'));

	describe.each(['mutation_in_progress', 'provider_ambiguous'])('%s', (reason) => {
		const sent = `old, v1 → ${reason}`;
		it.each<Row>([
			['reads until the new text has settled', `${sent}, busy, busy new, new`, IS_THERE],
			[
				'has certainly failed once settled',
				`${sent}, busy, old`,
				{ found: NO_SIGN, facts: CERTAIN },
			],
			['has settled with another etag', `${sent}, old again`, { ...NOT_NEW, facts: CERTAIN }],
			['has not settled without an etag', `${sent}, without etag`, UNSETTLED, NO_TIME],
			[
				'is not taken for settled while the post is being published',
				`${sent}, publishing`,
				{ found: /shows the new text; .* publishing/, facts: UNKNOWN },
				NO_TIME,
			],
			['looks once even without time to wait', `${sent}, new`, IS_THERE, NO_TIME],
			['survives a read that fails', `${sent}, broken, gone`, { found: /does not exist any more/ }],
		])('%s', holds('update'));
	});

	it.each<Row>([
		...[
			...['idempotency_conflict', 'team_boost_spacing_conflict', 'something_new'],
			'provider_attachment_identity_unavailable',
		].map((reason): Row => [reason, `old, v1 → ${reason}`, { facts: { reason } }, RETRY]),
		...['idempotency_conflict', 'provider_attachment_identity_unavailable'].map((reason): Row => [
			`${reason} after a loss`,
			`old, v1 → lost ${reason}`,
			{ facts: { reason } },
		]),
	])('%s: stops', holds('update'));

	it.each([undefined, 'provider_attachment_mismatch'])('502 (%s) is read for', async (reason) => {
		const words = { stays: failure(502, { reason }) };
		const found = /^A read afterwards does not show the new text; the post is published\.$/;
		const expected = { found, facts: { uncertain: true } };
		await holds('update')('', 'old, v1 → stays, old', expected, { words });
	});

	it.each<Row>([
		['sends nothing if it may only check', 'busy, old, new', IS_THERE, { earlier: TO_CHECK }],
		['sends nothing while it cannot be edited', 'busy, old again', NOT_NEW, { earlier: SENT_V1 }],
		['sends the same etag otherwise', 'old again, v1 → ok', CHANGED, { earlier: SENT_V1 }],
		['sends no fresh etag', 'old, v1 → stale, theirs', THEIRS, { ...RETRY, earlier: {} }],
		['has succeeded if that is the text', 'old, v1 → refreshed, new', IS_THERE, { earlier: {} }],
		[
			'does not take its own text for that of the attempt, which was another',
			'busy, busy, of then',
			{
				found: /does not show the new text; .* The earlier attempt was for other content\.$/,
				facts: { uncertain: true },
			},
			{ earlier: { checkOnly: true, etag: 'v1', sent: () => false } },
		],
	])('after an attempt that may have succeeded, %s', holds('update'));

	it('has the etag and the key of an attempt that failed only if it is the same request', async () => {
		for (const isSame of [true, false]) {
			const earlier = { mayHaveSucceeded: () => false, etag: 'v0', key: 'k', sent: () => isSame };
			const { asked, keys } = await play('update', 'old, v0 → ok', { earlier });
			expect(asked).toEqual(['read', isSame ? 'v0' : 'v1']);
			expect(keys[0] === 'k').toBe(isSame);
		}
	});

	it.each<[JsonRecord | undefined, boolean]>([
		[{ post_status: 'published', can_edit: false }, true],
		[{ post_status: 'published', can_edit: null }, true],
		[{ post_status: 'published', can_edit: true }, false],
		[{ post_status: 'published' }, false],
		[{ can_edit: false }, false],
		[undefined, false],
	])('has settled only where the failure before saw the post busy: %j', async (seen, settled) => {
		const before = refusal('mutation_in_progress', { serviceDetails: seen });
		const earlier = { checkOnly: true, failure: before };
		const { facts } = await play('update', 'old', { earlier, ...NO_TIME });
		expect(facts).toMatchObject({ settled });
	});

	it('is awaited with growing pauses, of which the last ends with the time', async () => {
		const { asked, waited } = await play('update', 'old, v1 → provider_ambiguous, busy');
		// 0.5, 1, 2, 4, 8, four times 10 and 4.5 seconds.
		expect([asked.length - 2, waited]).toEqual([10, 60_000]);
	});

	const NOTHING = {
		...{ current_text: null, can_edit: null, can_delete: null, unavailable_reason: null },
	};
	it.each<[Answer, string, JsonRecord]>([
		[
			busy(),
			'A read afterwards does not show the new text; the post is published, provider_ambiguous. It had not settled when the waiting ended.',
			{
				...{ post_status: 'published', current_text: 'old', can_edit: false, can_delete: false },
				unavailable_reason: 'provider_ambiguous',
			},
		],
		[{ status: 7 }, 'the post is in an unknown state.', { ...NOTHING, post_status: 7 }],
		[failure(502), 'could not be read afterwards', { post_status: null }],
	])('that has not settled tells what is known of the post: %j', async (seen, told, details) => {
		const given = { ...NO_TIME, words: { seen } };
		const { facts } = await play('update', 'old, v1 → provider_ambiguous, seen', given);
		expect(facts?.found).toContain(told);
		expect(facts?.serviceDetails).toEqual(details);
	});

	const FACES = '😀'.repeat(200);
	it.each([
		[FACES, `"${FACES}".`],
		[`${FACES}x`, `"${FACES}…".`],
	])('shows 200 characters of the text that is there instead', async (text, shown) => {
		const { facts } = await play('update', 'old, v1 → stale, it', { words: { it: post(text) } });
		expect(facts?.found).toBe(`Its text is now: ${shown}`);
	});
});

it.each<[string, JsonRecord, JsonRecord, string | undefined]>([
	['that of the capabilities before that of the post', { etag: 'a' }, { edit_etag: 'b' }, 'a'],
	['one for editing, wherever it stands', { etag: 'a', editEtag: 'b' }, {}, 'b'],
	['the first of several', { etag: 'a', post_etag: 'b' }, {}, 'a'],
	['never one for deleting', { delete_etag: 'a', deletion_etag: 'c' }, { etag: 'b' }, 'b'],
	['not even one for deleting alone', { edit_delete_etag: 'a' }, { deleteETag: 'b' }, undefined],
	['one of the post where the capabilities have an empty one', { etag: '' }, { eTag: 'b' }, 'b'],
	['a number as its digits', { edit_etag: 17 }, { etag: 'b' }, '17'],
	['nothing that is no etag', { etag: null, edit_etag: ['x'] }, { etag: true }, undefined],
	['nothing whose name is another one', { version: 'a', tag: 'b' }, { edit: 'c' }, undefined],
])('of several etags takes %s', (_, capabilities, about, expected) => {
	expect(etagOf({ ...about, published_mutation_capabilities: capabilities })).toBe(expected);
});

describe('a deletion', () => {
	const DELETED: Expected = { record: { deleted: true, id: ID } };
	const IS_GONE: Expected = { ...DELETED, said: /it is gone now$/ };
	const THERE: Expected = { found: /still there/, facts: UNKNOWN };
	const STILL_READ: Expected = { found: /could still be read/, facts: { uncertain: true } };
	const unsure = (more: JsonRecord): Given => ({
		words: { unsure: failure(409, { reason: 'provider_ambiguous', ...more }) },
	});

	it.each<Row>([
		['is one request', 'old, deleted → ok', DELETED],
		...['mutation_in_progress', 'provider_ambiguous'].map((reason): Row => [
			`${reason}: reads until the post is gone`,
			`old, deleted → ${reason}, busy, broken, gone`,
			IS_GONE,
		]),
		[
			'was certainly not carried out where the post has settled; the details of the service stay',
			'old, deleted → unsure, busy, old',
			{
				found: /shows the post still there/,
				facts: { ...CERTAIN, serviceDetails: { a: 1, post_status: 'published' } },
			},
			unsure({ serviceDetails: { a: 1 } }),
		],
		[
			'is unknown if sent twice',
			'old, deleted → unsure, busy, old',
			THERE,
			unsure({ attempts: 2 }),
		],
		[
			'is unknown at first',
			'old, deleted → provider_ambiguous, old',
			UNSETTLED,
			{ maxWaitMs: 500 },
		],
		['whose answer was lost counts where it is gone', 'old, deleted → 502, gone', IS_GONE],
		['whose answer was lost is unknown where it is not', 'old, deleted → 502, old', STILL_READ],
		['stops at a refusal', 'old, deleted → stale', { facts: { reason: 'stale_provider_version' } }],
		['shows the text that has to be reviewed', 'old, deleted → refreshed, theirs', THEIRS],
	])('%s', holds('delete'));
});
