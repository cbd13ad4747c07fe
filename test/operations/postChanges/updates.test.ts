/**
 * Post > Update, row by row: which requests are sent, and how the item ends. The reasons of part 7.2 of
 * the API document stand here.
 */
import { failure } from '../itemScene';
import {
	AMBIGUOUS,
	asRead,
	BROKEN,
	BUSY,
	BUSY_NEW,
	BUSY_THEIRS,
	DRAFT,
	updates,
	fails,
	expectUpdate,
	failsHaving,
	GOING_OUT,
	GONE,
	IN_PROGRESS,
	IT_IS_NOW_THEIRS,
	NEW,
	NO_STATUS,
	now,
	OK,
	OLD,
	OLD_AGAIN,
	OPEN,
	plain,
	published,
	PUBLISHING,
	REFRESHED,
	refusal,
	rejects,
	reviewed,
	SCHEDULED,
	sent,
	SETTLED,
	STALE,
	stored,
	THEIRS,
	TO_CHECK,
	TO_REVIEW,
	told,
	TRIED,
	UPSTREAM,
	v1,
	v2,
	CHANGED,
	CONFLICT,
	BAD,
	FORBIDDEN,
	type Given,
	type Outcome,
	type Step,
	type Words,
} from './script';
import type { ApiFailure } from '../../../nodes/LeadGenPublishing/api/failure';

// What a read may show.
const NEW_DRAFT = stored({ text: 'new' });
const editable = (can_edit: unknown) => published('old', 'v1', { can_edit });
const closed = (reason: string) => published('old', 'v1', { can_edit: false, reason });

// What an update may be answered with. "Lost" means that an earlier response was lost.
const LOST_STALE = refusal('stale_provider_version', { uncertain: true });
const LOST_REFRESHED = refusal('provider_state_refreshed', { uncertain: true });
const KEY_CONFLICT = refusal('idempotency_conflict', { uncertain: true });
const MISMATCH = failure(502, { reason: 'provider_attachment_mismatch' });
const ODD = refusal('odd_reason');

// What the item is given.
const RETRY: Given = { options: { onStaleVersion: 'retryWithFreshEtag' } };
const REVIEWED: Given = { options: { etag: 'mine' } };
const THEME: Given = { fields: { themeId: 'a' } };
const NOTES: Given = { fields: { notes: 'a' } };
const UNREAD: Given = { ...told('scheduled'), ...THEME };
const LOST_BEFORE = failure(502);
const LOST_WITH_ID = failure(502, { requestId: 'req_1' });
const OTHER_TO_CHECK: Given = {
	earlier: { checkOnly: true, request: { etag: 'v1' } },
	wasOther: true,
};
const RESUMED: Given = { isResumed: true, earlier: { failure: LOST_WITH_ID } };

// How it ends.
const IS_THERE: Outcome = {
	kind: 'gives',
	record: NEW,
	said: 'The result was unclear at first. The post now has the new text.',
};
const IS_NEWER: Outcome = {
	kind: 'gives',
	record: NEW,
	said: 'A newer version of a published post already has the new text, so its text was not sent again.',
};
const SHOWS_ALL: Outcome = {
	kind: 'gives',
	record: NEW_DRAFT,
	said: 'The response to an update of a post was lost, but a later read shows all the new values.',
	settles: true,
};
const STALE_AND_THEIRS = failsHaving(STALE, IT_IS_NOW_THEIRS);
const UNREADABLE = 'The post could not be read afterwards.';
const NOT_YET = 'A later read does not show the new text. The post is published.';
const UNSETTLED = 'The post was still changing when the wait ended.';
const NOT_READ =
	'The node did not read the post first, because "Current Status" says that it is scheduled. If it is not, set "Current Status" to "Read From Service".';
const unchanged = (failed: ApiFailure): Outcome =>
	failsHaving(
		failed,
		'A later read shows neither the new text nor a change in progress. Its text is now: "old".',
		{ ...SETTLED, details: asRead() },
	);
