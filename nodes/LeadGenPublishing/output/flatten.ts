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
	// A map, because assigning to "__proto__" would be lost.
	const flat = new Map<string, unknown>();
	const isFree = (name: string) =>
		!Object.hasOwn(record, name) && !flat.has(name) && !reserved.includes(name);
	const inTurn = [...first.filter((name) => Object.hasOwn(record, name)), ...Object.keys(record)];
	for (const field of new Set(inTurn)) {
		if (without(field)) continue;
		const value = record[field];
		if (!isRecord(value)) {
			flat.set(field, value);
			continue;
		}
		const staying: Array<[string, unknown]> = [];
		for (const [inner, innerValue] of Object.entries(value)) {
			const name = nameOf(field, inner);
			if (movesUp(field, inner, innerValue) && isFree(name)) flat.set(name, innerValue);
			else staying.push([inner, innerValue]);
		}
		if (staying.length > 0 || Object.keys(value).length === 0)
			flat.set(field, Object.fromEntries(staying));
	}
	return Object.fromEntries(flat);
}

/** The same fields, with these first if present. */
export const withFirst = (record: JsonRecord, names: readonly string[]): JsonRecord =>
	Object.fromEntries([
		...names.filter((name) => Object.hasOwn(record, name)).map((name) => [name, record[name]]),
		...Object.entries(record).filter(([name]) => !names.includes(name)),
	]) as JsonRecord;
