/** How a service writes times, and how a list is sorted. Pure. */
import type { JsonRecord } from '../../api/schemas';
import { instantOf } from '../../records/storedValue';
import { parseIsoDateTime } from '../../panel/parameters/parse/dateTime';

export type TimeForm = 'iso' | 'zoneless' | 'number' | 'other';

export interface SeenTime {
	readonly instant: number;
	readonly form: TimeForm;
}

/** In seconds or ms, between 2001 and 2286. */
const isEpoch = (number: number): boolean =>
	(number >= 1e9 && number < 1e10) || (number >= 1e12 && number < 1e13);

/** Undefined if the value is not a time in any of these forms. */
export function seenTimeOf(value: unknown): SeenTime | undefined {
	if (typeof value === 'number')
		return isEpoch(value)
			? { instant: value < 1e10 ? value * 1_000 : value, form: 'number' }
			: undefined;
	if (typeof value !== 'string') return undefined;
	const instant = instantOf(value);
	if (instant !== undefined)
		return { instant, form: parseIsoDateTime(value)?.offset === undefined ? 'zoneless' : 'iso' };
	if (/^\d{10}(\d{3})?$/.test(value))
		return { ...seenTimeOf(Number(value)), form: 'number' } as SeenTime;
	const parsed = /\d{4}/.test(value) && /\d{1,2}:\d{2}/.test(value) ? Date.parse(value) : NaN;
	return Number.isNaN(parsed) ? undefined : { instant: parsed, form: 'other' };
}

/**
 * Names of fields that hold a time in every record. Planned times, such as due times, are left out.
 */
export const timeFieldsIn = (records: readonly JsonRecord[]): string[] =>
	Object.keys(records[0] ?? {})
		.filter((name) => !/schedul|publish|due|expire/i.test(name))
		.filter((name) => records.every((record) => seenTimeOf(record[name]) !== undefined));

const CREATED = /creat|insert|added|received|captured|occurred|submitted|^time|^date/i;
const UPDATED = /updat|modif|changed/i;

export const createdField = (fields: readonly string[]): string | undefined =>
	fields.find((name) => /creat/i.test(name)) ??
	fields.find((name) => CREATED.test(name) && !UPDATED.test(name));
export const updatedField = (fields: readonly string[]): string | undefined =>
	fields.find((name) => UPDATED.test(name));

export interface Order {
	readonly order: 'newest first' | 'oldest first' | 'not sorted';
	readonly field: string;
}

const isSorted = (times: readonly number[], sign: 1 | -1): boolean =>
	times.every((time, at) => at === 0 || sign * (time - (times[at - 1] ?? 0)) >= 0);

/** Undefined if there are fewer than three records with different times. */
export function orderOf(records: readonly JsonRecord[]): Order | undefined {
	if (records.length < 3) return undefined;
	const fields = timeFieldsIn(records);
	const first = createdField(fields);
	const inTurn = [...new Set([...(first === undefined ? [] : [first]), ...fields])];
	const telling = inTurn
		.map((field) => ({
			field,
			times: records.map((record) => seenTimeOf(record[field])?.instant ?? 0),
		}))
		.filter(({ times }) => new Set(times).size >= 3);
	for (const { field, times } of telling) {
		if (isSorted(times, -1)) return { order: 'newest first', field };
		if (isSorted(times, 1)) return { order: 'oldest first', field };
	}
	const [unsorted] = telling;
	return unsorted === undefined ? undefined : { order: 'not sorted', field: unsorted.field };
}
