/**
 * Values that the user enters under the service's own field names: "Custom Fields", which are
 * merged into a request, or the whole body if the API document does not show it.
 */
import type { INodeProperties } from 'n8n-workflow';

import type { InputError } from '../../words/inputError';
import type { JsonRecord } from '../../api/schemas';
import type { Values } from '../parameters/values';
import { parameter } from './parameter';

/** The parameter for fields that have no parameter of their own. */
export const customFieldsOption = (sentIn: 'body' | 'query'): INodeProperties => {
	const isBody = sentIn === 'body';
	const [what, one] = isBody ? ['fields', 'a field'] : ['filters', 'a filter'];
	const refused = isBody ? ' Values from $fromAI are rejected.' : '';
	return parameter('customFields', {
		type: 'json',
		default: '{}',
		description: `Additional ${what} to send, as a JSON object, if there is no parameter for them. Set ${one} to null to leave it out.`,
		builderHint: {
			propertyHint: `Leave it out unless the user names a field of the service.${refused}`,
		},
	});
};

export const bodyField = (description: string): INodeProperties =>
	parameter('body', {
		type: 'json',
		typeOptions: { rows: 6 },
		default: '{}',
		description,
		builderHint: {
			propertyHint:
				'The service does not publish the field names. Do not invent any. Ask the user.',
		},
	});

export const readBody = (input: Values): JsonRecord => input.optionalObject('body') ?? {};

/** The path of the parameter in a stored workflow. */
export const CUSTOM_FIELDS_PATH = ['options', 'customFields'] as const;

/** JSON has no `undefined`: a key whose expression evaluated to nothing counts as not given. */
export const readCustomFields = (input: Values): JsonRecord =>
	Object.fromEntries(
		Object.entries(input.collection('options').optionalObject('customFields') ?? {}).filter(
			([, value]) => value !== undefined,
		),
	);

/** The label that the user sees. */
export const labelOfCustomFields = (input: Values): string =>
	input.collection('options').labelOf('customFields');

export const failCustomFields = (
	input: Values,
	...words: [problem: string, remedy?: string]
): InputError => input.collection('options').fail('customFields', ...words);

/**
 * Custom Fields override what the parameters set, and `null` removes a field. Built from entries,
 * because a field called "__proto__" would otherwise be lost.
 */
export const withCustomFields = (sent: JsonRecord, custom: JsonRecord): JsonRecord =>
	Object.fromEntries(
		[...new Map([...Object.entries(sent), ...Object.entries(custom)])].filter(
			([name, value]) => !(value === null && Object.hasOwn(custom, name)),
		),
	);
