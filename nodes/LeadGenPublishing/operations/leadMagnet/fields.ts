/** Parameters shared by Create and Update of a lead magnet. */
import type { INodeProperties } from 'n8n-workflow';
import { choices, parameter, textParameter } from '../../panel/fields/parameter';

export const DELIVERY_MODES = ['external_link', 'gated_external', 'hosted_content'] as const;
export type DeliveryMode = (typeof DELIVERY_MODES)[number];

export const deliveryModeField = parameter('deliveryMode', {
	type: 'options',
	options: choices({
		external_link: 'People get a link to your own resource',
		gated_external: 'People see a page hosted by the service before they get your resource',
		hosted_content: 'The resource is a page hosted by the service',
	}),
	default: 'external_link',
	description:
		'How people get the resource. External Link requires its URL. The other modes require a hosted page.',
});

export const keywordField = textParameter('keyword', {
	placeholder: 'e.g. GUIDE',
	description: 'The word people comment to request the resource',
});

export const resourceNameField = textParameter('resourceName', {
	placeholder: 'e.g. The onboarding guide',
	description: 'Name of the resource',
});

export const resourceLinkField = textParameter('resourceLink', {
	placeholder: 'e.g. https://files.example.com/guide.pdf',
	description: 'URL of the resource. In the mode Gated External, it is required before publishing.',
});

/**
 * The names are only suggestions. The empty texts show where to write, and a page without content
 * is rejected.
 */
const HOSTED_PAGE_START = '{\n\t"title": "",\n\t"content": ""\n}';

/** @doubt hostedPageFields */
export const hostedPageField = parameter('hostedPage', {
	type: 'json',
	typeOptions: { rows: 6 },
	default: HOSTED_PAGE_START,
	description:
		'The page as a JSON object, with its content in Markdown. The service does not document the field names. title and content are only a suggestion.',
});

/** The service accepts both or neither, so they are one group in the form. */
export const ctaFields: readonly INodeProperties[] = [
	textParameter('ctaLabel', {
		placeholder: 'e.g. Book a call',
		description: 'Label of the call to action. Enter the CTA URL, too.',
	}),
	textParameter('ctaUrl', {
		placeholder: 'e.g. https://example.com/call',
		description: 'URL of the call to action. Enter the CTA Label, too.',
	}),
];

/** Additional fields of a lead magnet. */
export const furtherMagnetFields: readonly INodeProperties[] = [
	parameter('cta', {
		type: 'fixedCollection',
		placeholder: 'Add CTA',
		default: {},
		description: 'The call to action: its label and its URL',
		options: [{ displayName: 'CTA', name: 'values', values: [...ctaFields] }],
	}),
	textParameter('description', {
		typeOptions: { rows: 3 },
		placeholder: 'e.g. Ten pages on onboarding',
		description: 'What the resource is about',
	}),
	textParameter('linkedPosts', {
		// Each entry may be an expression that returns a list.
		typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Post' },
		placeholder: 'e.g. 6f1c2f0e-7d4b-4a53-9d53-0c1f0a6c1b11',
		description:
			'IDs of the posts that offer the resource, or an expression that returns a list of them',
	}),
	textParameter('textTemplate', {
		typeOptions: { rows: 4 },
		placeholder: 'e.g. Here is your guide: [[resource_link]]',
		description: 'The message that people get. Write [[resource_link]] where the link should be.',
		builderHint: {
			propertyHint: 'Write [[resource_link]] for the link, never double curly brackets.',
		},
	}),
];

export const UPDATABLE_FIELDS: readonly INodeProperties[] = [
	...furtherMagnetFields,
	deliveryModeField,
	hostedPageField,
	keywordField,
	resourceLinkField,
	resourceNameField,
];
