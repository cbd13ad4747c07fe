/**
 * Part 7.2 of the API document, row by row: what is sent and read when the text of a published post is
 * changed, or the post deleted, and what is said in the end. Against a script instead of a service, on
 * a clock that only waiting moves.
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
const publishing = (text: string): JsonRecord => ({ ...post(text), status: 'publishing' });
const changed = { text: 'new' };
const refusal = (reason: string, uncertain = false): ApiFailure =>
	failure(409, { code: 'conflict', reason, uncertain });
const gateway = failure(502, { code: 'upstream_error', uncertain: true });
const notFound = failure(404, { uncertain: false });

interface Play {
	/** How the service answers reads and writes, in turn; the last one again and again. */
	reads: readonly Answer[];
	writes?: readonly Answer[];
	options?: JsonRecord;
	earlier?: Partial<EarlierAttempt>;
	maxWaitMs?: number;
}

/** What was asked, as one text, what came of it, and for how long was waited. */
async function play(
	operation: 'update' | 'delete',
	{ reads, writes = [], options = {}, earlier, maxWaitMs }: Play,
) {
	const item = itemScene(
		{ postId: ID, updateFields: { text: 'new' }, confirmPublished: true, options },
		{ answers: { 'post.get': reads, [`post.${operation}`]: writes }, earlier, maxWaitMs },
	);
	const { run } = operation === 'update' ? update : deletePost;
	const outcome = await run(item.call).catch((error: unknown) => error);
	const asked = item.sent.map(({ name, etag }) =>
		name === 'post.get' ? 'read' : ['send', ...(etag === undefined ? [] : [etag])].join(' '),
	);
	const keys = item.writes().map(({ idempotencyKey }) => idempotencyKey);
	return { asked: asked.join(', '), outcome, keys, said: item.said, waited: item.waited() };
}

interface Expected {
	asked: string;
	/** The record, or what the failure says. */
	record?: JsonRecord;
	found?: RegExp;
	facts?: JsonRecord;
	/** The message of an error that is none of the service. */
	message?: RegExp;
	said?: RegExp;
}

function expectPlayed(
	{ asked, outcome, said }: Awaited<ReturnType<typeof play>>,
	expected: Expected,
): void {
	expect(asked).toBe(expected.asked);
	if (expected.record !== undefined) expect(outcome).toEqual(expected.record);
	else if (expected.message !== undefined) {
		expect(outcome).toBeInstanceOf(InputError);
		expect((outcome as Error).message).toMatch(expected.message);
	} else {
		expect(outcome).toBeInstanceOf(ApiFailure);
		const { facts } = outcome as ApiFailure;
		expect(facts.found ?? '').toMatch(expected.found ?? /^$/);
		expect(facts).toMatchObject(expected.facts ?? {});
	}
	expect(said.join()).toMatch(expected.said ?? /^$/);
}

const NOW_THEIRS = /^Its text is now: "theirs"\.$/;
const RETRY = { onStaleVersion: 'retryWithFreshEtag' };
const stale = refusal('stale_provider_version');
const refreshed = refusal('provider_state_refreshed');
const THERE = /the post has the new text now$/;
const CERTAIN = { uncertain: false, notCarriedOut: true, settled: true };
const UNKNOWN = { uncertain: true, notCarriedOut: false };