const unsettled = (found: string, details = asRead()): Outcome =>
	failsHaving(IN_PROGRESS, `${found} ${UNSETTLED}`, { ...OPEN, details });

const notNow = (why: string): Words => ({
	message: `The published post cannot be edited at the moment: ${why}. Nothing was changed`,
	remedy: 'Run Post > Get later: "published_mutation_capabilities" must show "can_edit": true.',
});
const NOT_ALLOWED = notNow('the service does not report "can_edit" as true');
const NOT_EDITABLE = rejects(NOT_ALLOWED, { reason: null, post_status: 'published' });
const notEditableFor = (reason: string) =>
	rejects(notNow(`the service gives the reason ${reason}`), { reason, post_status: 'published' });
const READ_ONLY = rejects(
	{
		...notNow('this key may only read it (write_forbidden)'),
		remedy: 'Use a key that may change posts.',
	},
	{ reason: 'write_forbidden', post_status: 'published' },
);
const NO_ETAG = rejects(
	{
		message:
			'The service reports that the post can be edited, but does not return an ETag. Nothing was changed',
		remedy: 'Run Post > Get to find the ETag, and enter it in the option "ETag".',
	},
	{ reason: 'etag_missing', post_status: 'published' },
);
const BEING_PUBLISHED = rejects(
	{
		message: 'The post is being published right now and cannot be edited. Nothing was sent',
		remedy: 'Wait until it is published, then run this again.',
	},
	{ post_status: 'publishing' },
);

updates('an update', {}, [
	['is sent once, with the ETag just read', [OLD, v1(OK)], CHANGED],
	['is not sent without an ETag', [published('old', null)], NO_ETAG],
	['is not sent with a read-only key', [closed('write_forbidden')], READ_ONLY],
	['is not sent if the service gives a reason', [closed('strange')], notEditableFor('strange')],
	['is not sent while the post is being published', [GOING_OUT], BEING_PUBLISHED],
]);

updates('an update with a reviewed ETag', REVIEWED, [
	['is sent with it', [OLD, reviewed(OK)], CHANGED],
	['is sent even if the post has the text', [NEW, reviewed(OK)], CHANGED],
	['is not sent if "can_edit" is missing', [editable(undefined)], NOT_EDITABLE],
	['is not sent if "can_edit" is 1', [editable(1)], NOT_EDITABLE],
	['is not sent if "can_edit" is a text', [editable('true')], NOT_EDITABLE],
]);

updates('an update that is rejected as refreshed', {}, [
	[
		'says if the post cannot be read',
		[OLD, v1(REFRESHED), GONE],
		failsHaving(REFRESHED, UNREADABLE),
	],
	['may have caused that itself after a lost response', [OLD, v1(LOST_REFRESHED), NEW], IS_THERE],
]);
updates('an update that is rejected as refreshed and may be repeated', RETRY, [
	[
		'shows the text for a review',
		[OLD, v1(REFRESHED), THEIRS],
		failsHaving(REFRESHED, IT_IS_NOW_THEIRS, TO_REVIEW),
	],
]);

updates('an update that is rejected as stale', {}, [
	['stops', [OLD, v1(STALE), THEIRS], STALE_AND_THEIRS],
	['succeeds if the newer version has the text', [OLD, v1(STALE), NEW], IS_NEWER],
]);
updates('an update that is rejected as stale and may be repeated', RETRY, [
	['is sent once more', [OLD, v1(STALE), THEIRS, v2(OK)], CHANGED],
	[
		'is not sent a third time',
		[OLD, v1(STALE), THEIRS, v2(STALE), published('theirs', 'v3')],
		STALE_AND_THEIRS,
	],
	['is not sent with the same ETag', [OLD, v1(STALE), published('theirs')], STALE_AND_THEIRS],
	[
		'stops if it cannot be edited',
		[OLD, v1(STALE), BUSY_THEIRS],
		notEditableFor('provider_ambiguous'),
	],
	['stops if it cannot be read', [OLD, v1(STALE), GONE], failsHaving(STALE, UNREADABLE)],
	[
		'stops if it may have caused that itself',
		[OLD, v1(LOST_STALE), THEIRS],
		failsHaving(LOST_STALE, IT_IS_NOW_THEIRS),
	],
]);

