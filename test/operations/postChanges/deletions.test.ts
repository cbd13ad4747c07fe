/** Post > Delete, row by row: which requests are sent, and how the item ends. */
import { keyFrom } from '../../../nodes/LeadGenPublishing/api/identifiers';
import { failure, ID } from '../itemScene';
import {
	AMBIGUOUS,
	asRead,
	BAD,
	BROKEN,
	BUSY,
	CONFLICT,
	DRAFT,
	deletions,
	FAILED,
	fails,
	failsHaving,
	FORBIDDEN,
	GONE,
	IN_PROGRESS,
	IT_IS_NOW_THEIRS,
	NO_STATUS,
	now,
	OK,
	OLD,
	OPEN,
	plain,
	play,
	published,
	PUBLISHING,
	REFRESHED,
	refusal,
	rejects,
	SCHEDULED,
	sent,
	SETTLED,
	STALE,
	THEIRS,
	TO_CHECK,
	TO_REVIEW,
	TRIED,
	UPSTREAM,
	stored,
	type Given,
	type Outcome,
	type Step,
	type Words,
} from './script';

// What a read may show.
const LIVE = stored({ status: 'live' });
const deletable = (can_delete: unknown) => published('old', 'v1', { can_delete });
const LOCKED = deletable(false);
const PENDING = published('old', 'v1', { reason: 'pending' });
/** A proxy in front of the service says nothing about the post. */
const PROXY = failure(404, { problem: 'webPage', uncertain: false });

// What a deletion may be answered with.
const UNSURE = refusal('provider_ambiguous', { serviceDetails: { a: 1 } });
const UNSURE_TWICE = refusal('provider_ambiguous', { attempts: 2 });

// What the item is given.
const UNCONFIRMED: Given = { isConfirmed: false };
const KEYED = sent({ key: 'k' });
const FAILED_WITH_KEY: Given = { earlier: { request: { key: 'k' }, ...FAILED } };

// How it ends.
const DELETED: Outcome = { kind: 'gives', record: { deleted: true, id: ID } };
const IS_GONE: Outcome = {
	kind: 'gives',
	record: { deleted: true, id: ID },
	said: 'The result was unclear at first. The post is now deleted.',
};
const STILL_SHOWN = 'A later read still shows the post and no deletion in progress.';
const NOT_GONE = 'The post could still be read afterwards, or could not be read at all.';
const STILL_THERE =
	'The post could still be read afterwards. Its deletion may still be in progress.';
const NOT_READABLE =
	'The post could not be read afterwards. Its deletion may still be in progress.';
const NOT_ALLOWED: Words = {
	message:
		'The published post cannot be deleted at the moment: the service does not report "can_delete" as true. Nothing was changed',
	remedy: 'Run Post > Get later: "published_mutation_capabilities" must show "can_delete": true.',
};
const NOT_ALLOWED_WITHOUT_STATUS: Words = {
	message: NOT_ALLOWED.message.replace('published post', 'post'),
	remedy: NOT_ALLOWED.remedy,
};
const NOT_DELETABLE = rejects(NOT_ALLOWED, { reason: null, post_status: 'published' });
const BEING_PUBLISHED = rejects(
	{
		message: 'The post is being published right now and cannot be deleted. Nothing was sent',
		remedy:
			'Wait until it is published, then delete it with "Delete Even If Published" set to true.',
	},
	{ post_status: 'publishing' },
);
const unconsented = (why: string, post_status: string | null) =>
	rejects(
		{
			message: `${why}, and "Delete Even If Published" is not true. Nothing was deleted`,
			remedy:
				'If the post should really be removed from the network, set "Delete Even If Published" to true in the node itself, as a fixed value.',
		},
		{ post_status, parameter: 'confirmPublished' },
	);

deletions('an unconfirmed deletion', UNCONFIRMED, [
	['of a draft needs no confirmation', [DRAFT, plain(OK)], DELETED],
	['of a scheduled post needs none either', [SCHEDULED, plain(OK)], DELETED],
	['of a published post is not sent', [OLD], unconsented('The post is published', 'published')],
	[
		'of a post without a status is not sent',
		[NO_STATUS],
		unconsented('The post shows no status, so it may be published', null),
	],
	['of a post that may not be read is sent', [FORBIDDEN, plain(OK)], DELETED],
	['of a post that cannot be read fails', [BROKEN], fails(BROKEN)],
	[
		'of a scheduled post says that it was published meanwhile',
		[SCHEDULED, plain(CONFLICT), OLD],
		fails(CONFLICT, now('published')),
	],
]);

deletions('a deletion', {}, [
	['of a published post is one request', [OLD, plain(OK)], DELETED],
	['of a post with another status is left to the service', [LIVE, plain(OK)], DELETED],
	['is not sent while the post is being published', [PUBLISHING], BEING_PUBLISHED],
	['is not sent if "can_delete" is null', [deletable(null)], NOT_DELETABLE],
	[
		'is not sent without a status and "can_delete"',
		[NO_STATUS],
		rejects(NOT_ALLOWED_WITHOUT_STATUS, { reason: null, post_status: null }),
	],
	[
		'is not sent if the status is null and nothing shows "can_delete"',
		[stored({ status: null })],
		rejects(NOT_ALLOWED_WITHOUT_STATUS, { reason: null, post_status: null }),
	],
	['of a post that is not found fails', [GONE], fails(GONE)],
	['fails if the post may not be read, since it may be published', [FORBIDDEN], fails(FORBIDDEN)],
	['stops if it is rejected', [OLD, plain(STALE)], fails(STALE)],
	[
		'shows the text to review if it is rejected as refreshed',
		[OLD, plain(REFRESHED), THEIRS],
		failsHaving(REFRESHED, IT_IS_NOW_THEIRS, TO_REVIEW),
	],
]);

