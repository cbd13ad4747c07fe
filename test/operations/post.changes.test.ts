/**
 * An update or a deletion of a post: what is sent and read, and what is said in the end. Part 7.2 of
 * the API document stands here row by row. Against a script instead of a service, on a clock that only
 * waiting moves.
 *
 * What is asked stands in a line: `old, v1 → stale, theirs` is a read that shows the old text, a change
 * sent with the etag v1 that is refused as stale, and a read that shows the text of somebody else.
 * `plain` is a change without an etag.
 */
import { ApiFailure, InputError } from '../../nodes/LeadGenPublishing/api/failure';
import { keyFrom } from '../../nodes/LeadGenPublishing/api/identifiers';
import type { JsonRecord } from '../../nodes/LeadGenPublishing/api/schemas';
import { requestOf } from '../../nodes/LeadGenPublishing/item/itemCall';
import { deletePost } from '../../nodes/LeadGenPublishing/operations/post/delete';
import { etagOf } from '../../nodes/LeadGenPublishing/records/capabilities';
import { updatePost } from '../../nodes/LeadGenPublishing/operations/post/update';
import { failure, ID, itemOf, NOW, type Earlier } from './itemScene';

type Answer = JsonRecord | Error;
type Words<Meaning> = Readonly<Record<string, Meaning>>;

const post = (text = 'old', etag: unknown = 'v1', more: JsonRecord = {}): JsonRecord => ({
	...{ id: ID, status: 'published', text },
	published_mutation_capabilities: { can_edit: true, can_delete: true, edit_etag: etag, ...more },
});
const draft = (more: JsonRecord = {}): JsonRecord => ({
	...{ id: ID, status: 'draft', text: 'old' },
	...more,
});
const busy = (text = 'old'): JsonRecord =>
	post(text, null, { can_edit: false, can_delete: false, reason: 'provider_ambiguous' });
const refusal = (reason: string, more: JsonRecord = {}): ApiFailure =>
	failure(409, { code: 'conflict', reason, uncertain: false, ...more });

/** What a read may show. A number is that of a failure, any other word why the post cannot be changed. */
const SEEN: Words<Answer> = {
	...{ old: post(), 'old again': post('old', 'v2'), new: post('new', 'v2') },
	...{ theirs: post('theirs', 'v2'), 'theirs again': post('theirs', 'v3') },
	...{ 'theirs as v1': post('theirs'), 'without etag': post('old', null) },
	...{ busy: busy(), 'busy new': busy('new'), 'busy theirs': busy('theirs') },
	...{ publishing: { ...post('new'), status: 'publishing' }, 'of then': post('of then') },
	// The 404 of something in front of the service says nothing of the post.
	proxy: failure(404, { problem: 'webPage', uncertain: false }),
	...{ gone: failure(404, { uncertain: false }), broken: failure(502, { uncertain: true }) },
	nothing: { status: 7 },
	...{ draft: draft(), 'new draft': draft({ text: 'new' }), unknown: { id: ID, text: 'old' } },
	...{ scheduled: draft({ status: 'scheduled' }), live: { id: ID, status: 'live' } },
	...{ odd: draft({ status: 'odd' }), 'draft going out': draft({ status: 'publishing' }) },
	'of no status': { ...post(), status: undefined },
	...{
		protected: post('old', 'v1', { can_delete: null }),
		locked: post('old', 'v1', { can_delete: false }),
	},
	...{ pending: post('old', 'v1', { reason: 'pending' }), 'new trimmed': post(' new\r\n', 'v2') },
	'can_edit undefined': post('old', 'v1', { can_edit: undefined }),
	'can_edit true': post('old', 'v1', { can_edit: 'true' }),
	'can_edit 1': post('old', 'v1', { can_edit: 1 }),
};
/** What a change may be answered. Any other word is a reason of part 7.2, "lost" an answer before it. */
const ANSWERED: Words<Answer> = {
	...{ ok: { text: 'new' }, gone: failure(404, { uncertain: false }) },
	502: failure(502, { code: 'upstream_error', uncertain: true }),
	'502 mismatch': failure(502, { reason: 'provider_attachment_mismatch' }),
	stale: refusal('stale_provider_version'),
	refreshed: refusal('provider_state_refreshed'),
	'lost stale': refusal('stale_provider_version', { uncertain: true }),
	'lost refreshed': refusal('provider_state_refreshed', { uncertain: true }),
	'lost 409': failure(409, { uncertain: true }),
	unsure: refusal('provider_ambiguous', { serviceDetails: { a: 1 } }),
	'unsure twice': refusal('provider_ambiguous', { attempts: 2 }),
};
const isNumber = (word: string) => /^\d+$/.test(word);
const seen = (word: string): Answer =>
	SEEN[word] ??
	(isNumber(word) ? failure(Number(word)) : post('old', 'v1', { can_edit: false, reason: word }));
