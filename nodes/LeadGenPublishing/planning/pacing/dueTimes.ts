/**
 * Reads when an action toward the network is due. The API document does not show the fields of an
 * action, so the user names the one with its due time. Pure.
 */
import { isRecord } from '../../api/schemas';
import { parseDateTime } from '../../parse/dateTime';
import { isBlank } from '../../parse/jsonValues';

export type DueTime =
	| { readonly kind: 'known'; readonly time: number }
	/** A value that cannot be parsed. */
	| { readonly kind: 'unreadable'; readonly text: string }
	/** The action does not have the field. */
	| { readonly kind: 'missing' }
	/** The user has not named the field. */
	| { readonly kind: 'notChecked' };

interface Reading {
	/** The name of the field with the due time. Undefined if the user has not named it. */
	readonly field: string | undefined;
	/** The zone of times that name none. */
	readonly timeZone: string;
}

/**
 * The due times in an action. It may consist of parts that each have one.
 *
 * @doubt followupFields
 * @doubt socialActionFields
 */
export function dueTimesOf(action: unknown, { field, timeZone }: Reading): DueTime[] {
	if (field === undefined) return [{ kind: 'notChecked' }];
	const values = valuesOf(action, field);
	return values.length === 0
		? [{ kind: 'missing' }]
		: values.map((value) => dueTimeIn(value, timeZone));
}

/** The values of a field. If a record has it, its parts are not searched. */
function valuesOf(action: unknown, field: string): unknown[] {
	if (Array.isArray(action)) return action.flatMap((part) => valuesOf(part, field));
	if (!isRecord(action)) return [];
	const value = Object.hasOwn(action, field) ? action[field] : undefined;
	if (!isBlank(value)) return [value];
	return Object.values(action).flatMap((part) => valuesOf(part, field));
}

function dueTimeIn(value: unknown, timeZone: string): DueTime {
	const time = timeOf(value, timeZone);
	return time === undefined
		? { kind: 'unreadable', text: JSON.stringify(value) }
		: { kind: 'known', time };
}

/** More lenient than parameters: the value is sent as given, and only compared here. */
function timeOf(value: unknown, timeZone: string): number | undefined {
	const text = typeof value === 'string' ? value.trim() : '';
	const number = /^\d{10}(\d{3})?$/.test(text) ? Number(text) : value;
	if (typeof number === 'number' && number > 1e9) return number * (number < 1e11 ? 1000 : 1);
	// A date alone means its first moment.
	return (parseDateTime(value, timeZone) ?? parseDateTime(`${text}T00:00`, timeZone))?.instant;
}
