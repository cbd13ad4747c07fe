/** The option with which a person lets an AI model change what people outside see. */
import type { INodeProperties } from 'n8n-workflow';

export const MODEL_MAY_PUBLISH = 'modelMayPublish';

export const modelMayPublishOption: INodeProperties = {
	displayName: 'Model May Publish',
	name: MODEL_MAY_PUBLISH,
	type: 'boolean',
	default: false,
	description:
		'Whether an AI model may schedule, publish, archive, delete, or send something to the network. Others can see these changes, and no person checks them unless you add a human review before the tool. Must be a fixed value.',
	displayOptions: { show: { '@tool': [true] } },
	builderHint: {
		propertyHint:
			'Leave it out unless the user wants the agent to act without asking. Never use $fromAI here.',
	},
};