const answered = (word: string): Answer =>
	ANSWERED[word] ??
	(isNumber(word)
		? failure(Number(word))
		: refusal(word.replace('lost ', ''), { uncertain: word.startsWith('lost ') }));

interface Given {
	readonly fields?: JsonRecord;
	readonly options?: JsonRecord;
	readonly isConfirmed?: boolean;
	readonly earlier?: Earlier;
	/** Whether the earlier attempt has sent another change. */
	readonly wasOther?: boolean;
	readonly maxWaitMs?: number;
	/** More words for what a read shows, or a change is answered. */
	readonly words?: Words<Answer>;
	/** Continued after an attempt without a key. */
	readonly isResumed?: boolean;
}
const stated = (currentStatus: string): Given => ({ options: { currentStatus } });
const before = (earlier: Earlier): Given => ({ earlier });
const FAILED = { kind: 'notDone' } as const;
const sent = (request: Earlier['request']): Given => before({ request });
const GIVEN: Words<Given> = {
	'no time': { maxWaitMs: 0 },
	'half a second': { maxWaitMs: 500 },
	retry: { options: { onStaleVersion: 'retryWithFreshEtag' } },
	reviewed: { options: { etag: 'mine' } },
	unconfirmed: { isConfirmed: false },
	...{ 'told draft': stated('draft'), 'told scheduled': stated('scheduled') },
	...{ 'told published': stated('published'), 'told read': stated('read') },
	...{ theme: { fields: { themeId: 'a' } }, notes: { fields: { notes: 'a' } } },
	...{ tried: before({}), 'tried and failed': before({ request: { key: 'k' }, ...FAILED }) },
	...{ 'tried with v1': sent({ etag: 'v1' }), 'tried with a key': sent({ key: 'k' }) },
	'only to check': before({ checkOnly: true, request: { etag: 'v1', key: 'k' } }),
	'only to check another text': {
		...before({ checkOnly: true, request: { etag: 'v1' } }),
		wasOther: true,
	},
	resumed: { isResumed: true, earlier: { failure: failure(502, { requestId: 'req_1' }) } },
	'resumed without an attempt': { isResumed: true },
};

/** With the fingerprint of the very change that is sent now, unless it was another one. */
function earlierOf({ earlier, wasOther }: Given, fields: JsonRecord): Earlier | undefined {
	if (earlier === undefined || wasOther) return earlier;
	const { etag, key } = earlier.request ?? {};
	const body = Object.fromEntries(
		Object.entries(fields).map(([name, value]) => [name.replace('Id', '_id'), value]),
	);
	const options = { params: { id: ID }, body, etag, idempotencyKey: key };
	const same = requestOf({ accountId: 'own' }, 'post.update', options);
	return { ...earlier, request: { ...same, ...earlier.request } };
}

/** What was asked, what came of it, and for how long was waited. */
async function play(operation: 'update' | 'delete', asked: string, given: Given = {}) {
	const { fields = { text: 'new' }, options = {}, words = {}, isConfirmed = true } = given;
	const steps = asked.split(', ').map((step) => step.split(' → '));
	const reads = steps.flatMap(([word = '', answer]) =>
		answer === undefined ? [words[word] ?? seen(word)] : [],
	);
	const writes = steps.flatMap(([, word]) =>
		word === undefined ? [] : [words[word] ?? answered(word)],
	);
	const item = itemOf(
		operation === 'update' ? updatePost : deletePost,
		{ postId: ID, updateFields: fields, options, confirmPublished: isConfirmed },
		{
			answers: { 'post.get': reads, [`post.${operation}`]: writes },
			...{ earlier: earlierOf(given, fields), maxWaitMs: given.maxWaitMs },
		},
	);
	const outcome: unknown = await (given.isResumed ? item.resume() : item.run()).catch(
		(error: unknown) => error,
	);
	return {
		...item,
		asked: item.sent.map(({ name, etag = 'plain' }) => (name === 'post.get' ? 'read' : etag)),
		expected: steps.map(([step, answer]) => (answer === undefined ? 'read' : step)),
		outcome,
		facts: outcome instanceof ApiFailure ? outcome.facts : undefined,
		keys: item.writes().map(({ idempotencyKey }) => idempotencyKey),
		waited: item.waited(),
	};
}

