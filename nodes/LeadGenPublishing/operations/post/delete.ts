import {
	InputError,
	type ApiFailure,
	isNotFound,
	outcomeOf,
	withFindings,
} from '../../api/failure';
import type { JsonRecord } from '../../api/schemas';
import { postLocator } from '../../fields/locators';
import { idempotencyKeyOption, readKey } from '../../fields/retrySafety';
import { modelSourceOf } from '../../parameters/modelSource';
import { defineOperation, type ItemCall } from '../define';
import { requireDeleted } from '../requireDeleted';
import {
	capabilitiesOf,
	describeState,
	isBeingChanged,
	requireCapability,
} from './published/state';
import {
	isGone,
	notSeen,
	readPost,
	showingRefreshedText,
	stepFor,
	watch,
	type PostOfCall,
} from './published/watch';

export const deletePost = defineOperation({
	value: 'delete',
	name: 'Delete',
	action: 'Delete post',
	description: 'Delete a post permanently',
	kind: 'write',
	endpoints: ['post.delete'],
	fields: [
		postLocator,
		{
			displayName: 'Delete Even If Published',
			name: 'confirmPublished',
			type: 'boolean',
			default: false,
			description:
				'Whether to delete the post even if it is published, which removes it from the network. Only a fixed value counts here: a person has to decide it.',
			builderHint: {
				propertyHint:
					'Keep it false unless the user has asked to delete published posts. In a tool only the fixed value true counts, never $fromAI.',
			},
		},
	],
	options: [idempotencyKeyOption],
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
	if (failure !== undefined) {
		// If an earlier deletion may have succeeded, a missing post shows that it did.
		if (isNotFound(failure) && mayBeDeleted(call)) return;
		// A key that may delete may be unable to read. Without an idempotency key, the service does
		// not delete published posts.
		if (failure.facts.status !== 403 || consent.given) throw failure;
		return await deleteUnpublished(post);
	}
	if (current.status === 'draft' || current.status === 'scheduled')
		return await deleteUnpublished(post);
	const open = failureToCheck(call, current);
	if (open !== undefined) return await watchDeletion(post, open);
	requireConsent(current, consent);
	await deletePublished(post, call.earlier?.key ?? key);
}

const mayBeDeleted = ({ earlier }: ItemCall): boolean => earlier?.mayHaveSucceeded() ?? false;

/**
 * The failure of an earlier attempt whose outcome may only be checked with reads: the service says
 * so, or the post cannot be deleted, perhaps because the deletion is in progress.
 */
function failureToCheck({ earlier }: ItemCall, current: JsonRecord): ApiFailure | undefined {
	if (earlier?.key === undefined || !earlier.mayHaveSucceeded()) return undefined;
	const canDelete = capabilitiesOf(current).can_delete === true && !isBeingChanged(current);
	return earlier.checkOnly || !canDelete ? earlier.failure : undefined;
}

async function sendDelete({ call, id }: PostOfCall, idempotencyKey?: string): Promise<void> {
	const { data } = await call.api.call('post.delete', { params: { id }, idempotencyKey });
	requireDeleted(data, 'post');
}

/** Without a key: if the post has been published meanwhile, the service refuses to delete it. */
async function deleteUnpublished(post: PostOfCall): Promise<void> {
	const { failure } = await outcomeOf(sendDelete(post));
	if (failure === undefined) return;
	if (isNotFound(failure) && mayBeDeleted(post.call)) {
		// A key that may delete may be unable to read.
		const { failure: unread } = await outcomeOf(readPost(post));
		if (unread !== undefined) return;
	} else {
		if (!failure.facts.uncertain) throw failure;
		if (await isGone(post)) return;
	}
	throw withFindings(failure, {
		found: `${NOT_GONE}; the deletion may still be under way.`,
		uncertain: true,
	});
}

const NOT_GONE = 'The post could still be read afterwards, or could not be read at all';
const GONE = 'The service was not sure at first whether a post was deleted; it is gone now';

/** Once the user has confirmed it. Reported as deleted is only what a read has shown to be gone. */
async function deletePublished(post: PostOfCall, key: string): Promise<void> {
	const { failure } = await outcomeOf(sendDelete(post, key));
	if (failure === undefined) return;
	if (stepFor(failure) === 'watch') return await watchDeletion(post, failure);
	if (!failure.facts.uncertain) throw failure;
	if (!(await isGone(post))) throw withFindings(failure, { found: `${NOT_GONE}.` });
	post.call.notice(GONE);
}

async function watchDeletion(post: PostOfCall, failure: ApiFailure): Promise<void> {
	const rest = await watch(post, failure, { capability: 'can_delete' });
	if (rest.gone) return post.call.notice(GONE);
	throw notSeen(failure, rest, {
		atRest: 'A later read shows the post still there, and no sign of a change in progress.',
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
			'The post is being published right now and cannot be deleted. Nothing was sent',
			'Wait until it is published, then delete it with "Delete Even If Published" set to true.',
			details,
		);
	}
	if (!given) {
		const known =
			status === 'published'
				? 'is published'
				: `has the status "${String(status)}", so it may be published`;
		throw new InputError(
			`The post ${known}, and "Delete Even If Published" ${missing}. Nothing was deleted`,
			'If the post should really be removed from the network, set "Delete Even If Published" to true in the node itself, as a fixed value.',
			{ ...details, parameter: 'confirmPublished' },
		);
	}
	if (status === 'published' || status === undefined) requireCapability(post, 'can_delete');
}