updates('an update during another change', {}, [
	['reads until the new text has settled', [OLD, v1(IN_PROGRESS), BUSY, BUSY_NEW, NEW], IS_THERE],
	[
		'has failed once the post has settled',
		[OLD, v1(IN_PROGRESS), BUSY, OLD],
		unchanged(IN_PROGRESS),
	],
	['has settled with another ETag', [OLD, v1(IN_PROGRESS), OLD_AGAIN], unchanged(IN_PROGRESS)],
	[
		'reads on after a failed read',
		[OLD, v1(IN_PROGRESS), BROKEN, GONE],
		failsHaving(IN_PROGRESS, 'The post does not exist any more.'),
	],
]);
updates('an update during another change, without time to wait', { maxWaitMs: 0 }, [
	['reads once', [OLD, v1(IN_PROGRESS), NEW], IS_THERE],
	[
		'has not settled without an ETag',
		[OLD, v1(IN_PROGRESS), published('old', null)],
		unsettled(NOT_YET),
	],
	[
		'has not settled while the post is being published',
		[OLD, v1(IN_PROGRESS), PUBLISHING],
		unsettled(
			'A later read shows the new text. The post is publishing.',
			asRead('new', 'publishing'),
		),
	],
	[
		'tells the little that a strange response shows',
		[OLD, v1(IN_PROGRESS), { status: 7 }],
		unsettled('A later read does not show the new text. The post is in an unknown state.', {
			post_status: 7,
			current_text: null,
			can_edit: null,
			can_delete: null,
			unavailable_reason: null,
		}),
	],
	[
		'says that it cannot be read',
		[OLD, v1(IN_PROGRESS), failure(502)],
		unsettled(UNREADABLE, { post_status: null }),
	],
]);

updates('an update with an unclear response', {}, [
	['reads until the new text has settled', [OLD, v1(AMBIGUOUS), BUSY, BUSY_NEW, NEW], IS_THERE],
	['reads after a 502', [OLD, v1(UPSTREAM), OLD], failsHaving(UPSTREAM, NOT_YET)],
	['reads after a 502 about its media', [OLD, v1(MISMATCH), OLD], failsHaving(MISMATCH, NOT_YET)],
	['does not read if its key was used', [OLD, v1(KEY_CONFLICT)], fails(KEY_CONFLICT)],
]);

updates('after an attempt with an unknown outcome, an update', TRIED, [
	['has succeeded if that is the text', [OLD, v1(REFRESHED), NEW], IS_THERE],
]);
updates('after such an attempt, an update that may be repeated', { ...RETRY, ...TRIED }, [
	['is not sent with a fresh ETag', [OLD, v1(STALE), THEIRS], STALE_AND_THEIRS],
]);
updates('after such an attempt with an ETag, an update', sent({ etag: 'v1' }), [
	['is not sent while the post cannot be edited', [BUSY, OLD_AGAIN], unchanged(LOST_BEFORE)],
	['is sent with the same ETag', [OLD_AGAIN, v1(OK)], CHANGED],
]);
updates('after such an attempt that may only be checked, an update', TO_CHECK, [
	['only reads', [BUSY, OLD, NEW], IS_THERE],
]);
updates('after such an attempt with another text, an update', OTHER_TO_CHECK, [
	[
		'does not take its own text for that one',
		[BUSY, BUSY, published('of then')],
		failsHaving(LOST_BEFORE, `${NOT_YET} The earlier attempt had different content.`, {
			details: asRead('of then'),
		}),
	],
]);
updates('after a lost response without a key, an update', RESUMED, [
	['is confirmed by a read', [NEW_DRAFT], SHOWS_ALL],
	[
		'fails as before if a read does not show it',
		[DRAFT],
		failsHaving(
			LOST_WITH_ID,
			'A later read did not show the new text. The update may still be in progress.',
		),
	],
]);
updates('resumed without an earlier attempt, an update', { isResumed: true }, [
	['is sent like any other', [DRAFT, plain(OK)], CHANGED],
]);