const DELETED = { deleted: true, id: ID };
/** A record, and what is said beside it. In a row, an error stands as an expression. */
const RECORDS: Words<readonly [JsonRecord, RegExp]> = {
	changed: [{ id: ID, text: 'new' }, /^$/],
	'is there': [post('new', 'v2'), /The post now has the new text\.$/],
	'is newer': [post('new', 'v2'), /newer version/],
	'shows all': [
		draft({ text: 'new' }),
		/^The response to an update of a post was lost, but a later read shows all new values\.$/,
	],
	deleted: [DELETED, /^$/],
	'is gone': [DELETED, /^The service first reported an unclear result. The post is now deleted$/],
	'is gone after a loss': [DELETED, /The post is now deleted$/],
};
/** In a line; below it what to do, and the details. */
function told(outcome: unknown): string[] {
	if (outcome instanceof InputError) {
		const { message, remedy, details } = outcome;
		return [`InputError: ${message}`, remedy, JSON.stringify(details)];
	}
	if (!(outcome instanceof ApiFailure)) return [JSON.stringify(outcome)];
	const { found = '', uncertain, notCarriedOut, settled, serviceDetails } = outcome.facts;
	const { status, reason = '', postStatusNow } = outcome.facts;
	const now = postStatusNow === undefined ? '' : ` now ${postStatusNow}`;
	const [is, was] = [
		uncertain ? 'uncertain' : 'certain',
		notCarriedOut ? 'not carried out' : 'open',
	];
	const flags = `${is}, ${was}${settled ? ', settled' : ''}`;
	return [
		`${found} (${flags}) ${status} ${reason}`.trim() + now,
		JSON.stringify(serviceDetails) ?? '',
	];
}

async function holds(operation: 'update' | 'delete', row: readonly string[]) {
	const [, given = '', asked = '', outcome = ''] = row;
	const words = given === '' ? [] : given.split(', ');
	expect(words.filter((word) => !(word in GIVEN))).toEqual([]);
	const all = words.map((word) => GIVEN[word]);
	const options = Object.assign({}, ...all.map((one) => one?.options)) as JsonRecord;
	const played = await play(operation, asked, { ...(Object.assign({}, ...all) as Given), options });
	expect(played.asked).toEqual(played.expected);
	const [record, said] = RECORDS[outcome] ?? [undefined, /^$/];
	if (record === undefined) {
		const [inShort, ...details] = told(played.outcome);
		// Of one that nothing is added to, its status and reason.
		expect(inShort).toMatch(
			RegExp(/^\/(.*)\/$/.exec(outcome)?.[1] ?? `^\\([^)]*\\) (\\d+ )?${outcome}$`),
		);
		expect([inShort, ...details].join('\n')).toMatchSnapshot();
	} else expect(played.outcome).toEqual(record);
	expect(played.said.join()).toMatch(said);
	// What an earlier attempt has left open is settled by what a read shows.
	if (outcome === 'shows all') expect(played.timesSettled()).toBe(1);
}
const rowsOf = (table: string): string[][] =>
	table
		.trim()
		.split('\n')
		.map((row) => row.split('|').map((cell) => cell.trim()));

