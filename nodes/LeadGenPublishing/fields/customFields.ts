/** "Custom Fields": what the user merges into a request, under the service's own field names. */
import type { JsonRecord } from '../api/schemas';
import { isMissing } from '../parameters/parse/emptiness';
import type { Values } from '../parameters/values';

/** JSON has no `undefined`: a key whose expression evaluated to nothing counts as not given. */
export const readCustomFields = (input: Values): JsonRecord =>
	Object.fromEntries(
		Object.entries(input.optionalObject('customFields') ?? {}).filter(
			([, value]) => value === null || !isMissing(value),
		),
	);

/** They override what the parameters set, and `null` removes a field. */
export const withCustomFields = (sent: JsonRecord, custom: JsonRecord): JsonRecord =>
	// Built from entries, because assigning to "__proto__" would be lost.
	Object.fromEntries(
		[...new Map([...Object.entries(sent), ...Object.entries(custom)])].filter(
			([name, value]) => !(value === null && Object.hasOwn(custom, name)),
		),
	);
