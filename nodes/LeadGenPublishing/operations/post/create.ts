import { type JsonRecord, without } from '../../api/schemas';
import type { ItemCall } from '../operation';
import { openAttempt } from '../../item/itemCall';
import { readChoice } from '../../panel/fields/requireResult';
import { onTeamBoostConflictOption, readOnTeamBoostConflict } from '../../panel/fields/retrySafety';
import { ifPostExistsOption, readUniqueKey, uniqueKeyOption } from '../../panel/fields/uniqueKey';
import { dueTimeFieldOption } from '../../panel/fields/dueTimeField';
import type { Values } from '../../panel/parameters/values';
import { fieldsToCome } from '../../writes/media/attachedMedia';
import { checkBody, checkSchedule, warnAboutMedia } from '../../writes/posts/checks';
import { checkNotes } from '../../writes/posts/notes';
import { notePostKey } from '../../writes/posts/posts';
import { createPostOnce, type PostToCreate } from '../../writes/posts/createPost';
import { defineOperation } from '../define';
import { openAttachments } from './attachments';
import { sharedKeys } from '../../panel/parameters/sharedKeys';
import { planFollowups } from './followupPacing';
import { contentOf, newPostFields, readNewPost, requireContent } from './newPost';
import { ifSimilarOptions, similarPosts } from './similarPost';
import { POST } from './simplify';
import { slotOptions } from './slotFields';
import { noteTimesAskedFor, timeTaker } from './slotOfPost';

export const createPost = defineOperation({
	action: 'Create post',
	description: 'Create a new post',
	outside: { kind: 'unlessDraft', what: 'what is posted' },
	endpoints: ['post.create'],
	fields: newPostFields,
	customFields: 'body',
	options: [
		dueTimeFieldOption('each follow-up'),
		ifPostExistsOption,
		...ifSimilarOptions,
		onTeamBoostConflictOption,
		...slotOptions,
		uniqueKeyOption(
			'A value that only this post has, such as a row ID. If a post with this key exists, it is returned and a second one is not created. The key is stored as the last line of the post notes.',
		),
	],
	simplification: POST,
	planBatch: (inputs, context) => {
		const { stored, timeZone } = context;
		noteTimesAskedFor(inputs, context);
		const followups = planFollowups('additionalFields')(inputs, context);
		const shared = sharedKeys(
			inputs,
			stored,
			(input) => ({
				content: () => without(contentOf(input, { timeZone, notice: NOT_YET }), 'notes'),
			}),
			{
				option: 'uniqueKey',
				key: 'Unique Key',
				note: (key) => notePostKey(context.shared, key),
			},
		);
		return new Map([...followups, ...shared]);
	},
	resume: async (call) =>
		readUniqueKey(call.input.collection('options')) === undefined
			? undefined
			: await createFrom(call),
	recall: async (id, { api }) => (await api.call('post.get', { params: { id } })).data,
	run: async (call) => (await createFrom(call)) ?? {},
});

/** Ignores hints. The user gets them when the item runs. */
const NOT_YET = () => undefined;

async function createFrom(call: ItemCall): Promise<JsonRecord | undefined> {
	const { input, timeZone, notice } = call;
	const wanted = readNewPost(input, { timeZone, notice });
	const { post, slot, attachments } = wanted;
	const options = input.collection('options');
	requireContent(wanted);
	checkBody(post);
	const similar = similarPosts(call, post.body);
	const unique = readUnique(options);
	const mayMove = readOnTeamBoostConflict(options) === 'reschedule';
	if (unique !== undefined) checkNotes(post);
	// A post with a key may exist already, and then its time may be over.
	else if (slot === undefined) checkSchedule(post, call);
	// What a model may not do fails before anything is requested. After an earlier attempt, only its
	// outcome is checked first.
	if (attachments.length > 0 || openAttempt(call) === undefined)
		call.api.requireAllowed('post.create', { body: post.body });
	const media = await openAttachments(call, attachments);
	warnAboutMedia(post, call, fieldsToCome(media));
	const takeTime = slot && timeTaker(call, slot);
	return await createPostOnce(call, { post, media, takeTime, unique, similar, mayMove });
}

/** The key of the post, and what to do if it exists. */
function readUnique(options: Values): PostToCreate['unique'] {
	const key = readUniqueKey(options);
	if (key === undefined && options.isStored('ifExists')) {
		throw options.fail(
			'ifExists',
			'has no effect without "Unique Key"',
			'Add "Unique Key", so that the node can recognize an existing post, or remove "If Exists".',
		);
	}
	if (key === undefined) return undefined;
	const ifExists = readChoice(options, 'ifExists', {
		choices: ['fail', 'return', 'returnIfSame'],
		fallback: 'returnIfSame',
	});
	return { key, ifExists };
}