const UPDATES = String.raw`
is sent once with the etag just read | | old, v1 → ok | changed
is sent with the etag that was reviewed | reviewed | old, mine → ok | changed
is sent though it is there, to a version that is named | reviewed | new, mine → ok | changed
is not sent without an etag | | without etag | /^InputError: .*not return an ETag/
is not sent with a read-only key | | write_forbidden | /^InputError: .*key may only read it \(write_/
is not sent for a reason, which is told | | strange | /^InputError: .*gives the reason strange/
is not sent where the service says nothing of it, with a reviewed etag either | reviewed | can_edit undefined | /^InputError: The published post cannot be edited .* "can_edit" as true/
is not sent where it says 1 | reviewed | can_edit 1 | /^InputError: The published post cannot be edited .* "can_edit" as true/
is not sent where it says "true" | reviewed | can_edit true | /^InputError: The published post cannot be edited .* "can_edit" as true/
refused as refreshed: shows the text for a review in any case | retry | old, v1 → refreshed, theirs | /^Its text is now: "theirs"\. \(/
refused as refreshed: says if it cannot | | old, v1 → refreshed, gone | /could not be read/
refused as refreshed: may be its own doing after a lost answer | | old, v1 → lost refreshed, new | is there
refused as stale: stops | | old, v1 → stale, theirs | /^Its text is now: "theirs"\. \(/
refused as stale: is sent once more if told to | retry | old, v1 → stale, theirs, v2 → ok | changed
refused as stale: is sent only once more | retry | old, v1 → stale, theirs, v2 → stale, theirs again | /^Its text is now: "theirs"\. \(/
refused as stale: sends no etag again that is called stale | retry | old, v1 → stale, theirs as v1 | /^Its text is now: "theirs"\. \(/
refused as stale: stops where it cannot be edited | retry | old, v1 → stale, busy theirs | /^InputError: .*edited at the moment/
refused as stale: sends nothing more if it cannot be read | retry | old, v1 → stale, gone | /could not be read/
refused as stale: is a success where the newer version has the text | | old, v1 → stale, new | is newer
refused as stale: stops where it may be its own doing | retry | old, v1 → lost stale, theirs | /^Its text is now: "theirs"\. \(uncertain/
in progress: is read until the new text has settled | | old, v1 → mutation_in_progress, busy, busy new, new | is there
in progress: has certainly failed once settled | | old, v1 → mutation_in_progress, busy, old | /shows neither the new text nor a change in progress.*\(certain, not carried out, s/
in progress: has settled with another etag | | old, v1 → mutation_in_progress, old again | /shows neither the new text nor.*\(certain, not carried out, settled/
in progress: has not settled without an etag | no time | old, v1 → mutation_in_progress, without etag | /had not settled.*\(uncertain, open/
in progress: has not settled while the post is being published | no time | old, v1 → mutation_in_progress, publishing | /shows the new text\. .* publishing.*\(uncertain, open/
in progress: says what is known of a post of no known state | no time | old, v1 → mutation_in_progress, nothing | /The post is in an unknown state\. The post had not settled/
in progress: says that it cannot be read any more | no time | old, v1 → mutation_in_progress, 502 | /^The post could not be read afterwards/
in progress: looks once even without time to wait | no time | old, v1 → mutation_in_progress, new | is there
in progress: survives a read that fails | | old, v1 → mutation_in_progress, broken, gone | /does not exist any more/
ambiguous: is read until the new text has settled | | old, v1 → provider_ambiguous, busy, busy new, new | is there
refused for its key after a loss: stops | | old, v1 → lost idempotency_conflict | idempotency_conflict
answered by 502 is read for | | old, v1 → 502, old | /^A later read does not show the new text\. The post is published\. \(unc/
answered by 502 for its media is read for | | old, v1 → 502 mismatch, old | /^A later read does not show the new text\. The post is published\. \(unc/
after an attempt that may have succeeded, only checks where it may do nothing else | only to check | busy, old, new | is there
after such an attempt, sends nothing while it cannot be edited | tried with v1 | busy, old again | /shows neither the new text nor/
after such an attempt, sends the same etag otherwise | tried with v1 | old again, v1 → ok | changed
after such an attempt, sends no fresh etag | retry, tried | old, v1 → stale, theirs | /^Its text is now: "theirs"\. \(/
after such an attempt, has succeeded if that is the text | tried | old, v1 → refreshed, new | is there
after such an attempt with another text, does not take its own for that | only to check another text | busy, busy, of then | /not show the new text\. .* attempt had different content\. \(uncertain/
without a key, after an attempt whose answer was lost, is confirmed by a read | resumed | new draft | shows all
without a key, after such an attempt, fails as before where a read does not show it | resumed | draft | /^A later read did not show the new text\. The update may still be in progress\. .* 502/
without a key, and without such an attempt, is sent like any other | resumed without an attempt | draft, plain → ok | changed
of a draft that the user tells saves the read | told draft | plain → ok | changed
of a scheduled post that the user tells saves it, too | told scheduled | plain → ok | changed
of the theme of a published post that the user tells saves it, too | told published, theme | plain → ok | changed
of the text of a published post that the user tells does not | told published | old, v1 → ok | changed
of the notes of a published post that the user tells does not | told published, notes | old, plain → ok | changed
does not save the read where the user wants it | told read | old, v1 → ok | changed
of notes reads the draft | told draft, notes | draft, plain → ok | changed
of notes reads the scheduled post | told scheduled, notes | scheduled, plain → ok | changed
of notes reads the scheduled post, which may have become a draft | told scheduled, notes | draft, plain → ok | changed
of what is published, told where no status is shown, goes the guarded way | told published | unknown | /^InputError: .*edited at the moment/
not read before, refused by 400: the status may be the cause | told scheduled, theme | plain → 400 | /^The node did not read the post first, because "Current Status" says that it is scheduled\. If it is not, set "Current Status" to "Read From Service"\. \(/
not read before, refused by 409: the status may be the cause | told scheduled, theme | plain → 409 | /^The node did not read the post first, because "Current Status" says that it is scheduled\. If it is not, set "Current Status" to "Read From Service"\. \(/
not read before, refused for a reason: that is the cause | told scheduled, theme | plain → odd_reason | 409 odd_reason
not read before, refused by 403: the status is not the cause | told scheduled, theme | plain → 403 | 403
read before, refused by 400: is read again, and the status is not the cause | theme | draft, plain → 400, draft | 400
read before, refused by 409: is read again, and the status is not the cause | theme | scheduled, plain → 409, scheduled | 409
read before, refused by 400: is read again, and that cannot be told | theme | draft, plain → 400, broken | 400
read before, refused by 400: was published meanwhile | theme | scheduled, plain → 400, old | 400 now published
read before, refused by 409: was published meanwhile | theme | draft, plain → 409, old | 409 now published
read before, refused by 409: is being published | theme | scheduled, plain → 409, publishing | 409 now publishing
read before, refused for a reason: that is the cause | theme | draft, plain → odd_reason | 409 odd_reason
read before, refused by 403: the status is not the cause | theme | draft, plain → 403 | 403
is not sent while the post is being published | | draft going out | /^InputError: .*being published right now/
`;
describe('an update', () => {
	it.each(rowsOf(UPDATES))('%s', async (...row) => await holds('update', row));
});

