import { InputError } from '../../api/failure';
import { deletePublished, isGone, outcomeOf, showingRefreshedText } from '../../api/publishedPost';
import { requireCapability } from '../../api/publishedPostState';
import type { JsonRecord } from '../../api/schemas';
import { postLocator } from '../../fields/locators';
import { idempotencyKeyOption, readKey } from '../../fields/retrySafety';
import { maxWaitOption, optionsField } from '../../fields/shared';
import { defineOperation, type ItemCall } from '../define';
import { modelsPartIn } from '../personDecides';

export const deletePost = defineOperation({
	value: 'delete',
	name: 'Delete',
	action: 'Delete post',
	description:
		'Delete a post permanently. A published post is deleted only if Confirm Published is true and the service reports that it can be deleted; a post that is being published cannot be deleted.',
	kind: 'write',
	endpoints: ['post.delete'],
	fields: [
		postLocator,
		{
			displayName: 'Confirm Published',
			name: 'confirmPublished',
			type: 'boolean',
			default: false,
			description:
				'Whether a published post may be deleted as well, which removes it from the network. Set it only after a person has confirmed that; what an AI model fills in is no confirmation. Drafts and scheduled posts need none.',
			builderHint: {
				propertyHint:
					'Keep it false unless the user has asked to delete published posts. Never use $fromAI here: it does not count as a confirmation. In a tool only the fixed value true counts.',
			},
		},
		optionsField([idempotencyKeyOption, maxWaitOption]),
	],
	recall: async (id) => ({ deleted: true, id }),
	run: async (call) => {
		const id = call.input.uuid('postId');
		const read = async () => (await call.api.call('post.get', { params: { id } })).data;
		return await showingRefreshedText(remove(call, id), { read });
	},
});

async function remove(call: ItemCall, id: string): Promise<JsonRecord> {
	const consent = readConsent(call);
	const key = readKey(call.input.collection('options'), {
		stableKey: call.stableKey,
		request: ['delete', id],
	});
	const deadline = call.api.now() + call.api.maxWaitMs;
	const { value, failure } = await outcomeOf(call.api.call('post.get', { params: { id } }));
	if (failure !== undefined) {
		// Whose deletion was in doubt and who is gone now has been deleted.
		if (failure.facts.status === 404 && call.unsettled()) return { deleted: true, id };
		// A key that may delete need not be one that may read. Without an idempotency key the
		// service deletes nothing that is published.
		if (failure.facts.status !== 403 || consent.given) throw failure;
		await deleteUnpublished(call, id);
		return { deleted: true, id };
	}
	const post = value.data;
	if (post.status === 'draft' || post.status === 'scheduled') {
		await deleteUnpublished(call, id);
	} else {
		requireConsent(post, consent);
		const { note } = await deletePublished(portOf(call, { id, key }), { deadline });
		if (note !== undefined) call.notice(note);
	}
	return { deleted: true, id };
}

/** No key: should the post have been published just now, the service refuses to delete it. */
async function deleteUnpublished({ api }: ItemCall, id: string): Promise<void> {
	const params = { id };
	const { failure } = await outcomeOf(api.call('post.delete', { params }));
	if (failure === undefined) return;
	const read = async () => (await api.call('post.get', { params })).data;
	if (!failure.facts.uncertain || !(await isGone({ read }))) throw failure;
}

interface Consent {
	readonly given: boolean;
	/** Why it is not. */
	readonly missing: string;
}

function readConsent({ functions, input }: ItemCall): Consent {
	const part = modelsPartIn(functions, ['confirmPublished']);
	return part === undefined
		? { given: input.flag('confirmPublished'), missing: 'is not true' }
		: { given: false, missing: `${part}, which is no confirmation by a person` };
}

function requireConsent(post: JsonRecord, { given, missing }: Consent): void {
	const { status } = post;
	const details = { code: 'operation_unavailable', post_status: status ?? null };
	if (status === 'publishing') {
		throw new InputError(
			'The post is being published right now and cannot be deleted. Nothing was sent',
			'Wait until it is published, then delete it with "Confirm Published" set to true.',
			details,
		);
	}
	if (!given) {
		throw new InputError(
			status === 'published'
				? `The post is published, and "Confirm Published" ${missing}. Nothing was deleted`
				: `The post has the status "${String(status)}", so it may be published, and "Confirm Published" ${missing}. Nothing was deleted`,
			'If the post is really to be removed from the network, set "Confirm Published" to true in the node itself, as a fixed value.',
			{ ...details, parameter: 'confirmPublished' },
		);
	}
	if (status === 'published' || status === undefined) requireCapability(post, 'can_delete');
}

function portOf({ api }: ItemCall, { id, key }: { id: string; key: string }) {
	const params = { id };
	return {
		read: async () => (await api.call('post.get', { params })).data,
		remove: async () => (await api.call('post.delete', { params, idempotencyKey: key })).data,
		wait: api.wait,
		now: api.now,
	};
}
