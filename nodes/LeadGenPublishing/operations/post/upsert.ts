import type { JsonRecord } from '../../api/schemas';
import { onStaleVersionOption, onTeamBoostConflictOption } from '../../panel/fields/retrySafety';
import { readRequiredUniqueKey, uniqueKeyField } from '../../panel/fields/uniqueKey';
import type { ItemCall } from '../operation';
import { openAttempt } from '../../item/itemCall';
import { withAction } from '../../panel/output/record';
import { dueTimeFieldOption } from '../../panel/fields/dueTimeField';
import { defineOperation } from '../define';
import { openAttachments } from './attachments';
import { CREATE_OR_UPDATE } from '../createOrUpdate';
import { sharedKeys } from '../../panel/parameters/sharedKeys';
import { checkBody, warnAboutMedia } from '../../writes/posts/checks';
import { checkNotes } from '../../writes/posts/notes';
import { notePostKey } from '../../writes/posts/posts';
import { upsertPostOnce } from '../../writes/posts/upsertPost';
import { readConflictSettings } from './changeSettings';
import { planFollowups } from './followupPacing';
import { fieldsToCome } from '../../writes/media/attachedMedia';
import { contentOf, newPostFields, readNewPost, requireContent } from './newPost';
import { POST } from './simplify';
import { slotOptions } from './slotFields';
import { noteTimesAskedFor, timeTaker } from './slotOfPost';

export const upsertPost = defineOperation({
	...CREATE_OR_UPDATE,
	action: 'Create or update post',
	outside: { kind: 'unlessDraft', what: 'what is posted' },
	endpoints: ['post.create', 'post.update'],
	fields: [
		uniqueKeyField(
			'A value that only this post has, such as a row ID. If a post with this key exists, it is updated where it differs from the item. The key is stored as the last line of the post notes.',
		),
		...newPostFields,
	],
	customFields: 'body',
	options: [
		dueTimeFieldOption('each follow-up'),
		onStaleVersionOption,
		onTeamBoostConflictOption,
		...slotOptions,
	],
	simplification: withAction(POST),
	planBatch: (inputs, context) => {
		const { timeZone } = context;
		noteTimesAskedFor(inputs, context);
		const followups = planFollowups('additionalFields')(inputs, context);
		const shared = sharedKeys(
			inputs,
			context.stored,
			(input) => ({
				key: readRequiredUniqueKey(input),
				content: () => contentOf(input, { timeZone, notice: NOT_YET, emptyMedia: 'removes' }),
			}),
			{
				option: 'uniqueKey',
				key: 'Unique Key',
				isRequired: true,
				note: (key) => notePostKey(context.shared, key),
			},
		);
		return new Map([...followups, ...shared]);
	},
	resume: async (call) => await upsert(call),
	recall: async (id, { api }) => (await api.call('post.get', { params: { id } })).data,
	run: async (call) => (await upsert(call)) ?? {},
});

/** Ignores hints. The user gets them when the item runs. */
const NOT_YET = () => undefined;

async function upsert(call: ItemCall): Promise<JsonRecord | undefined> {
	const { input, timeZone, notice } = call;
	const row = readNewPost(input, { timeZone, notice, emptyMedia: 'removes' });
	const { post, slot, attachments } = row;
	requireContent(row);
	checkBody(post);
	checkNotes(post);
	const key = readRequiredUniqueKey(input);
	const settings = readConflictSettings(call, input.collection('options'));
	// What a model may not do fails before anything is requested. After an earlier attempt, only its
	// outcome is checked first.
	if (attachments.length > 0 || openAttempt(call) === undefined)
		call.api.requireAllowed('post.create', { body: post.body });
	const media = await openAttachments(call, attachments);
	warnAboutMedia(post, call, fieldsToCome(media));
	const takeTime = slot && timeTaker(call, slot);
	return await upsertPostOnce(call, { post, key, media, takeTime, settings });
}