const DELETIONS = String.raw`
of a draft needs neither a key nor a confirmation | unconfirmed | draft, plain → ok | deleted
of a scheduled post needs neither, too | unconfirmed | scheduled, plain → ok | deleted
of a published post is one request | | old, plain → ok | deleted
of a post of another status is left to the service, if a person wants it | | live, plain → ok | deleted
of a published post stays without consent | unconfirmed | old | /^InputError: .*and "Delete Even If Published" is not true/
of a post of no status stays without consent | unconfirmed | unknown | /^InputError: .*has the status "undefined", so it may be/
of a post that is being published stays | | publishing | /^InputError: .*being published right now/
of a published post that is protected stays | | protected | /^InputError: .*cannot be deleted at the moment/
of a post of no status stays where the service does not allow it | | unknown | /^InputError: .*cannot be deleted at the moment/
in progress reads until the post is gone | | old, plain → mutation_in_progress, busy, broken, gone | is gone
of which the service is not sure reads until the post is gone | | old, plain → provider_ambiguous, busy, broken, gone | is gone
was certainly not carried out where the post has settled | | old, plain → unsure, busy, old | /still shows the post.*\(certain, not carried out, settled/
is unknown if it was sent twice | | old, plain → unsure twice, busy, old | /still shows the post.*\(uncertain, open/
is unknown at first | half a second | old, plain → provider_ambiguous, old | /had not settled.*\(uncertain, open/
whose answer was lost counts where the post is gone | | old, plain → 502, gone | is gone after a loss
whose answer was lost is unknown where it is not | | old, plain → 502, old | /could still be read.*\(uncertain/
stops at a refusal | | old, plain → stale | 409 stale_provider_version
refused as refreshed shows the text that has to be reviewed | | old, plain → refreshed, theirs | /^Its text is now: "theirs"\. \(/
of a post that is not found fails | | gone | 404
of a post that is not found counts if it was tried before | tried with a key | gone | deleted
of a post that is not found fails if it certainly failed before | tried and failed | gone | 404
of a post that may not be read is sent without a key | unconfirmed | 403, plain → ok | deleted
of a post that may not be read fails if a published one might be meant | | 403 | 403
of a post that cannot be read fails | unconfirmed | 502 | 502
of a draft counts if it is gone after a lost answer | | draft, plain → 502, gone | deleted
of a draft is in doubt if it is there after a lost answer | | draft, plain → 502, draft | /^The post could still be read afterwards\. Its deletion may still be .*\(uncertain/
of a draft is in doubt if it cannot be read after a lost answer | | draft, plain → 502, 403 | /^The post could not be read afterwards\. Its deletion may still be .*\(uncertain/
of a draft is in doubt if a proxy says that it is gone | | draft, plain → 502, proxy | /^The post could not be read afterwards\. Its deletion may still be .*\(uncertain/
of a post is in doubt if a proxy says that it is gone | | old, plain → 502, proxy | /could still be read.*\(uncertain/
of a post that a proxy does not find fails, though it was tried before | tried with a key | proxy | 404
of a draft counts if it is not found where it was tried before | tried with a key | draft, plain → gone, gone | deleted
of a draft counts then if it cannot be read | tried with a key | draft, plain → gone, 403 | deleted
of a draft is in doubt then if it can be read | tried with a key | draft, plain → gone, draft | /^The post could still be read afterwards\. Its deletion may still be .*\(uncertain/
of a draft that is refused looks for nothing | | draft, plain → gone | 404
of a scheduled post that was published meanwhile says so | unconfirmed | scheduled, plain → 409, old | 409 now published
of a draft that is refused by 400 is read again | | draft, plain → 400, draft | 400
that may have been carried out only reads where it has to be checked | only to check | old, old, gone | is gone
that may have been carried out only reads where the post cannot be deleted now | tried with a key | locked, locked, gone | is gone
that may have been carried out only reads while the post is changed | tried with a key | pending, pending, gone | is gone
is refused like any other where the attempt before had no key | tried | locked | /^InputError: .*cannot be deleted at the moment/
is refused like any other where the attempt before certainly failed | tried and failed | locked | /^InputError: .*cannot be deleted at the moment/
`;
describe('a deletion', () => {
	it.each(rowsOf(DELETIONS))('%s', async (...row) => await holds('delete', row));

	it.each<[string, string, Given, unknown]>([
		['a draft has none', 'draft, plain → ok', { isConfirmed: false }, undefined],
		['a post that cannot be read has none', '403, plain → ok', { isConfirmed: false }, undefined],
		['a published post has one of its own', 'old, plain → ok', {}, keyFrom('stable', 'delete', ID)],
		['so has one of another status', 'live, plain → ok', {}, keyFrom('stable', 'delete', ID)],
		['the user may give it', 'old, plain → ok', { options: { idempotencyKey: 'mine' } }, 'mine'],
		['that of an earlier attempt is sent again', 'old, plain → ok', sent({ key: 'k' }), 'k'],
	])('and its key: %s', async (_, asked, given, key) => {
		expect((await play('delete', asked, given)).keys).toEqual([key]);
	});
});

