import { readCustomFields } from '../../fields/customFields';
import { onTeamBoostConflictOption, readOnTeamBoostConflict } from '../../fields/retrySafety';
import { additionalFields, customFields, maxWaitOption, optionsField } from '../../fields/shared';
import { defineOperation } from '../define';
import { requireStatusSetByPerson } from '../personDecides';
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
import { sendRescheduling } from './reschedule';

export const create = defineOperation({
	value: 'create',
	name: 'Create',
	action: 'Create post',
	description:
		'Create a new post as a draft, for a time in the future, or published at once. The text has at most 3000 characters, and images and a document exclude each other.',
	kind: 'write',
	endpoints: ['post.create'],
	fields: [
		textField,
		statusField('draft'),
		{
			...scheduledAtField,
			// Not `required`: n8n would also demand it when the status is an expression.
			displayOptions: { show: { status: ['scheduled'] } },
		},
		additionalFields(furtherFields),
		customFields('body'),
		optionsField([maxWaitOption, onTeamBoostConflictOption]),
	],
	planBatch: planFollowups('additionalFields'),
	recall: async (id, { api }) => (await api.call('post.get', { params: { id } })).data,
	run: async (call) => {
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
		requireStatusSetByPerson(call, post);
		checkBody(post);
		checkSchedule(post, { now: api.now(), notice });
		warnAboutMissingDocument(post, { notice });
		const onConflict = readOnTeamBoostConflict(input.collection('options'));
		return await sendRescheduling(body, {
			allowed: onConflict === 'reschedule' && body.status === 'scheduled',
			scheduledAt: body.scheduled_at,
			notice,
			send: async (sent) => (await api.call('post.create', { body: sent })).data,
		});
	},
});

/** The API document does not say that media need a text, so only an empty post is refused. */
function requireContent({ body, fail }: PostBody): void {
	if ('text' in body || hasImages(body) || hasDocument(body)) return;
	throw fail(
		'text',
		'is empty',
		'Enter the text of the post, or map it from the input item. To send a post of something else, give "text" in "Custom Fields", even if empty.',
	);
}
