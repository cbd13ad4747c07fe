import type { JsonRecord } from '../../api/schemas';
import { bodyField, readBody } from '../../panel/fields/customFields';
import { dueTimeFieldOption, readDueTimeField } from '../../panel/fields/dueTimeField';
import { requireResult } from '../../panel/fields/requireResult';
import { keyFromUnique } from '../../panel/fields/retrySafety';
import { uniqueKeyOption } from '../../panel/fields/uniqueKey';
import type { Values } from '../../panel/parameters/values';
import { defineOperation } from '../define';
import { dueTimesOf } from '../../planning/pacing/dueTimes';
import { forReadable, sharedKeys } from '../../panel/parameters/sharedKeys';
import { pacingErrors } from '../../panel/fields/pacing';
import type { Planned } from '../../planning/pacing/pacing';
import { textParameter } from '../../panel/fields/parameter';

/** Shown below the field, for somebody who wonders what to write. */
const FIELDS_UNKNOWN =
	'The API document shows no fields for social actions, so the node cannot offer them one by one. Ask the service which fields it accepts, and see <a href="https://github.com/leadgen-publishing/n8n-nodes-leadgen-publishing/blob/main/docs/api-v1.md#social-actions-and-organizations" target="_blank">what is known</a>.';

/** @doubt socialActionFields */
export const createSocialAction = defineOperation({
	action: 'Create social action',
	description: 'Create a new message, comment, repost or other action on the network',
	outside: { kind: 'always', what: 'messages, comments and reposts' },
	endpoints: ['socialAction.create'],
	fields: [
		textParameter('workspaceId', {
			required: true,
			placeholder: 'e.g. 6f1c2f0e-7d4b-4a53-9d53-0c1f0a6c1b11',
			description: 'ID of the workspace to act in',
		}),
		{
			...bodyField(
				'The action as a JSON object. To send several actions, put Schedule > Spread before this node.',
			),
			required: true,
			hint: FIELDS_UNKNOWN,
		},
	],
	options: [
		dueTimeFieldOption('the body'),
		uniqueKeyOption(
			'A value that only this action has, such as a row ID. The node makes the idempotency key from it, so that the service recognizes a repeated action.',
		),
	],
	planBatch: (inputs, { timeZone, notice, stored }) => {
		const actions: Planned[] = [];
		forReadable(inputs, (input, item) => {
			const reading = { field: readDueTimeField(input), timeZone };
			const workspaceId = input.uuid('workspaceId');
			for (const due of dueTimesOf(actionOf(input), reading))
				actions.push({ item, group: workspaceId, due });
		});
		const errors = pacingErrors(actions, {
			what: 'social actions for one workspace',
			parameter: 'body',
			timeZone,
			notice,
		});
		const shared = sharedKeys(inputs, stored, (input) => ({
			place: input.uuid('workspaceId'),
			content: () => actionOf(input),
		}));
		return new Map([...errors, ...shared]);
	},
	run: async ({ api, input, stableKey }) => {
		const workspaceId = input.uuid('workspaceId');
		const body = actionOf(input);
		if (Object.keys(body).length === 0) {
			throw input.fail('body', 'is empty', 'Enter the action as a JSON object.');
		}
		const options = input.collection('options');
		readDueTimeField(input);
		const idempotencyKey = keyFromUnique(options, {
			stableKey,
			request: ['socialAction.create', workspaceId, JSON.stringify(body)],
			subject: ['socialAction.create', workspaceId],
		});
		const params = { workspaceId };
		return (await api.call('socialAction.create', { params, body, idempotencyKey })).data;
	},
});

function actionOf(input: Values): JsonRecord {
	requireResult(input, 'body', 'Map the action as a JSON object.');
	return readBody(input);
}
