import { type JsonRecord, without } from '../../api/schemas';
import { onTeamBoostConflictOption, readOnTeamBoostConflict } from '../../fields/retrySafety';
import { ifPostExistsOption, readUniqueKey, uniqueKeyOption } from '../../fields/uniqueKey';
import type { ItemCall } from '../../item/itemCall';
import { defineOperation } from '../define';
import { sharedKeys } from '../sharedKeys';
import { checkBody, checkSchedule, warnAboutMissingDocument } from './body';
import { planFollowups } from './followupPacing';
import { newPostBody, newPostFields, requireContent } from './newPost';
import { createUnique } from './uniquePost';
import { sendRescheduling } from './reschedule';
import { POST } from './simplify';
import { ifSimilarOptions, similarPosts } from './similarPost';

export const create = defineOperation({
	action: 'Create post',
	description: 'Create a new post',
	endpoints: ['post.create'],
	fields: newPostFields,
	customFields: 'body',
	options: [
		ifPostExistsOption,
		...ifSimilarOptions,
		onTeamBoostConflictOption,
		uniqueKeyOption(
			'A value that only this post has, such as the ID of a row. A post that exists with this key is returned instead of creating a second one. The key is added to the notes of the post, as their last line.',
		),
	],
	simplification: POST,
	planBatch: (inputs, context) => {
		const { stored, timeZone } = context;
		const followups = planFollowups('additionalFields')(inputs, context);
		const shared = sharedKeys(inputs, stored, (input) => ({
			content: () => without(newPostBody(input, { timeZone, notice: NOT_YET }).body, 'notes'),
		}));
		return new Map([...followups, ...shared]);
	},
	resume: async (call) =>
		readUniqueKey(call.input.collection('options')) === undefined
			? undefined
			: await createPost(call),
	recall: async (id, { api }) => (await api.call('post.get', { params: { id } })).data,
	run: async (call) => (await createPost(call)) ?? {},
});

/** Hints are given when the item runs. */
const NOT_YET = () => undefined;

async function createPost(call: ItemCall): Promise<JsonRecord | undefined> {
	const { api, input, functions, notice } = call;
	const post = newPostBody(input, { timeZone: functions.getTimezone(), notice });
	requireContent(post);
	checkBody(post);
	warnAboutMissingDocument(post, call);
	const similar = similarPosts(call, post.body);
	const record = await createUnique(call, {
		post,
		check: async () => {
			checkSchedule(post, call);
			await similar?.check();
		},
		send: async (body) =>
			await sendRescheduling(call, {
				post: body,
				body,
				send: async (sent) => (await api.call('post.create', { body: sent })).data,
			}),
		mayBeLater: readOnTeamBoostConflict(input.collection('options')) === 'reschedule',
	});
	if (record !== undefined) similar?.remember(record);
	return record;
}
