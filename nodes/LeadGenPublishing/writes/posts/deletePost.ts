/**
 * Deletes a post, once.
 *
 *     read ──not found, and an earlier attempt may have deleted it──▶ done
 *       ├── draft, scheduled, or not readable ──▶ delete without a key: the service rejects a published one
 *       ├── an earlier attempt may only be checked ──▶ watch until the post is gone
 *       └── published ──▶ a person has confirmed it, the service allows it ──▶ delete with a key
 *                          └── unclear ──▶ done only if a read no longer finds the post
 */
import { InputError } from '../../words/inputError';
import { outcomeOf, withFindings, type ApiFailure } from '../../api/failure';
import { isForbidden, isNotFound, stepFor } from '../../api/policy';
import { keyFrom } from '../../api/identifiers';
import type { JsonRecord } from '../../api/schemas';
import { openAttempt, type WriteCall } from '../../item/itemCall';
import { isBlank } from '../../parse/jsonValues';
import { capabilitiesOf, isBeingChanged } from '../../records/capabilities';
import { postStatus } from '../../records/postStatus';
import { deleteRecord } from '../deleteRecord';
import { withStatusNow } from './published/meanwhile';
import { postNow, requireCapability } from './published/state';
import {
	isGone,
	notSeen,
	readPost,
	watch,
	withRefreshedText,
	type PostOfCall,
} from './published/watch';

export interface Deletion {
	readonly id: string;
	readonly consent: Consent;
	/** The user's own idempotency key. */
	readonly key?: string;
}

export async function deletePostOnce(
	call: WriteCall,
	{ id, consent, key: ownKey }: Deletion,
): Promise<void> {
	const post = { call, id, deadline: call.api.now() + call.api.maxWaitMs };
	const { value: current, failure } = await outcomeOf(readPost(post));
	// If an earlier deletion may have succeeded, a missing post shows that it did.
	if (failure !== undefined && isNotFound(failure) && openAttempt(call) !== undefined) return;
	// A key may be allowed to delete but not to read.
	if (failure !== undefined && (!isForbidden(failure.facts) || consent.given)) throw failure;
	try {
		if (failure !== undefined || isUnpublished(current)) {
			// Without an idempotency key, the service does not delete published posts.
			await deleteRecord(call, { resource: 'post', id });
			return;
		}
		const open = failureToCheck(call, current);
		if (open !== undefined) return await watchDeletion(post, open);
		requireConsent(current, consent);
		const key = ownKey ?? keyFrom(call.stableKey(), 'delete', id);
		await deletePublished(post, call.earlier?.request.key ?? key);
	} catch (error) {
		const refreshed = await withRefreshedText(post, error);
		throw isUnpublished(current) ? await withStatusNow(post, refreshed) : refreshed;
	}
}

const isUnpublished = (post: JsonRecord | undefined): boolean =>
	['draft', 'scheduled'].includes(String(postStatus(post?.status)));

/**
 * The failure of an earlier attempt whose outcome may only be checked with reads: the service says
 * so, or the post cannot be deleted, perhaps because the deletion is in progress.
 */
function failureToCheck(call: WriteCall, current: JsonRecord): ApiFailure | undefined {
	const open = openAttempt(call);
	if (open?.request.key === undefined) return undefined;
	const canDelete = capabilitiesOf(current).can_delete === true && !isBeingChanged(current);
	return open.checkOnly || !canDelete ? open.failure : undefined;
}

const GONE = 'The result was unclear at first. The post is now deleted.';

/**
 * Deletes a published post after the user has confirmed it. If the response is unclear, the post
 * only counts as deleted once a read no longer finds it.
 */
async function deletePublished(post: PostOfCall, key: string): Promise<void> {
	const { api, notice } = post.call;
	const request = { params: { id: post.id }, idempotencyKey: key };
	const { failure } = await outcomeOf(api.call('post.delete', request));
	if (failure === undefined) return;
	if (stepFor(failure) === 'watch') return await watchDeletion(post, failure);
	if (!failure.facts.uncertain) throw failure;
	if (!(await isGone(post))) throw withFindings(failure, { found: [{ kind: 'perhapsThere' }] });
	notice(GONE);
}

async function watchDeletion(post: PostOfCall, failure: ApiFailure): Promise<void> {
	const rest = await watch(post, failure, { capability: 'can_delete' });
	if (rest.gone) return post.call.notice(GONE);
	throw notSeen(failure, rest, {
		atRest: [{ kind: 'notBeingDeleted' }],
		restless: [postNow(rest.seen)],
	});
}

/** Whether a person has confirmed that a published post may be deleted. */
export interface Consent {
	readonly given: boolean;
	/** Why there is none; ends the sentence `"Delete Even If Published" …`. */
	readonly missing: string;
}

function requireConsent(post: JsonRecord, { given, missing }: Consent): void {
	const status = postStatus(post.status);
	const details = { code: 'operation_unavailable', post_status: status ?? null };
	if (status === 'publishing') {
		throw new InputError(
			'The post is being published right now and cannot be deleted',
			'Wait until it is published, then delete it with "Delete Even If Published" set to true.',
			details,
			'Nothing was sent',
		);
	}
	if (!given) {
		throw new InputError(
			`The post ${statusInWords(status)}, and "Delete Even If Published" ${missing}`,
			'If the post should really be removed from the network, set "Delete Even If Published" to true in the node itself, as a fixed value.',
			{ ...details, parameter: 'confirmPublished' },
			'Nothing was deleted',
		);
	}
	// A post that shows no status may be published.
	if ((status ?? 'published') === 'published') requireCapability(post, 'can_delete');
}

function statusInWords(status: unknown): string {
	if (status === 'published') return 'is published';
	const shown = isBlank(status) ? 'shows no status' : `has the status "${String(status)}"`;
	return `${shown}, so it may be published`;
}
