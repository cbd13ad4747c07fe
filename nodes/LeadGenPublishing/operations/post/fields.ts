/** The parameters shared by Create and Update. */
import type { INodeProperties } from 'n8n-workflow';
import { choices, parameter, textParameter } from '../../panel/fields/parameter';
import { NEXT_FREE_SLOT } from './slotFields';

/** Without `publishing`, an intermediate status that only the service sets. */
const STATUSES = choices({
	draft: 'Stored in the service, not published',
	published: 'Published immediately, if the service allows it',
	scheduled: 'Published at the scheduled time, which must be in the future',
});

export const statusField = parameter('status', {
	type: 'options',
	options: STATUSES,
	default: 'draft',
	description:
		'Status to set. An AI model may only choose Draft. In a tool, publishing or scheduling requires a fixed value.',
	builderHint: {
		propertyHint:
			'Never use $fromAI here. To publish or schedule a post, a tool needs a fixed value that the user has chosen.',
	},
});

const NEW_STATUS_OPTIONS = [
	...STATUSES,
	{
		name: 'Scheduled at the Next Free Slot',
		value: NEXT_FREE_SLOT,
		description:
			'Published at the first free time of the account, as found by Schedule > Next Free Slot',
	},
];

/** The status of a post that does not exist yet. */
export const newStatusField: INodeProperties = { ...statusField, options: NEW_STATUS_OPTIONS };
export const NEW_STATUSES: readonly string[] = NEW_STATUS_OPTIONS.map(({ value }) => String(value));

export const textField = textParameter('text', {
	typeOptions: { rows: 5 },
	placeholder: 'e.g. Three things we learned this quarter …',
	description: 'Text of the post, at most 3000 characters',
});

export const scheduledAtField = parameter('scheduledAt', {
	type: 'dateTime',
	default: '',
	description:
		'When to publish the post: a time in the future, in ISO 8601 or as a Luxon date. Without a UTC offset, the time is in "Time Zone" if that is shown, otherwise in the time zone of the workflow.',
	builderHint: {
		propertyHint:
			'Required when status is "scheduled". For several posts, take it from Schedule > Spread instead of computing equal intervals.',
	},
});

export const furtherPostFields: readonly INodeProperties[] = [
	textParameter('documentType', {
		placeholder: 'e.g. image',
		description:
			'Type of the media. The service does not document the allowed values; "image" is one.',
	}),
	textParameter('documentUrl', {
		placeholder: 'e.g. https://files.example.com/guide.pdf',
		description: 'URL of the document. A post with a document cannot have images.',
	}),
	parameter('followups', {
		type: 'json',
		default: 'null',
		description:
			'Follow-ups of the post as JSON, or null for none. The service does not document their structure.',
	}),
	textParameter('images', {
		// Each entry may be an expression that returns a list.
		typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Image' },
		placeholder: 'e.g. https://files.example.com/a.png',
		description:
			'Image URLs, or an expression that returns a list of them. A post with a document cannot have images.',
	}),
	textParameter('notes', {
		typeOptions: { rows: 3 },
		placeholder: 'e.g. Approved by marketing',
		description: 'Internal note, never published',
	}),
	textParameter('templateId', {
		placeholder: 'e.g. 6f1c2f0e-7d4b-4a53-9d53-0c1f0a6c1b11',
		description: 'Template that the post was made from',
	}),
	textParameter('themeId', {
		placeholder: 'e.g. 6f1c2f0e-7d4b-4a53-9d53-0c1f0a6c1b11',
		description: 'Theme that the post belongs to',
	}),
];

export const currentStatusOption = parameter('currentStatus', {
	type: 'options',
	options: [
		{ name: 'Draft', value: 'draft', description: 'The post is a draft' },
		{
			name: 'Published',
			value: 'published',
			description: 'The post is published. The node still reads it before it changes the text.',
		},
		{ name: 'Read From Service', value: 'read', description: 'Read the post first' },
		{ name: 'Scheduled', value: 'scheduled', description: 'The post is scheduled' },
	],
	default: 'read',
	description:
		'Current status of the post, if you know it. The node then does not read the post first. If you change notes, it reads the post anyway, and fails if the post has moved on, for example from draft to published.',
});