describe('a Current Status', () => {
	it.each<[string, Given, readonly Step[]]>([
		['of a draft saves the read', told('draft'), [plain(OK)]],
		['of a scheduled post saves it, too', told('scheduled'), [plain(OK)]],
		['of a published post saves it for the theme', { ...told('published'), ...THEME }, [plain(OK)]],
		['of a published post does not save it for the text', told('published'), [OLD, v1(OK)]],
		[
			'of a published post does not save it for the notes',
			{ ...told('published'), ...NOTES },
			[OLD, plain(OK)],
		],
		['to be read does not save it', told('read'), [OLD, v1(OK)]],
		[
			'of a draft does not save it for the notes',
			{ ...told('draft'), ...NOTES },
			[DRAFT, plain(OK)],
		],
		[
			'of a scheduled post does not save it for the notes',
			{ ...told('scheduled'), ...NOTES },
			[SCHEDULED, plain(OK)],
		],
		[
			'of a scheduled post that is a draft by now does not hinder it',
			{ ...told('scheduled'), ...NOTES },
			[DRAFT, plain(OK)],
		],
	])('%s', async (name, given, script) => await expectUpdate([name, script, CHANGED], given));
});
updates('a Current Status of a published post', told('published'), [
	[
		'guards a post whose status is not shown',
		[NO_STATUS],
		rejects(
			{ ...NOT_ALLOWED, message: NOT_ALLOWED.message.replace('published post', 'post') },
			{ reason: null, post_status: null },
		),
	],
]);

updates('an update without a read before it, if it is rejected', UNREAD, [
	[
		'with 400: the status may be the cause',
		[plain(BAD)],
		failsHaving(BAD, NOT_READ, { postNow: 'toBeScheduled' }),
	],
	[
		'with 409: the status may be the cause',
		[plain(CONFLICT)],
		failsHaving(CONFLICT, NOT_READ, { postNow: 'toBeScheduled' }),
	],
	['with a reason: that is the cause', [plain(ODD)], fails(ODD, { postNow: 'toBeScheduled' })],
	[
		'with 403: the status is not the cause',
		[plain(FORBIDDEN)],
		fails(FORBIDDEN, { postNow: 'toBeScheduled' }),
	],
]);
updates('an update after a read, if it is rejected', THEME, [
	['with 400: the status is not the cause', [DRAFT, plain(BAD), DRAFT], fails(BAD)],
	[
		'with 409: the status is not the cause',
		[SCHEDULED, plain(CONFLICT), SCHEDULED],
		fails(CONFLICT, { postNow: 'toBeScheduled' }),
	],
	['with 400: nothing is known without a second read', [DRAFT, plain(BAD), BROKEN], fails(BAD)],
	[
		'with 400: the post was published meanwhile',
		[SCHEDULED, plain(BAD), OLD],
		fails(BAD, { postNow: 'toBeScheduled', ...now('published') }),
	],
	[
		'with 409: the post was published meanwhile',
		[DRAFT, plain(CONFLICT), OLD],
		fails(CONFLICT, now('published')),
	],
	[
		'with 409: the post is being published',
		[SCHEDULED, plain(CONFLICT), PUBLISHING],
		fails(CONFLICT, { postNow: 'toBeScheduled', ...now('publishing') }),
	],
	['with a reason: that is the cause', [DRAFT, plain(ODD)], fails(ODD)],
	['with 403: the status is not the cause', [DRAFT, plain(FORBIDDEN)], fails(FORBIDDEN)],
]);
