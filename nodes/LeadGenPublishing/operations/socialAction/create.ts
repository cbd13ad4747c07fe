import type { JsonRecord } from '../../api/schemas';
import { bodyField, readBody } from '../../panel/fields/customFields';
import { requireResult } from '../../panel/fields/requireResult';
import { keyFromUnique } from '../../panel/fields/retrySafety';
import { uniqueKeyOption } from '../../panel/fields/uniqueKey';
import type { Values } from '../../panel/parameters/values';
import { defineOperation } from '../define';
import { dueTimesOf } from '../../planning/pacing/dueTimes';
import { forReadable, sharedKeys } from '../sharedKeys';
import { pacingErrors, warnAboutPacing, type Planned } from '../../planning/pacing/pacing';
import { textParameter } from '../../panel/fields/parameter';

/** Shown below the field, for somebody who wonders what to write. */
const FIELDS_UNKNOWN =
	'The API document shows no fields for social actions, so the node cannot offer them one by one. Ask the service which fields it takes, and see <a href="https://github.com/leadgen-publishing/n8n-nodes-leadgen-publishing/blob/main/docs/api-v1.md#social-actions-and-organizations" target="_blank">what is known</a>.';

/** @doubt socialActionFields */
export const createSocialAction = defineOperation({
	action: 'Create social action',
	description: 'Create a new message, comment, repost or other action on the network',
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
		textParameter('dueTimeField', {
			placeholder: 'e.g. scheduled_at',
			description:
				'Name of the body field with the due time of the action. The node needs it to notice actions that are due at the same time.',
		}),
		uniqueKeyOption(
			'A value that only this action has, such as a row ID. The node makes the idempotency key from it, so that the service recognizes a repeated action.',
		),
	],
	planBatch: (inputs, { timeZone, notice, stored }) => {
		const actions: Planned[] = [];
		forReadable(inputs, (input, item) => {
			const field = dueTimeFieldOf(input.collection('options'));
			const dueTimes = dueTimesOf(actionOf(input), { field, timeZone });
			actions.push({ item, group: input.uuid('workspaceId'), ...dueTimes });
		});
		warnAboutPacing(actions, { what: 'social actions', timeZone, notice });
		const shared = sharedKeys(inputs, stored, (input) => ({
			place: input.uuid('workspaceId'),
			content: () => actionOf(input),
		}));
		return new Map([...pacingErrors(actions, WORDING), ...shared]);
	},
	run: async ({ api, input, stableKey }) => {
		const workspaceId = input.uuid('workspaceId');
		const body = actionOf(input);
		if (Object.keys(body).length === 0) {
			throw input.fail('body', 'is empty', 'Enter the action as a JSON object.');
		}
		const options = input.collection('options');
		dueTimeFieldOf(options);
		const idempotencyKey = keyFromUnique(options, {
			stableKey,
			request: ['socialAction.create', workspaceId, JSON.stringify(body)],
			subject: ['socialAction.create', workspaceId],
		});
		const params = { workspaceId };
		return (await api.call('socialAction.create', { params, body, idempotencyKey })).data;
	},
});

const WORDING = {
	what: 'social actions for one workspace',
	parameter: 'body',
	undated:
		'If the body uses a different field for the due time, enter its name in the option "Due Time Field". If the service plans the time itself, send one action per run: Loop Over Items with a Wait of random length.',
};

function actionOf(input: Values): JsonRecord {
	requireResult(input, 'body', 'Map the action as a JSON object.');
	return readBody(input);
}

const dueTimeFieldOf = (options: Values): string | undefined =>
	options.optionalText('dueTimeField')?.trim();
