/**
 * Flattens records. Promise: no value is lost. A field of the record keeps its name; a value in a
 * nested object moves up as `object_field` if that name is free, and otherwise stays in its object.
 * Pure.
 */
import { isRecord, type JsonRecord } from '../api/schemas';

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

/** Objects are flattened one level deep; lists stay lists. */
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
	const early = first.filter((name) => Object.hasOwn(record, name));
	const inTurn = [...early, ...Object.keys(record).filter((name) => !early.includes(name))];
	for (const field of inTurn) {
		if (without(field)) continue;
		const value = record[field];
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
export function withFirst(record: JsonRecord, names: readonly string[]): JsonRecord {
	const ordered = pick(record, names);
	for (const name of Object.keys(record)) put(ordered, name, record[name]);
	return ordered;
}

/** Only these fields, in this order, where present. */
export function pick(record: JsonRecord, names: readonly string[]): JsonRecord {
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