deletions('a deletion with an unclear response', {}, [
	['reads until another change has ended', [OLD, plain(IN_PROGRESS), BUSY, BROKEN, GONE], IS_GONE],
	['reads until the post is gone', [OLD, plain(AMBIGUOUS), BUSY, BROKEN, GONE], IS_GONE],
	[
		'was not completed if the post has settled',
		[OLD, plain(UNSURE), BUSY, OLD],
		failsHaving(UNSURE, STILL_SHOWN, { ...SETTLED, details: asRead() }),
	],
	[
		'stays unknown if it was sent twice',
		[OLD, plain(UNSURE_TWICE), BUSY, OLD],
		failsHaving(UNSURE_TWICE, STILL_SHOWN, { ...OPEN, settled: true, details: asRead() }),
	],
	['counts after a 502 if the post is gone', [OLD, plain(UPSTREAM), GONE], IS_GONE],
	[
		'stays unknown after a 502 if it is not',
		[OLD, plain(UPSTREAM), OLD],
		failsHaving(UPSTREAM, NOT_GONE),
	],
	[
		'stays unknown if a proxy says that it is gone',
		[OLD, plain(UPSTREAM), PROXY],
		failsHaving(UPSTREAM, NOT_GONE),
	],
]);
deletions('a deletion with an unclear response and half a second', { maxWaitMs: 500 }, [
	[
		'is unknown at first',
		[OLD, plain(AMBIGUOUS), OLD],
		failsHaving(
			AMBIGUOUS,
			'The post is published. The post was still changing when the wait ended.',
			{
				...OPEN,
				details: asRead(),
			},
		),
	],
]);

deletions('a deletion of a draft', {}, [
	['counts after a 502 if it is gone', [DRAFT, plain(UPSTREAM), GONE], DELETED],
	[
		'stays unknown if it is there',
		[DRAFT, plain(UPSTREAM), DRAFT],
		failsHaving(UPSTREAM, STILL_THERE),
	],
	[
		'stays unknown if it cannot be read',
		[DRAFT, plain(UPSTREAM), FORBIDDEN],
		failsHaving(UPSTREAM, NOT_READABLE),
	],
	[
		'stays unknown if a proxy says that it is gone',
		[DRAFT, plain(UPSTREAM), PROXY],
		failsHaving(UPSTREAM, NOT_READABLE),
	],
	['does not read after a 404', [DRAFT, plain(GONE)], fails(GONE)],
	['reads again after a 400', [DRAFT, plain(BAD), DRAFT], fails(BAD)],
]);

deletions('after an attempt with a key, a deletion', KEYED, [
	['counts if the post is not found', [GONE], DELETED],
	['fails if a proxy does not find it', [PROXY], fails(PROXY)],
	['counts if the draft is gone by then', [DRAFT, plain(GONE), GONE], DELETED],
	['counts if the draft cannot be read by then', [DRAFT, plain(GONE), FORBIDDEN], DELETED],
	[
		'stays unknown if the draft is still there',
		[DRAFT, plain(GONE), DRAFT],
		failsHaving(GONE, STILL_THERE, { uncertain: true }),
	],
	['only reads if the post cannot be deleted now', [LOCKED, LOCKED, GONE], IS_GONE],
	['only reads while the post is being changed', [PENDING, PENDING, GONE], IS_GONE],
]);
deletions('after an attempt that may only be checked, a deletion', TO_CHECK, [
	['only reads', [OLD, OLD, GONE], IS_GONE],
]);
deletions('after an attempt without a key, a deletion', TRIED, [
	['is rejected like any other', [LOCKED], NOT_DELETABLE],
]);
deletions('after an attempt that certainly failed, a deletion', FAILED_WITH_KEY, [
	['is rejected like any other', [LOCKED], NOT_DELETABLE],
	['fails if the post is not found', [GONE], fails(GONE)],
]);

describe('the key of a deletion', () => {
	it.each<[string, readonly Step[], Given, unknown]>([
		['a draft has none', [DRAFT, plain(OK)], UNCONFIRMED, undefined],
		['a post that cannot be read has none', [FORBIDDEN, plain(OK)], UNCONFIRMED, undefined],
		['a published post has one of its own', [OLD, plain(OK)], {}, keyFrom('stable', 'delete', ID)],
		['so has one of another status', [LIVE, plain(OK)], {}, keyFrom('stable', 'delete', ID)],
		['the user may give it', [OLD, plain(OK)], { options: { idempotencyKey: 'mine' } }, 'mine'],
		['that of an earlier attempt is sent again', [OLD, plain(OK)], KEYED, 'k'],
	])('%s', async (_, script, given, key) => {
		expect((await play('delete', script, given)).keys).toEqual([key]);
	});
});