describe('an update of a published post', () => {
	const KEY = (etag: string, body: JsonRecord) =>
		keyFrom('stable', 'update', ID, etag, JSON.stringify(body));
	const MINE = { idempotencyKey: 'mine' };

	it('has a key made of the whole request', async () => {
		const fields = { text: 'new', notes: 'n' };
		const { writes } = await play('update', 'old, v1 → ok', { fields });
		expect(writes()).toEqual([
			{
				...{ name: 'post.update', params: { id: ID }, body: fields, etag: 'v1' },
				idempotencyKey: KEY('v1', fields),
			},
		]);
	});

	it('does not send a text that is there, but what else has changed, with a key of its own', async () => {
		const there = await play('update', 'new');
		expect(there.outcome).toEqual(SEEN.new);
		expect(there.said).toEqual([
			'A published post already had the wanted text, so its text was not sent again.',
		]);
		const fields = { text: 'new', notes: 'n' };
		const { writes } = await play('update', 'new, plain → ok', { fields, options: MINE });
		expect(writes()).toEqual([
			{
				...{ name: 'post.update', params: { id: ID }, body: { notes: 'n' } },
				idempotencyKey: keyFrom('mine', '{"notes":"n"}'),
			},
		]);
	});

	it('has a key of its own for the newer version', async () => {
		const options = { onStaleVersion: 'retryWithFreshEtag', ...MINE };
		const { keys } = await play('update', 'old, v1 → stale, theirs, v2 → ok', { options });
		expect(keys).toEqual(['mine', keyFrom('mine', 'v2')]);
	});

	it('whose text a read has confirmed sends what else is missing', async () => {
		const words = { seen: { ...post('new', 'v2'), theme_id: 'th', images: [] } };
		const fields = { text: 'new', themeId: 'th', notes: 'n' };
		const asked = 'old, v1 → provider_ambiguous, seen';
		const item = await play('update', `${asked}, plain → ok`, { fields, words });
		expect(item.writes()[1]).toMatchObject({
			body: { notes: 'n' },
			idempotencyKey: keyFrom(keyFrom('stable', 'update', ID, '{"notes":"n"}'), '{"notes":"n"}'),
		});
		expect(item.said).toEqual([expect.stringContaining('The post now has the new text')]);
		const whole = await play('update', asked, { fields: { text: 'new', themeId: 'th' }, words });
		expect(whole.asked).toEqual(whole.expected);
		expect(whole.outcome).toEqual(words.seen);
	});

	it('has the etag and the key of an attempt that failed only if it is the same request', async () => {
		for (const isSame of [true, false]) {
			const earlier = { ...FAILED, request: { etag: 'v0', key: 'k' } };
			const given = { earlier, wasOther: !isSame };
			const { asked, keys } = await play('update', 'old, v0 → ok', given);
			expect(asked).toEqual(['read', isSame ? 'v0' : 'v1']);
			expect(keys[0] === 'k').toBe(isSame);
		}
	});

	it('has a key of its own where an earlier attempt may have succeeded with another version', async () => {
		const given = { options: { etag: 'v3' }, ...sent({ key: 'key of then' }) };
		const { keys } = await play('update', 'old again, v3 → ok', given);
		expect(keys).toEqual([KEY('v3', { text: 'new' })]);
	});

	it('settles an earlier attempt whose text the post shows', async () => {
		const given = { options: { etag: 'v1' }, ...sent({ etag: 'v1', key: 'k' }) };
		const item = await play('update', 'new trimmed', given);
		expect([item.asked, item.timesSettled()]).toEqual([['read'], 1]);
	});

	it.each<[string, Earlier, string]>([
		[
			'are confirmed where an earlier attempt may only be checked',
			{ checkOnly: true },
			'themed, themed',
		],
		['are sent where it may be repeated', { checkOnly: false }, 'themed, plain → ok'],
		['are sent where it failed', { checkOnly: true, ...FAILED }, 'themed, plain → ok'],
	])('other fields %s', async (_, earlier, asked) => {
		const words = { themed: { ...post(), theme_id: 'a' } };
		const given = {
			fields: { themeId: 'a' },
			words,
			...before({ request: { key: 'k' }, ...earlier }),
		};
		const item = await play('update', asked, given);
		expect(item.asked).toEqual(item.expected);
		expect(item.keys).toEqual(
			item.keys.map(() => keyFrom('stable', 'update', ID, '{"theme_id":"a"}')),
		);
		if (item.keys.length === 0)
			expect([item.outcome, item.timesSettled()]).toEqual([words.themed, 1]);
	});

	it.each([
		[{ images: 'a', documentType: 'image' }, 'Images'],
		[{ documentUrl: 'b', documentType: 'image' }, 'Document URL'],
		[{ documentType: 'image' }, 'Document Type'],
		[{ status: 'draft', followups: 'null' }, 'Status'],
		[{ scheduledAt: '', followups: 'null' }, 'Scheduled At'],
		[{ followups: '[1]' }, 'Followups'],
		[{ followups: '[1]', images: 'a' }, 'Images'],
	])('cannot change %j: the first is named', async (fields, label) => {
		const { outcome, asked } = await play('update', 'old', { fields });
		const [inShort, remedy] = told(outcome);
		expect(inShort).toContain(`"Update Fields > ${label}" cannot be changed, because the post is`);
		expect(remedy).toMatchSnapshot();
		expect(asked).toEqual(['read']);
	});

	it.each<[JsonRecord | undefined, boolean]>([
		[{ post_status: 'published', can_edit: false }, true],
		[{ post_status: 'published', can_edit: null }, true],
		[{ post_status: 'published', can_edit: true }, false],
		[{ post_status: 'published' }, false],
		[{ can_edit: false }, false],
		[undefined, false],
	])('has settled only where the failure before saw the post busy: %j', async (then, settled) => {
		const was = refusal('mutation_in_progress', { serviceDetails: then });
		const given = { ...before({ checkOnly: true, failure: was }), maxWaitMs: 0 };
		expect((await play('update', 'old', given)).facts).toMatchObject({ settled });
	});

	it('is awaited with growing pauses, of which the last ends with the time', async () => {
		const { asked, waited } = await play('update', 'old, v1 → provider_ambiguous, busy');
		// 0.5, 1, 2, 4, 8, four times 10 and 4.5 seconds.
		expect([asked.length - 2, waited]).toEqual([10, 60_000]);
	});

	const FACES = '😀'.repeat(200);
	it.each([
		[FACES, `"${FACES}".`],
		[`${FACES}x`, `"${FACES}…".`],
	])('shows 200 characters of the text that is there instead', async (text, shown) => {
		const { facts } = await play('update', 'old, v1 → stale, it', { words: { it: post(text) } });
		expect(facts?.found).toBe(`Its text is now: ${shown}`);
	});

	it.each([
		['old', true],
		['unknown', false],
	])(
		'is seen from the capability where the service shows no status: %s',
		async (word, isGuarded) => {
			const { status: _, ...it } = SEEN[word] as JsonRecord;
			const given = { fields: { themeId: 'a' }, words: { it } };
			const { keys } = await play('update', 'it, plain → ok', given);
			expect(keys[0] !== undefined).toBe(isGuarded);
		},
	);
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

describe('a status that the user tells', () => {
	it.each([
		['draft', 'old', 'published'],
		['scheduled', 'old', 'published'],
		['draft', 'scheduled', 'scheduled'],
		['draft', 'draft going out', 'publishing'],
		['scheduled', 'odd', 'odd'],
		['draft', 'of no status', 'published'],
		['draft', 'unknown', 'unknown'],
	])('(%s) keeps the change from what is %s', async (currentStatus, word, status) => {
		const given = { fields: { text: 'new', notes: 'a' }, options: { currentStatus } };
		const { outcome, asked } = await play('update', word, given);
		expect(outcome).toMatchObject({
			message: `The parameter "Options > Current Status" says that the post is ${currentStatus}, but the service says that it is ${status}. Nothing was sent`,
			remedy:
				'Remove this post from the input, or set "Current Status" to "Read From Service" to change it regardless of its status.',
			details: { parameter: 'currentStatus' },
		});
		expect(asked).toEqual(['read']);
	});

	it('(draft) holds for notes of Custom Fields, and for a further attempt', async () => {
		const options = { currentStatus: 'draft', customFields: { notes: 'n' } };
		for (const earlier of [undefined, { ...FAILED, failure: failure(429) }]) {
			const { outcome, asked } = await play('update', 'old', { options, earlier });
			expect((outcome as Error).message).toContain('"Options > Current Status" says');
			expect(asked).toEqual(['read']);
		}
	});

	it('(draft) does not keep a lost answer from being looked for, since only reads follow', async () => {
		const words = { it: draft({ status: 'scheduled', notes: 'a' }) };
		const fields = { notes: 'a', status: 'scheduled' };
		const given = { fields, words, options: { currentStatus: 'draft' }, earlier: {} };
		const item = await play('update', 'it', { ...given, isResumed: true });
		expect([item.outcome, item.writes()]).toEqual([words.it, []]);
	});

	it('may not be the cause of what may have succeeded', async () => {
		const given = { fields: { themeId: 'a' }, options: { currentStatus: 'scheduled' } };
		const { facts } = await play('update', 'draft, plain → lost 409', given);
		expect(facts?.found).not.toContain('Current Status');
	});
});

it('a marker of a Unique Key stays in the notes, which a read then confirms', async () => {
	const words = { it: draft({ notes: 'New\n[unique-key: a]' }) };
	const given = { fields: { notes: 'New' }, words, isResumed: true, earlier: {} };
	const { outcome, asked } = await play('update', 'it', given);
	expect([outcome, asked]).toEqual([words.it, ['read', 'read']]);
});

it('a text that is too long is refused before the post is read', async () => {
	const { outcome, asked } = await play('update', 'old', { fields: { text: 'x'.repeat(3001) } });
	expect((outcome as Error).message).toContain('has 3001 characters');
	expect(asked).toEqual([]);
});

it('media of a draft are checked together with those that it has', async () => {
	const words = { it: draft({ document_url: 'b' }) };
	const { outcome, writes } = await play('update', 'it', { fields: { images: 'a' }, words });
	expect((outcome as Error).message).toContain('cannot be added, because the post has a document');
	expect(writes()).toEqual([]);
	const { said } = await play('update', 'draft, plain → ok', { fields: { documentType: 'pdf' } });
	expect(said).toEqual([expect.stringContaining('no document URL was given')]);
});

describe('the time of a post', () => {
	const at = (ms: number) => new Date(NOW + ms).toISOString();
	const [later, past, offered] = [at(3_600_000), at(-1), at(7_200_000)];
	const SCHEDULED = { status: 'scheduled' };
	const PAST = { scheduled_at: past };

	it.each<[string, JsonRecord, JsonRecord, RegExp | undefined]>([
		['is checked where it is changed', { scheduledAt: past }, SCHEDULED, /not in the future: 20/],
		['is checked once scheduled', SCHEDULED, PAST, /not in the future: 20/],
		[
			'must be given where none is stored',
			SCHEDULED,
			{},
			/Scheduled At" is required when the post is/,
		],
		['may stay where it is', SCHEDULED, SCHEDULED, undefined],
		['may be stored', SCHEDULED, { status: 'draft', scheduled_at: later }, undefined],
		['does not matter to a draft', { scheduledAt: past }, { status: 'draft' }, undefined],
		['does not matter', { text: 'a' }, { ...SCHEDULED, ...PAST }, undefined],
	])('%s', async (_, fields, current, refused) => {
		const given = { fields, words: { it: draft(current) } };
		const { outcome, writes } = await play('update', 'it, plain → ok', given);
		expect(writes()).toHaveLength(refused === undefined ? 1 : 0);
		if (refused !== undefined) expect((outcome as Error).message).toMatch(refused);
	});

	const tooClose = failure(409, {
		reason: 'team_boost_spacing_conflict',
		serviceDetails: { earliest_scheduled_at: offered },
	});

	it('of a post that is told to be scheduled is moved, though the stored one is not known', async () => {
		const options = { currentStatus: 'scheduled', onTeamBoostConflict: 'reschedule' };
		const given = { fields: { themeId: 'a' }, words: { refused: tooClose }, options };
		const { writes } = await play('update', 'plain → refused, plain → ok', given);
		expect(writes().map(({ body }) => body)).toEqual([
			{ theme_id: 'a' },
			{ theme_id: 'a', scheduled_at: offered },
		]);
	});

	it.each([
		['scheduled', {}, 2],
		['draft', {}, 1],
		['draft', { status: 'scheduled', scheduledAt: later }, 2],
		['scheduled', { status: 'draft' }, 1],
		// The time offered is not later than the new one.
		['scheduled', { scheduledAt: offered }, 1],
		['scheduled', { scheduledAt: at(7_199_999) }, 2],
	])('of a %s post with %j is moved only if it is scheduled then', async (status, more, count) => {
		const words = { it: draft({ status, scheduled_at: later }), refused: tooClose };
		const options = { onTeamBoostConflict: 'reschedule' };
		const given = { fields: { themeId: 'a', ...more }, words, options };
		const { writes } = await play('update', 'it, plain → refused, plain → ok', given);
		expect(writes()).toHaveLength(count);
		if (count > 1) expect(writes()[1]?.body).toMatchObject({ scheduled_at: offered });
	});
});