describe('a change of the text', () => {
	it.each<[string, Play, Expected]>([
		[
			'is sent once with the etag just read',
			{ reads: [post()], writes: [changed] },
			{ asked: 'read, send v1', record: { id: ID, ...changed } },
		],
		[
			'is sent with the etag that was reviewed',
			{ reads: [post()], writes: [changed], options: { etag: 'mine' } },
			{ asked: 'read, send mine', record: { id: ID, ...changed } },
		],
		[
			'is sent although the text is there, if the user names the version',
			{ reads: [post('new')], writes: [changed], options: { etag: 'mine' } },
			{ asked: 'read, send mine', record: { id: ID, ...changed } },
		],
		[
			'is not sent without an etag',
			{ reads: [post('old', null)] },
			{ asked: 'read', message: /gives no etag/ },
		],
		...[undefined, null, false, 'true', 1].map((can_edit): [string, Play, Expected] => [
			`is not sent where the service says ${String(can_edit)} to it, with a reviewed etag either`,
			{ reads: [post('old', 'v1', { can_edit })], options: { etag: 'mine' } },
			{ asked: 'read', message: /^The published post cannot be edited .* "can_edit" as true/ },
		]),
		[
			'is not sent with a key that may only read',
			{ reads: [post('old', 'v1', { can_edit: false, reason: 'write_forbidden' })] },
			{ asked: 'read', message: /this key may only read it \(write_forbidden\)/ },
		],
		[
			'is not sent for a reason of the service, which is told',
			{ reads: [post('old', 'v1', { can_edit: false, reason: 'odd' })] },
			{ asked: 'read', message: /the service gives the reason odd/ },
		],
		[
			'provider_state_refreshed: shows the text for a review, whatever the option says',
			{ reads: [post(), post('theirs', 'v2')], writes: [refreshed], options: RETRY },
			{
				...{ asked: 'read, send v1, read', found: NOW_THEIRS },
				facts: { serviceDetails: { refreshed_text: 'theirs' } },
			},
		],
		[
			'provider_state_refreshed: of a post that cannot be read',
			{ reads: [post(), notFound], writes: [refreshed] },
			{ asked: 'read, send v1, read', found: /could not be read afterwards/ },
		],
		[
			'provider_state_refreshed after a lost answer: may be its own doing',
			{
				reads: [post(), post('new', 'v2')],
				writes: [refusal('provider_state_refreshed', true)],
			},
			{ asked: 'read, send v1, read', record: post('new', 'v2'), said: THERE },
		],
		[
			'stale_provider_version: stops',
			{ reads: [post(), post('theirs', 'v2')], writes: [stale] },
			{ asked: 'read, send v1, read', found: NOW_THEIRS },
		],
		[
			'stale_provider_version: sends once more with the new etag if told to',
			{ reads: [post(), post('theirs', 'v2')], writes: [stale, changed], options: RETRY },
			{ asked: 'read, send v1, read, send v2', record: { id: ID, ...changed } },
		],
		[
			'stale_provider_version: sends only once more',
			{ reads: [post(), post('a', 'v2'), post('theirs', 'v3')], writes: [stale], options: RETRY },
			{ asked: 'read, send v1, read, send v2, read', found: NOW_THEIRS },
		],
		[
			'stale_provider_version: sends no etag again that is called stale',
			{ reads: [post(), post('theirs')], writes: [stale], options: RETRY },
			{ asked: 'read, send v1, read', found: NOW_THEIRS },
		],
		[
			'stale_provider_version: sends nothing more to a post that cannot be edited',
			{ reads: [post(), busy('theirs')], writes: [stale], options: RETRY },
			{ asked: 'read, send v1, read', message: /cannot be edited at the moment/ },
		],
		[
			'stale_provider_version: sends nothing more to a post that cannot be read',
			{ reads: [post(), notFound], writes: [stale], options: RETRY },
			{ asked: 'read, send v1, read', found: /could not be read/ },
		],
		[
			'stale_provider_version: is a success where the newer version has the text',
			{ reads: [post(), post('new', 'v2')], writes: [stale] },
			{ asked: 'read, send v1, read', record: post('new', 'v2'), said: /newer version/ },
		],
		[
			'stale_provider_version after a lost answer: is not sent over what may be its own doing',
			{
				reads: [post(), post('theirs', 'v2')],
				writes: [refusal('stale_provider_version', true)],
				options: RETRY,
			},
			{ asked: 'read, send v1, read', found: NOW_THEIRS, facts: { uncertain: true } },
		],
		...['mutation_in_progress', 'provider_ambiguous'].flatMap(
			(reason): Array<[string, Play, Expected]> => [
				[
					`${reason}: reads until the post has settled, and reports the new text`,
					{ reads: [post(), busy(), busy('new'), post('new', 'v2')], writes: [refusal(reason)] },
					{ asked: 'read, send v1, read, read, read', record: post('new', 'v2'), said: THERE },
				],
				[
					`${reason}: was certainly not applied where the post has settled with the old text`,
					{ reads: [post(), busy(), post()], writes: [refusal(reason)] },
					{
						asked: 'read, send v1, read, read',
						found: /does not show the new text, .* no sign of a change in progress/,
						facts: CERTAIN,
					},
				],
				[
					`${reason}: has settled where the post has another etag`,
					{ reads: [post(), post('old', 'v2')], writes: [refusal(reason)] },
					{ asked: 'read, send v1, read', found: /does not show the new text/, facts: CERTAIN },
				],
				[
					`${reason}: has not settled where the post shows no etag`,
					{ reads: [post(), post('old', null)], writes: [refusal(reason)], maxWaitMs: 0 },
					{ asked: 'read, send v1, read', found: /had not settled/, facts: UNKNOWN },
				],
				[
					`${reason}: is not taken for settled while the post is being published`,
					{ reads: [post(), publishing('new')], writes: [refusal(reason)], maxWaitMs: 0 },
					{
						asked: 'read, send v1, read',
						found: /shows the new text; .* publishing/,
						facts: UNKNOWN,
					},
				],
				[
					`${reason}: looks once even without time to wait`,
					{ reads: [post(), post('new')], writes: [refusal(reason)], maxWaitMs: 0 },
					{ asked: 'read, send v1, read', record: post('new'), said: THERE },
				],
				[
					`${reason}: survives a read that fails, and ends where the post is gone`,
					{ reads: [post(), gateway, notFound], writes: [refusal(reason)] },
					{ asked: 'read, send v1, read, read', found: /does not exist any more/ },
				],
			],
		),
		...[
			'idempotency_conflict',
			'team_boost_spacing_conflict',
			'provider_attachment_identity_unavailable',
		].map((reason): [string, Play, Expected] => [
			`${reason}: stops, also after a lost answer`,
			{ reads: [post()], writes: [refusal(reason, true)], options: RETRY },
			{ asked: 'read, send v1', facts: { reason } },
		]),
		[
			'any other refusal: stops',
			{ reads: [post()], writes: [refusal('something_new')], options: RETRY },
			{ asked: 'read, send v1', facts: { reason: 'something_new' } },
		],
		...[undefined, 'provider_attachment_mismatch'].map((reason): [string, Play, Expected] => [
			`502 (${reason}) that stays: says what a read shows`,
			{ reads: [post()], writes: [failure(502, { reason })] },
			{
				asked: 'read, send v1, read',
				found: /^A read afterwards does not show the new text; the post is published\.$/,
				facts: { uncertain: true },
			},
		]),
	])('%s', async (_, given, expected) => expectPlayed(await play('update', given), expected));

	it.each<[string, Play, Expected]>([
		[
			'sends nothing if that may only be checked',
			{ reads: [busy(), post('old'), post('new', 'v2')], earlier: { checkOnly: true, etag: 'v1' } },
			{ asked: 'read, read, read', record: post('new', 'v2'), said: THERE },
		],
		[
			'sends nothing while the post cannot be edited',
			{ reads: [busy(), post('old', 'v2')], earlier: { etag: 'v1' } },
			{ asked: 'read, read', found: /does not show the new text/ },
		],
		[
			'sends the request with the same etag otherwise',
			{ reads: [post('old', 'v2')], writes: [changed], earlier: { etag: 'v1' } },
			{ asked: 'read, send v1', record: { id: ID, ...changed } },
		],
		[
			'sends nothing with a fresh etag, as the stale one may be its own doing',
			{ reads: [post(), post('theirs', 'v2')], writes: [stale], options: RETRY, earlier: {} },
			{ asked: 'read, send v1, read', found: NOW_THEIRS },
		],
		[
			'is its success where the refreshed text is the new one',
			{ reads: [post(), post('new', 'v2')], writes: [refreshed], earlier: {} },
			{ asked: 'read, send v1, read', record: post('new', 'v2'), said: THERE },
		],
		[
			'does not take its own text for that of the attempt, which was another',
			{
				reads: [busy(), busy(), post('of then')],
				earlier: { checkOnly: true, etag: 'v1', sent: () => false },
			},
			{
				...{ asked: 'read, read, read', facts: { uncertain: true } },
				found: /does not show the new text; .* The earlier attempt was for other content\.$/,
			},
		],
	])('after an attempt that may have succeeded, %s', async (_, given, expected) =>
		expectPlayed(await play('update', given), expected),
	);

	it('has the etag and the key of an attempt that failed only if it is the same request', async () => {
		for (const [isSame, asked] of [
			[true, 'read, send v0'],
			[false, 'read, send v1'],
		] as const) {
			const earlier = { mayHaveSucceeded: () => false, etag: 'v0', key: 'k', sent: () => isSame };
			expect(await play('update', { reads: [post()], writes: [changed], earlier })).toMatchObject({
				asked,
				keys: [isSame ? 'k' : expect.not.stringMatching(/^k$/)],
			});
		}
	});

	it('has settled where the failure before saw the post busy, and only then', async () => {
		for (const [serviceDetails, isAtRest] of [
			[{ post_status: 'published', can_edit: false }, true],
			[{ post_status: 'published', can_edit: null }, true],
			[{ post_status: 'published', can_edit: true }, false],
			[{ post_status: 'published' }, false],
			[{ can_edit: false }, false],
			[undefined, false],
		] as const) {
			const before = failure(409, { reason: 'mutation_in_progress', serviceDetails });
			const earlier = { checkOnly: true, failure: before };
			const { outcome } = await play('update', { reads: [post()], earlier, maxWaitMs: 0 });
			expect((outcome as ApiFailure).facts).toMatchObject({ settled: isAtRest });
		}
	});

	it('is awaited with growing pauses, of which the last ends with the time', async () => {
		const writes = [refusal('provider_ambiguous')];
		const { asked, waited } = await play('update', { reads: [post(), busy()], writes });
		// 0.5, 1, 2, 4, 8, four times 10 and 4.5 seconds.
		expect([asked.split('read').length - 2, waited]).toEqual([10, 60_000]);
	});

	it('that has not settled tells the state of the post, as far as it is known', async () => {
		const writes = [refusal('provider_ambiguous')];
		const details = async (seen: Answer) => {
			const { outcome } = await play('update', { reads: [post(), seen], writes, maxWaitMs: 0 });
			const { found, serviceDetails } = (outcome as ApiFailure).facts;
			return [found, serviceDetails];
		};
		expect(await details(busy())).toEqual([
			'A read afterwards does not show the new text; the post is published, provider_ambiguous. It had not settled when the waiting ended.',
			{
				...{ post_status: 'published', current_text: 'old', can_edit: false, can_delete: false },
				unavailable_reason: 'provider_ambiguous',
			},
		]);
		expect(await details({ status: 7 })).toEqual([
			expect.stringContaining('the post is in an unknown state.'),
			{
				...{ post_status: 7, current_text: null, can_edit: null, can_delete: null },
				unavailable_reason: null,
			},
		]);
		expect(await details(gateway)).toEqual([
			expect.stringContaining('could not be read afterwards'),
			{ post_status: null },
		]);
	});

	it('shows 200 characters of the text that is there instead', async () => {
		const faces = '😀'.repeat(200);
		for (const [text, shown] of [
			[faces, `"${faces}".`],
			[`${faces}x`, `"${faces}…".`],
		] as const) {
			const { outcome } = await play('update', { reads: [post(), post(text)], writes: [stale] });
			expect((outcome as ApiFailure).facts.found).toBe(`Its text is now: ${shown}`);
		}
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

const IS_GONE = /it is gone now$/;
const deleted = { deleted: true, id: ID };

describe('a deletion', () => {
	it.each<[string, Play, Expected]>([
		['is one request', { reads: [post()], writes: [{}] }, { asked: 'read, send', record: deleted }],
		[
			'is not sent where the service does not allow it',
			{ reads: [post('old', 'v1', { can_delete: false })] },
			{ asked: 'read', message: /^The published post cannot be deleted .* "can_delete" as true/ },
		],
		...['mutation_in_progress', 'provider_ambiguous'].map((reason): [string, Play, Expected] => [
			`${reason}: reads until the post is gone`,
			{ reads: [post(), busy(), gateway, notFound], writes: [refusal(reason)] },
			{ asked: 'read, send, read, read, read', record: deleted, said: IS_GONE },
		]),
		[
			'was certainly not carried out where the post has settled; the details of the service stay',
			{
				reads: [post(), busy(), post()],
				writes: [failure(409, { reason: 'provider_ambiguous', serviceDetails: { a: 1 } })],
			},
			{
				...{ asked: 'read, send, read, read', found: /shows the post still there/ },
				facts: { ...CERTAIN, serviceDetails: { a: 1, post_status: 'published' } },
			},
		],
		[
			'that was sent twice stays unknown even then',
			{
				reads: [post(), busy(), post()],
				writes: [failure(409, { reason: 'provider_ambiguous', attempts: 2 })],
			},
			{ asked: 'read, send, read, read', found: /still there/, facts: UNKNOWN },
		],
		[
			'stays unknown while the post looks as before',
			{ reads: [post()], writes: [refusal('provider_ambiguous')], maxWaitMs: 500 },
			{ asked: 'read, send, read', found: /had not settled/, facts: UNKNOWN },
		],
		[
			'whose answer was lost counts where the post is gone',
			{ reads: [post(), notFound], writes: [gateway] },
			{ asked: 'read, send, read', record: deleted, said: IS_GONE },
		],
		[
			'whose answer was lost stays unknown where it is not',
			{ reads: [post()], writes: [gateway] },
			{ asked: 'read, send, read', found: /could still be read/, facts: { uncertain: true } },
		],
		[
			'stops at a refusal',
			{ reads: [post()], writes: [stale] },
			{ asked: 'read, send', facts: { reason: 'stale_provider_version' } },
		],
		[
			'shows the text that has to be reviewed',
			{ reads: [post(), post('theirs')], writes: [refreshed] },
			{ asked: 'read, send, read', found: NOW_THEIRS },
		],
		[
			'that may only be checked is not sent',
			{ reads: [post(), post(), notFound], earlier: { key: 'k', checkOnly: true } },
			{ asked: 'read, read, read', record: deleted, said: IS_GONE },
		],
	])('%s', async (_, given, expected) => expectPlayed(await play('delete', given), expected));
});
