/** The option by which a person lets an AI model do more than write drafts. */
import type { INodeProperties } from 'n8n-workflow';

export const MODEL_MAY_PUBLISH = 'modelMayPublish';

export const modelMayPublishOption: INodeProperties = {
	displayName: 'Model May Publish',
	name: MODEL_MAY_PUBLISH,
	type: 'boolean',
	default: false,
	description:
		'Whether an AI model may fill in what is scheduled, published or sent to the network, not only drafts. Nobody sees it before, unless a human review stands before the tool. Only a fixed value counts.',
	displayOptions: { show: { '@tool': [true] } },
	builderHint: {
		propertyHint:
			'Leave it out unless the user wants the agent to publish by itself. Never use $fromAI here.',
	},
};
