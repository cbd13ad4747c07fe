/** "Custom Fields": what the user merges into a request, under the service's own field names. */
import type { INodeProperties } from 'n8n-workflow';

import type { InputError } from '../api/failure';
import type { JsonRecord } from '../api/schemas';
import type { Values } from '../parameters/values';
import { hiddenAtTop } from './otherPlaces';

type SentIn = 'body' | 'query';

/** For fields that the API document names in another place, or not at all. */
export const customFieldsOption = (sentIn: SentIn): INodeProperties => ({
	displayName: 'Custom Fields',
	name: 'customFields',
	type: 'json',
	default: '{}',
	description:
		sentIn === 'body'
			? 'JSON object merged into the body of the request, for fields that have no parameter here. Null removes a field.'
			: 'JSON object merged into the query of the request, for filters that have no parameter here. Null removes one.',
	builderHint: {
		propertyHint: `Leave it out unless the user names a field of the service.${
			sentIn === 'body' ? ' A status from $fromAI is refused, unless it is "draft".' : ''
		}`,
	},
});

export const customFieldsAtTop = hiddenAtTop(customFieldsOption('body'));

/** Where they may be stored. The option wins over the top level. */
export const CUSTOM_FIELDS_PATHS = [['customFields'], ['options', 'customFields']] as const;

/** JSON has no `undefined`: a key whose expression evaluated to nothing counts as not given. */
const given = (values: Values): JsonRecord =>
	Object.fromEntries(
		Object.entries(values.optionalObject('customFields') ?? {}).filter(
			([, value]) => value !== undefined,
		),
	);

export const readCustomFields = (input: Values): JsonRecord =>
	withEntries(given(input), given(input.collection('options')));

/** An error about a custom field, or about all of them, that names where it was given. */
export function failCustomField(
	input: Values,
	field: string,
	...words: [problem: string, remedy?: string]
): InputError {
	const options = input.collection('options');
	const holder = Object.hasOwn(given(options), field) ? options : input;
	return holder.fail('customFields', ...words);
}

/** They override what the parameters set, and `null` removes a field. */
export const withCustomFields = (sent: JsonRecord, custom: JsonRecord): JsonRecord =>
	Object.fromEntries(
		Object.entries(withEntries(sent, custom)).filter(
			([name, value]) => !(value === null && Object.hasOwn(custom, name)),
		),
	);

/** Built from entries, because assigning to "__proto__" would be lost. */
const withEntries = (one: JsonRecord, other: JsonRecord): JsonRecord =>
	Object.fromEntries(new Map([...Object.entries(one), ...Object.entries(other)]));
