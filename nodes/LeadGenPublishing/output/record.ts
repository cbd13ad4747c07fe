/**
 * The shapes of a record that goes out: raw, simplified, or only the fields that were selected, with
 * what both nodes add to it. Promise: no value is lost, and every field of the record keeps its name
 * and value. Pure.
 */
import { givenIn, isRecord, type JsonRecord } from '../api/schemas';
import { textOrNull } from './profileUrl';

/** Said of a record that was found instead of being created. */
export const ALREADY_EXISTED = 'already_existed';
/** What Create or Update has done with a record, and the fields in which it has changed it. */
export const ACTION = 'action';
export const CHANGED_FIELDS_FIELD = 'changed_fields';

/** What an operation says of a record, of which no later read knows. */
const SAID = [ALREADY_EXISTED, ACTION, CHANGED_FIELDS_FIELD].flatMap((name) => [
	name,
	`n8n_${name}`,
]);

export interface Simplification {
	/** What it makes of a record, as the end of a sentence. */
	readonly what: string;
	/** The whole record, with flat fields. */
	readonly flat: (record: JsonRecord, networkWord?: string) => JsonRecord;
	/** The fields that are left of it; without this, all of them. */
	readonly fields?: readonly string[];
}

/** What an operation has said of a record. */
export const saidOf = (record: JsonRecord): JsonRecord => pick(record, SAID);

/** The same, with what Create or Update says of a record. */
export const withAction = (simplification: Simplification): Simplification => ({
	...simplification,
	fields: simplification.fields && [...simplification.fields, ...SAID],
});

/** `names`: only these fields, as they are called in the raw record or in the flat one. */
export function simplify(
	{ flat, fields }: Simplification,
	record: JsonRecord,
	{ networkWord, names }: { networkWord?: string; names?: readonly string[] } = {},
): JsonRecord {
	const whole = flat(record, networkWord);
	if (names !== undefined) return pick({ ...record, ...whole }, names);
	return fields === undefined ? whole : pick(whole, [...fields, ALREADY_EXISTED]);
}

export interface Flattening {
	/** Fields that are output elsewhere. */
	readonly without?: (name: string) => boolean;
	/** Objects whose values are named before those of other objects. */
	readonly first?: readonly string[];
	/** Names that are already taken. */
	readonly reserved?: readonly string[];
	readonly nameOf?: (field: string, inner: string) => string;
	/** Whether this value may move out of its object. */
	readonly movesUp?: (field: string, inner: string, value: unknown) => boolean;
}

/**
 * Objects are flattened one level deep; lists stay lists. A value in a nested object moves up as
 * `object_field` if that name is free, and otherwise stays in its object.
 */
export function flatten(
	record: JsonRecord,
	{
		without = () => false,
		first = [],
		reserved = [],
		nameOf = (field, inner) => `${field}_${inner}`,
		movesUp = () => true,
	}: Flattening = {},
): JsonRecord {
	const flat: JsonRecord = {};
	const hasNoError = (name: string) =>
		!Object.hasOwn(record, name) && !Object.hasOwn(flat, name) && !reserved.includes(name);
	for (const [field, value] of Object.entries(withFirst(record, first))) {
		if (without(field)) continue;
		if (!isRecord(value)) {
			put(flat, field, value);
			continue;
		}
		const staying: Array<[string, unknown]> = [];
		for (const [inner, innerValue] of Object.entries(value)) {
			const name = nameOf(field, inner);
			if (movesUp(field, inner, innerValue) && hasNoError(name)) put(flat, name, innerValue);
			else staying.push([inner, innerValue]);
		}
		if (staying.length > 0 || Object.keys(value).length === 0)
			put(flat, field, Object.fromEntries(staying));
	}
	return flat;
}

/** The same fields, with these first if present. */
export const withFirst = (record: JsonRecord, names: readonly string[]): JsonRecord =>
	pick(record, [...names, ...Object.keys(record)]);

/** Only these fields, in this order, where present. */
function pick(record: JsonRecord, names: readonly string[]): JsonRecord {
	const picked: JsonRecord = {};
	for (const name of names) {
		if (Object.hasOwn(record, name)) put(picked, name, record[name]);
	}
	return picked;
}

/**
 * As an assignment, which would lose `__proto__`. Far quicker for thousands of records alike than
 * making each from a list of entries.
 */
export function put(record: JsonRecord, name: string, value: unknown): void {
	if (name !== '__proto__') record[name] = value;
	else {
		const own = { enumerable: true, configurable: true, writable: true };
		Object.defineProperty(record, name, { ...own, value });
	}
}

/** An agency's client, as shown on items. */
export interface ItemClient {
	readonly user_id: string;
	readonly full_name?: unknown;
	readonly business_name?: unknown;
}

/** Adds fields after those of the record; one whose name is taken is named `n8n_…` instead. */
export function addFields(record: JsonRecord, added: JsonRecord): JsonRecord {
	const result: JsonRecord = { ...record };
	for (const [name, value] of Object.entries(added)) {
		if (!Object.hasOwn(record, name)) result[name] = value;
		// Both values are JSON, and ours have few fields in a fixed order.
		else if (JSON.stringify(record[name]) !== JSON.stringify(value))
			result[freeName(result, `n8n_${name}`)] = value;
	}
	return result;
}

/** This name, or the first of `name_2`, `name_3`, … that the record does not have. */
export function freeName(record: JsonRecord, name: string): string {
	let free = name;
	for (let count = 2; Object.hasOwn(record, free); count += 1) free = `${name}_${count}`;
	return free;
}

/** n8n treats an item with a top-level `error` as failed, and would run the node again. */
export function withoutErrorKey(record: JsonRecord): JsonRecord {
	if (!Object.hasOwn(record, 'error')) return record;
	const { error, ...rest } = record;
	return { ...rest, [freeName(record, 'error_value')]: error };
}

/** The client of a record: as an object in raw records, as flat fields in simplified ones. */
export function clientFields(
	{ user_id, full_name, business_name }: ItemClient,
	{ simplified }: { simplified: boolean },
): JsonRecord {
	if (!simplified) return { client: givenIn({ user_id, full_name, business_name }) };
	const name = textOrNull(full_name) ?? textOrNull(business_name) ?? undefined;
	return givenIn({ client_id: user_id, client_name: name });
}
