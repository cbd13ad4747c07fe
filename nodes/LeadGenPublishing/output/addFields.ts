/**
 * Adds the fields of both nodes to an output record. Promise: every field of the record keeps its
 * name, value and position; if a name is already taken with another value, our field is named
 * `n8n_…` instead. Pure.
 */
import type { JsonRecord } from '../api/schemas';

/** An agency's client, as shown on items. */
export interface ItemClient {
	readonly user_id: string;
	readonly full_name?: unknown;
	readonly business_name?: unknown;
}

/** Adds fields after those of the record. */
export function addFields(record: JsonRecord, added: JsonRecord): JsonRecord {
	const result: JsonRecord = { ...record };
	for (const [name, value] of Object.entries(added)) {
		if (!Object.hasOwn(record, name)) result[name] = value;
		else if (!isSame(record[name], value)) result[freeName(result, `n8n_${name}`)] = value;
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
	if (simplified) {
		const name = [full_name, business_name].find(isFilled);
		return { client_id: user_id, ...(name === undefined ? {} : { client_name: name }) };
	}
	return {
		client: {
			user_id,
			...(full_name === undefined ? {} : { full_name }),
			...(business_name === undefined ? {} : { business_name }),
		},
	};
}

const isFilled = (value: unknown): boolean => typeof value === 'string' && value.trim() !== '';

/** Both are JSON, and ours have few fields in a fixed order. */
const isSame = (one: unknown, other: unknown): boolean =>
	JSON.stringify(one) === JSON.stringify(other);
