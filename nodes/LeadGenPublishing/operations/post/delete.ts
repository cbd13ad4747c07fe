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
import { showingRefreshedText } from './published/changeText';
import { deletePublished } from './published/deletion';
import { isGone } from './published/settling';
import { capabilitiesOf, isBeingChanged, requireCapability } from './published/state';

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
	resume: async (call) => await removePost(call),
	run: async (call) => await removePost(call),
});

async function removePost(call: ItemCall): Promise<JsonRecord> {
	const id = call.input.uuid('postId');
	const read = async () => (await call.api.call('post.get', { params: { id } })).data;
	return await showingRefreshedText(remove(call, id), { read });
}

async function remove(call: ItemCall, id: string): Promise<JsonRecord> {
	const consent = readConsent(call);
	const key = readKey(call.input.collection('options'), {
		stableKey: call.stableKey,
		request: ['delete', id],
	});
	const deadline = call.api.now() + call.api.maxWaitMs;
	const { value, failure } = await outcomeOf(call.api.call('post.get', { params: { id } }));
	if (failure !== undefined) {
		// If an earlier deletion may have succeeded, a missing post shows that it did.
		if (isNotFound(failure) && mayBeDeleted(call)) return { deleted: true, id };
		// A key that may delete may be unable to read. Without an idempotency key, the service does
		// not delete published posts.
		if (failure.facts.status !== 403 || consent.given) throw failure;
		await deleteUnpublished(call, id);
		return { deleted: true, id };
	}
	const post = value.data;
	if (post.status === 'draft' || post.status === 'scheduled') {
		await deleteUnpublished(call, id);
	} else {
		const checkOnly = failureToCheck(call, post);
		if (checkOnly === undefined) requireConsent(post, consent);
		const port = portOf(call, { id, key: call.earlier?.key ?? key });
		const { note } = await deletePublished(port, { deadline, checkOnly });
		if (note !== undefined) call.notice(note);
	}
	return { deleted: true, id };
}

const mayBeDeleted = ({ earlier }: ItemCall): boolean => earlier?.mayHaveSucceeded() ?? false;

/**
 * The failure of an earlier attempt whose outcome may only be checked with reads: the service says
 * so, or the post cannot be deleted, perhaps because the deletion is in progress.
 */
function failureToCheck({ earlier }: ItemCall, post: JsonRecord): ApiFailure | undefined {
	if (earlier?.key === undefined || !earlier.mayHaveSucceeded()) return undefined;
	const canDelete = capabilitiesOf(post).can_delete === true && !isBeingChanged(post);
	return earlier.checkOnly || !canDelete ? earlier.failure : undefined;
}

/** Without a key: if the post has been published meanwhile, the service refuses to delete it. */
async function deleteUnpublished(call: ItemCall, id: string): Promise<void> {
	const { api } = call;
	const params = { id };
	const { value, failure } = await outcomeOf(api.call('post.delete', { params }));
	if (failure === undefined) return requireDeleted(value.data, 'post');
	const wasNotFound = isNotFound(failure) && mayBeDeleted(call);
	if (!wasNotFound && !failure.facts.uncertain) throw failure;
	const read = async () => (await api.call('post.get', { params })).data;
	if (wasNotFound) {
		// A key that may delete may be unable to read.
		const lookup = await outcomeOf(read());
		if (lookup.failure !== undefined) return;
	} else if (await isGone({ read })) return;
	throw withFindings(failure, { found: STILL_THERE, uncertain: true });
}

const STILL_THERE =
	'The post could still be read afterwards, or could not be read at all; the deletion may still be under way.';

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
		throw new InputError(
			status === 'published'
				? `The post is published, and "Delete Even If Published" ${missing}. Nothing was deleted`
				: `The post has the status "${String(status)}", so it may be published, and "Delete Even If Published" ${missing}. Nothing was deleted`,
			'If the post should really be removed from the network, set "Delete Even If Published" to true in the node itself, as a fixed value.',
			{ ...details, parameter: 'confirmPublished' },
		);
	}
	if (status === 'published' || status === undefined) requireCapability(post, 'can_delete');
}

function portOf({ api }: ItemCall, { id, key }: { id: string; key: string }) {
	const params = { id };
	return {
		read: async () => (await api.call('post.get', { params })).data,
		remove: async () => {
			const { data } = await api.call('post.delete', { params, idempotencyKey: key });
			requireDeleted(data, 'post');
			return data;
		},
		wait: api.wait,
		now: api.now,
	};
}
