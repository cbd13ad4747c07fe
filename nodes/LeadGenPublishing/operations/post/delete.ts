import { InputError, type ApiFailure, outcomeOf, withFindings } from '../../api/failure';
import { isForbidden, isNotFound, stepFor } from '../../api/policy';
import type { JsonRecord } from '../../api/schemas';
import { postLocator } from '../../panel/fields/locators';
import { idempotencyKeyOption, readKey } from '../../panel/fields/retrySafety';
import { isBlank } from '../../panel/parameters/parse/jsonValues';
import { modelSourceOf } from '../../panel/parameters/modelSource';
import { openAttempt, type ItemCall } from '../../item/itemCall';
import { defineOperation } from '../define';
import { deleteRecord } from '../deleteRecord';
import { sharedIdempotencyKeys } from '../sharedKeys';
import { describeState, requireCapability } from './published/state';
import { capabilitiesOf, isBeingChanged } from '../../records/capabilities';
import { withStatusNow } from './published/meanwhile';
import {
	isGone,
	notSeen,
	readPost,
	showingRefreshedText,
	watch,
	type PostOfCall,
} from './published/watch';
import { parameter } from '../../panel/fields/parameter';

export const deletePost = defineOperation({
	action: 'Delete post',
	description: 'Delete a post permanently',
	outside: { kind: 'unlessDraft', what: 'what is posted' },
	endpoints: ['post.delete'],
	fields: [
		postLocator,
		parameter('confirmPublished', {
			type: 'boolean',
			default: false,
			description:
				'Whether to delete the post even if it is published, which removes it from the network. In a tool, it must be a fixed value, because a person has to decide this.',
			builderHint: {
				propertyHint:
					'Keep it false unless the user has asked to delete published posts. In a tool only the fixed value true counts, never $fromAI.',
			},
		}),
	],
	options: [idempotencyKeyOption],
	planBatch: (inputs, { stored }) =>
		sharedIdempotencyKeys(inputs, stored, (input) => ({ post: input.uuid('postId') })),
	recall: async (id) => ({ deleted: true, id }),
	// Safe to repeat: an unpublished post is not found again, and a published one needs a key.
	resume: async (call) => await deleteIt(call),
	run: async (call) => await deleteIt(call),
});

async function deleteIt(call: ItemCall): Promise<JsonRecord> {
	const id = call.input.uuid('postId');
	const post = { call, id, deadline: call.api.now() + call.api.maxWaitMs };
	await showingRefreshedText(remove(post), post);
	return { deleted: true, id };
}

async function remove(post: PostOfCall): Promise<void> {
	const { call, id } = post;
	const consent = readConsent(call);
	const key = readKey(call.input.collection('options'), {
		stableKey: call.stableKey,
		request: ['delete', id],
	});
	const { value: current, failure } = await outcomeOf(readPost(post));
	// If an earlier deletion may have succeeded, a missing post shows that it did.
	if (failure !== undefined && isNotFound(failure) && openAttempt(call) !== undefined) return;
	// A key may be allowed to delete but not to read.
	if (failure !== undefined && (!isForbidden(failure.facts) || consent.given)) throw failure;
	if (failure !== undefined || current.status === 'draft' || current.status === 'scheduled') {
		// Without an idempotency key, the service does not delete published posts.
		await deleteRecord(call, { resource: 'post', id }).catch(async (error: unknown) => {
			throw failure === undefined ? await withStatusNow(post, error) : error;
		});
		return;
	}
	const open = failureToCheck(call, current);
	if (open !== undefined) return await watchDeletion(post, open);
	requireConsent(current, consent);
	await deletePublished(post, call.earlier?.request.key ?? key);
}

/**
 * The failure of an earlier attempt whose outcome may only be checked with reads: the service says
 * so, or the post cannot be deleted, perhaps because the deletion is in progress.
 */
function failureToCheck(call: ItemCall, current: JsonRecord): ApiFailure | undefined {
	const open = openAttempt(call);
	if (open?.request.key === undefined) return undefined;
	const canDelete = capabilitiesOf(current).can_delete === true && !isBeingChanged(current);
	return open.checkOnly || !canDelete ? open.failure : undefined;
}

const NOT_GONE = 'The post could still be read afterwards, or could not be read at all.';
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
	if (!(await isGone(post))) throw withFindings(failure, { found: NOT_GONE });
	notice(GONE);
}

async function watchDeletion(post: PostOfCall, failure: ApiFailure): Promise<void> {
	const rest = await watch(post, failure, { capability: 'can_delete' });
	if (rest.gone) return post.call.notice(GONE);
	throw notSeen(failure, rest, {
		atRest: 'A later read still shows the post and no deletion in progress.',
		restless: `The post ${describeState(rest.seen)}.`,
	});
}

interface Consent {
	readonly given: boolean;
	/** Why there is none; ends the sentence `"Delete Even If Published" …`. */
	readonly missing: string;
}

function readConsent({ functions, input }: ItemCall): Consent {
	const source = modelSourceOf(functions, ['confirmPublished']);
	return source === undefined
		? { given: input.flag('confirmPublished'), missing: 'is not true' }
		: { given: false, missing: `${source}, which does not count as a confirmation by a person` };
}

function requireConsent(post: JsonRecord, { given, missing }: Consent): void {
	const { status } = post;
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
