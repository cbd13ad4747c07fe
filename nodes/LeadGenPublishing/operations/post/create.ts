import { type JsonRecord, without } from '../../api/schemas';
import { onTeamBoostConflictOption, readOnTeamBoostConflict } from '../../panel/fields/retrySafety';
import { ifPostExistsOption, readUniqueKey, uniqueKeyOption } from '../../panel/fields/uniqueKey';
import type { ItemCall } from '../../item/itemCall';
import { createRecord } from '../createRecord';
import { dueTimeFieldOption } from '../../panel/fields/dueTimeField';
import { defineOperation } from '../define';
import { sharedKeys } from '../sharedKeys';
import { checkBody, checkSchedule, warnAboutMedia } from './body';
import { planFollowups } from './followupPacing';
import { fieldsToCome, openMedia } from './media/attachedMedia';
import { attachedFiles } from './media/filesInMarker';
import { Preparation } from './media/preparation';
import { contentOf, newPostFields, readNewPost, requireContent } from './newPost';
import { createUnique } from './uniquePost';
import { sendRescheduling } from './reschedule';
import { POST } from './simplify';
import { ifSimilarOptions, similarPosts } from './similarPost';
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
		const shared = sharedKeys(inputs, stored, (input) => ({
			content: () => without(contentOf(input, { timeZone, notice: NOT_YET }), 'notes'),
		}));
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
	const { api, input, functions, notice } = call;
	const wanted = readNewPost(input, { timeZone: functions.getTimezone(), notice });
	const { post, slot, attachments } = wanted;
	requireContent(wanted);
	checkBody(post);
	const similar = similarPosts(call, post.body);
	const media = await openMedia(call, attachments);
	warnAboutMedia(post, call, fieldsToCome(media));
	const prepared = new Preparation(call, { media, takeTime: slot && timeTaker(call, slot) });
	const creating = createUnique(call, {
		post,
		attached: attachedFiles(media),
		check: async () => {
			await api.requireAllowed('post.create', { body: post.body });
			const time = await prepared.plan();
			checkSchedule({ ...post, body: { ...post.body, ...time } }, call);
			await similar?.check();
		},
		send: async (body) => {
			const whole = { ...body, ...(await prepared.fieldsFor({ files: true, time: true })) };
			return await sendRescheduling(call, {
				post: whole,
				body: whole,
				send: async (sent) => await createRecord(call, { resource: 'post', body: sent }),
			});
		},
		mayBeLater: readOnTeamBoostConflict(input.collection('options')) === 'reschedule',
	});
	return await prepared.settle(similar?.remember(creating) ?? creating);
}
