/** "Custom Fields": what the user lays over a request, in the service's own names. */
import type { JsonRecord } from '../api/schemas';
import type { Values } from './values';

/** JSON knows no `undefined`: a key to which an expression gave nothing was not given. */
export const readCustomFields = (input: Values): JsonRecord =>
	Object.fromEntries(
		Object.entries(input.optionalObject('customFields') ?? {}).filter(
			([, value]) => value !== undefined,
		),
	);

/** They win over what is sent, and `null` takes a field away. */
export const withCustomFields = (sent: JsonRecord, custom: JsonRecord): JsonRecord =>
	// Made of entries, because an assignment to "__proto__" would be lost.
	Object.fromEntries(
		[...new Map([...Object.entries(sent), ...Object.entries(custom)])].filter(
			([name, value]) => !(value === null && Object.hasOwn(custom, name)),
		),
	);
