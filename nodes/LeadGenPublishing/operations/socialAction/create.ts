import { bodyField, readBody } from '../../fields/freeBody';
import { idempotencyKeyOption, readKey } from '../../fields/retrySafety';
import { customFields, maxWaitOption, optionsField } from '../../fields/shared';
import type { Values } from '../../fields/values';
import { defineOperation } from '../define';
import { dueTimesOf } from './dueTimes';
import { pacingErrors, type PlannedAction } from './pacing';

export const create = defineOperation({
	value: 'create',
	name: 'Create',
	action: 'Create social action',
	description:
		'Create a new action toward the network in a workspace, such as a message, a comment or a repost. Several of them must not be due at one time or at equal intervals: use Schedule > Spread before.',
	kind: 'write',
	endpoints: ['socialAction.create'],
	fields: [
		{
			displayName: 'Workspace ID',
			name: 'workspaceId',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. 6f1c2f0e-7d4b-4a53-9d53-0c1f0a6c1b11',
			description: 'The workspace to act in, a UUID',
		},
		{
			...bodyField(
				'The action as a JSON object. The service does not publish its fields: take them from what you received with your access.',
			),
			required: true,
		},
		customFields('body'),
		optionsField([
			{
				displayName: 'Due Time Field',
				name: 'dueTimeField',
				type: 'string',
				default: '',
				placeholder: 'e.g. scheduled_at',
				description:
					'Name of the field in the body that says when the action is due, if the node does not find it by itself. Used to refuse actions that are due together.',
			},
			idempotencyKeyOption,
			maxWaitOption,
		]),
	],
	planBatch: (inputs) => ({ errors: pacingErrors(inputs.flatMap(planned)) }),
	run: async ({ api, input, stableKey }) => {
		const workspaceId = input.uuid('workspaceId');
		const body = readBody(input);
		if (Object.keys(body).length === 0) {
			throw input.fail('body', 'is empty', 'Enter the action as a JSON object.');
		}
		const idempotencyKey = readKey(input.collection('options'), {
			stableKey,
			request: ['socialAction.create', workspaceId, JSON.stringify(body)],
		});
		const params = { workspaceId };
		return (await api.call('socialAction.create', { params, body, idempotencyKey })).data;
	},
});

/** What cannot be read is not sent either: its own turn says so. */
function planned(input: Values, item: number): PlannedAction[] {
	try {
		const field = input.collection('options').optionalText('dueTimeField')?.trim();
		const dueTimes = dueTimesOf(readBody(input), field);
		return [{ item, workspaceId: input.uuid('workspaceId'), dueTimes }];
	} catch {
		return [];
	}
}
