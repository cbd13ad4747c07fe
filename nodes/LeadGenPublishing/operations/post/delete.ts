import type { JsonRecord } from '../../api/schemas';
import type { ItemCall } from '../operation';
import { postLocator } from '../../panel/fields/locators';
import { parameter } from '../../panel/fields/parameter';
import { idempotencyKeyOption, readOwnKey } from '../../panel/fields/retrySafety';
import { modelSourceOf } from '../../panel/parameters/modelSource';
import { deletePostOnce, type Consent } from '../../writes/posts/deletePost';
import { defineOperation } from '../define';
import { sharedIdempotencyKeys } from '../../panel/parameters/sharedKeys';

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
	const consent = readConsent(call);
	const key = readOwnKey(call.input.collection('options'));
	await deletePostOnce(call, { id, consent, key });
	return { deleted: true, id };
}

function readConsent({ functions, input }: ItemCall): Consent {
	const source = modelSourceOf(functions, ['confirmPublished']);
	return source === undefined
		? { given: input.flag('confirmPublished'), missing: 'is not true' }
		: { given: false, missing: `${source}, which does not count as a confirmation by a person` };
}
