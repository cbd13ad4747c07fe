/**
 * The shapes of an output record: raw, simplified, or only selected fields, with the fields that
 * the nodes add. Promise: adding a field never changes a field of the record, and flattening loses
 * no value. Pure.
 */
import { givenIn, isRecord, type JsonRecord } from '../../api/schemas';
import { textOrNull } from './profileUrl';

/** Added to a record that was found instead of created. */
export const ALREADY_EXISTED = 'already_existed';
/** Added by Create or Update: what it did with the record, and which fields it changed. */
export const ACTION = 'action';
export const CHANGED_FIELDS_FIELD = 'changed_fields';

/** The fields that an operation adds. A later read does not show them. */
const SAID = [ALREADY_EXISTED, ACTION, CHANGED_FIELDS_FIELD].flatMap((name) => [
	name,
	`n8n_${name}`,
]);

export interface Simplification {
	/** Describes the simplified record, as the end of a sentence. */
	readonly what: string;
	/** The whole record, with flat fields. */
	readonly flat: (record: JsonRecord, networkWord?: string) => JsonRecord;
	/** The fields that are kept. Without this, all of them. */
	readonly fields?: readonly string[];
}

/** The fields that an operation has added to a record. */
export const saidOf = (record: JsonRecord): JsonRecord => pick(record, SAID);

/** The same, with the fields that Create or Update adds. */
export const withAction = (simplification: Simplification): Simplification => ({
	...simplification,
	fields: simplification.fields && [...simplification.fields, ...SAID],
});

/** `names`: only these fields, by their names in the raw or the flat record. */
export function simplify(
	{ flat, fields }: Simplification,
	record: JsonRecord,
	{ networkWord, names }: { networkWord?: string; names?: readonly string[] } = {},
): JsonRecord {
	const whole = flat(record, networkWord);
	if (names !== undefined) return pick({ ...record, ...whole }, names);
	if (fields === undefined) return whole;
	// Of a record that shows none of the fields, nothing would be left.
	const isFamiliar = fields.some((name) => !SAID.includes(name) && Object.hasOwn(whole, name));
	return isFamiliar ? pick(whole, [...fields, ALREADY_EXISTED]) : whole;
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
 * Flattens objects by one level. Lists stay lists. A value in a nested object moves up as
 * `object_field` if that name is free. Otherwise it stays in its object.
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
	const isFree = (name: string) =>
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
			if (movesUp(field, inner, innerValue) && isFree(name)) put(flat, name, innerValue);
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
 * Assigns a value, even to `__proto__`, where a plain assignment would lose it. For thousands of
 * records, this is much faster than `Object.fromEntries`.
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

/** Adds fields after those of the record. If a name is taken, the added field becomes `n8n_…`. */
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
