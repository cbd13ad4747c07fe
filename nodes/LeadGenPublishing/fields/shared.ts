import type { INodeProperties } from 'n8n-workflow';

import type { Values } from '../parameters/values';

/** For fields that the API document names in another place, or not at all. */
export const customFields = (sentIn: 'body' | 'query'): INodeProperties => ({
	displayName: 'Custom Fields',
	name: 'customFields',
	type: 'json',
	default: '{}',
	description:
		sentIn === 'body'
			? 'JSON object merged into the body of the request, for fields that have no parameter here. Null removes a field.'
			: 'JSON object merged into the query of the request, for filters that have no parameter here. Null removes one.',
	builderHint: {
		propertyHint: `Leave it as {} unless the user names a field of the service.${
			sentIn === 'body' ? ' A status from $fromAI is refused, unless it is "draft".' : ''
		}`,
	},
});

export const simplifyField = (what: string): INodeProperties => ({
	displayName: 'Simplify',
	name: 'simplify',
	type: 'boolean',
	default: true,
	description: `Whether to return a simplified version of the response instead of the raw data (${what})`,
});

/** On, like the form's default, when an expression evaluates to nothing. */
export const readSimplify = (input: Values): boolean => input.flag('simplify', true);

export const maxWaitOption: INodeProperties = {
	displayName: 'Max Wait Seconds',
	name: 'maxWaitSeconds',
	type: 'number',
	typeOptions: { minValue: 0, maxValue: 3600 },
	default: 60,
	description:
		'How long an item may take when the service is slow, fails, throttles or has to settle: requests and pauses together. For a list only the time without usable answers counts; sending a file to the storage does not count. With 0, each request is sent once, without waiting, and may take 60 seconds.',
};

/** Undefined if the user has not chosen. */
export function readMaxWaitMs(input: Values): number | undefined {
	const options = input.collection('options');
	if (!options.has('maxWaitSeconds')) return undefined;
	return options.integer('maxWaitSeconds', { min: 0, max: 3600 }) * 1000;
}

export const optionsField = (options: readonly INodeProperties[]): INodeProperties => ({
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add Option',
	default: {},
	options: byLabel(options),
});

export const additionalFields = (fields: readonly INodeProperties[]): INodeProperties => ({
	displayName: 'Additional Fields',
	name: 'additionalFields',
	type: 'collection',
	placeholder: 'Add Field',
	default: {},
	options: byLabel(fields),
});

export const updateFields = (
	record: string,
	fields: readonly INodeProperties[],
): INodeProperties => ({
	displayName: 'Update Fields',
	name: 'updateFields',
	type: 'collection',
	placeholder: 'Add Field',
	default: {},
	description: `What to change. A field that is added and left empty is removed from the ${record}.`,
	options: byLabel(fields),
});

/** Not by `localeCompare`: its first call loads locale data, for longer than the package loads. */
const byLabel = (fields: readonly INodeProperties[]): INodeProperties[] =>
	[...fields].sort((a, b) => (a.displayName < b.displayName ? -1 : 1));
