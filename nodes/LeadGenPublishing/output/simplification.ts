/** The three shapes of a record: raw, simplified, or only the fields that were selected. Pure. */
import type { JsonRecord } from '../api/schemas';
import { pick } from './flatten';

/** Said of a record that was found instead of being created. */
export const ALREADY_EXISTED = 'already_existed';

export interface Simplification {
	/** What it makes of a record, as the end of a sentence. */
	readonly what: string;
	/** The whole record, with flat fields. */
	readonly flat: (record: JsonRecord, networkWord?: string) => JsonRecord;
	/** The fields that are left of it; without this, all of them. */
	readonly fields?: readonly string[];
}

export function simplify(
	{ flat, fields }: Simplification,
	record: JsonRecord,
	networkWord?: string,
): JsonRecord {
	const whole = flat(record, networkWord);
	return fields === undefined ? whole : pick(whole, [...fields, ALREADY_EXISTED]);
}

/** Fields may be named as in the raw record, or as in the flat one. */
export const select = (
	{ flat }: Simplification,
	record: JsonRecord,
	{ names, networkWord }: { names: readonly string[]; networkWord?: string },
): JsonRecord => pick({ ...record, ...flat(record, networkWord) }, names);
