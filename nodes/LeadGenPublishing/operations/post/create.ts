import type { JsonRecord } from '../../api/schemas';
import { requiredFor } from '../../fields/conditional';
import { readCustomFields } from '../../fields/customFields';
import { onTeamBoostConflictOption, readOnTeamBoostConflict } from '../../fields/retrySafety';
import { ifPostExistsOption, readUniqueKey, uniqueKeyOption } from '../../fields/uniqueKey';
import { additionalFields } from '../../fields/shared';
import { defineOperation, type ItemCall } from '../define';
import {
	checkBody,
	checkSchedule,
	hasDocument,
	hasImages,
	postBody,
	warnAboutMissingDocument,
	type PostBody,
} from './body';
import { furtherFields, scheduledAtField, statusField, textField } from './fields';
import { planFollowups } from './followupPacing';
import { createUnique } from './uniquePost';
import { sendRescheduling } from './reschedule';
import { POST } from './simplify';

export const create = defineOperation({
	value: 'create',
	name: 'Create',
	action: 'Create post',
	description: 'Create a new post',
	kind: 'write',
	endpoints: ['post.create'],
	fields: [
		{ ...textField, required: true },
		statusField('draft'),
		...requiredFor(scheduledAtField, {
			parameter: 'status',
			value: 'scheduled',
			not: ['draft', 'published'],
		}),
		additionalFields(furtherFields),
	],
	customFields: 'body',
	options: [
		ifPostExistsOption,
		onTeamBoostConflictOption,
		uniqueKeyOption(
			'A value that only this post has, such as the ID of a row. A post that exists with this key is returned instead of creating a second one. The key is added to the notes of the post.',
		),
	],
	simplification: POST,
	planBatch: planFollowups('additionalFields'),
	resume: async (call) =>
		readUniqueKey(call.input.collection('options')) === undefined
			? undefined
			: await createPost(call),
	recall: async (id, { api }) => (await api.call('post.get', { params: { id } })).data,
	run: async (call) => (await createPost(call)) ?? {},
});

async function createPost(call: ItemCall): Promise<JsonRecord | undefined> {
	const { api, input, functions, notice } = call;
	const additional = input.collection('additionalFields');
	const custom = readCustomFields(input);
	const status = 'status' in custom ? custom.status : input.optionalText('status')?.trim();
	const names = ['text', 'status', ...(status === 'scheduled' ? ['scheduledAt'] : [])];
	const post = postBody(
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
		{ input, timeZone: functions.getTimezone(), notice },
	);
	const { body } = post;
	requireContent(post);
	checkBody(post);
	warnAboutMissingDocument(post, { notice });
	const options = input.collection('options');
	const onConflict = readOnTeamBoostConflict(options);
	const send = async (sent: JsonRecord) =>
		await sendRescheduling(sent, {
			allowed: onConflict === 'reschedule' && body.status === 'scheduled',
			scheduledAt: body.scheduled_at,
			notice,
			send: async (body) => (await api.call('post.create', { body })).data,
		});
	const check = () => checkSchedule(post, { now: api.now(), notice });
	return await createUnique(call, { post, check, send });
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
