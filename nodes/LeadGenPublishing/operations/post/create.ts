import { type JsonRecord, without } from '../../api/schemas';
import { requiredFor } from '../../fields/parameter';
import { readCustomFields } from '../../fields/customFields';
import { onTeamBoostConflictOption, readOnTeamBoostConflict } from '../../fields/retrySafety';
import { ifPostExistsOption, readUniqueKey, uniqueKeyOption } from '../../fields/uniqueKey';
import { additionalFields } from '../../fields/shared';
import type { MomentContext } from '../../fields/moment';
import type { Values } from '../../parameters/values';
import type { ItemCall } from '../../item/itemCall';
import { defineOperation } from '../define';
import { sharedKeys } from '../sharedKeys';
import {
	checkBody,
	checkSchedule,
	hasDocument,
	hasImages,
	postBody,
	warnAboutMissingDocument,
	type PostBody,
} from './body';
import { furtherPostFields, scheduledAtField, statusField, textField } from './fields';
import { planFollowups } from './followupPacing';
import { createUnique } from './uniquePost';
import { sendRescheduling } from './reschedule';
import { POST } from './simplify';
import { ifSimilarOptions, similarPosts } from './similarPost';

export const createPost = defineOperation({
	action: 'Create post',
	description: 'Create a new post',
	endpoints: ['post.create'],
	fields: [
		{ ...textField, required: true },
		statusField,
		...requiredFor(scheduledAtField, {
			parameter: 'status',
			value: 'scheduled',
			not: ['draft', 'published'],
		}),
		additionalFields(furtherPostFields),
	],
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
			content: () => without(bodyOf(input, { timeZone, notice: NOT_YET }).body, 'notes'),
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

/** Hints are given when the item runs. */
const NOT_YET = () => undefined;

function bodyOf(input: Values, context: MomentContext): PostBody {
	const additional = input.collection('additionalFields');
	const custom = readCustomFields(input);
	const status = 'status' in custom ? custom.status : input.optionalText('status')?.trim();
	const names = ['text', 'status', ...(status === 'scheduled' ? ['scheduledAt'] : [])];
	return postBody(
		[
			{
				values: input,
				names,
				// Without this, an empty expression would silently drop the status and its time.
				required: input.isStored('status') ? ['status'] : [],
				emptyRemoves: false,
			},
			{ values: additional, names: additional.names, emptyRemoves: false },
		],
		{ ...context, input },
	);
}

async function createFrom(call: ItemCall): Promise<JsonRecord | undefined> {
	const { api, input, functions, notice } = call;
	const post = bodyOf(input, { timeZone: functions.getTimezone(), notice });
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

/** The API document does not say that media need a text, so only an empty post is refused. */
function requireContent({ body, fail }: PostBody): void {
	if ('text' in body || hasImages(body) || hasDocument(body)) return;
	throw fail(
		'text',
		'is empty',
		'Enter the text of the post, or map it from the input item. To send a post of something else, give "text" in "Custom Fields", even if empty.',
	);
}
