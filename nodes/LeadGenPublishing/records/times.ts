/**
 * When a record was created and when it was last updated, as far as the record says so. The API
 * document names no such fields, so the usual names are tried in order.
 */
import type { JsonRecord } from '../api/schemas';

const CREATED: readonly string[] = [
	'created_at',
	'createdAt',
	'created',
	'created_on',
	'date_created',
	'inserted_at',
	'captured_at',
	'submitted_at',
	'occurred_at',
	'received_at',
	'timestamp',
];
const UPDATED: readonly string[] = [
	'updated_at',
	'updatedAt',
	'updated',
	'updated_on',
	'date_updated',
	'last_updated_at',
	'modified_at',
	'modifiedAt',
	'last_modified',
];

/** Times before 2000 or after 2099 do not count as times. */
const EARLIEST = Date.UTC(2000, 0);
const LATEST = Date.UTC(2100, 0);
/**
 * A text with a date and a time of day, as ISO 8601 and databases write them. A date alone does not
 * count, because it does not say which of two events came first. A zone may consist of hours only.
 */
const DATE_AND_TIME =
	/^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2})?)(?:[.,](\d+))? ?(Z|UTC|GMT|([+-]\d{2}):?(\d{2})?)?$/i;

/**
 * In ms. Undefined if the value is not a time. Numbers may count seconds or milliseconds.
 *
 * @doubt timeNames
 * @doubt timeZones
 */
export function timeOf(value: unknown): number | undefined {
	if (typeof value === 'number') return withinReason(value < LATEST / 1000 ? value * 1000 : value);
	const [, date, time, fraction = '0', , hours, minutes = '00'] =
		(typeof value === 'string' ? DATE_AND_TIME.exec(value) : undefined) ?? [];
	if (date === undefined || time === undefined) return undefined;
	// The document says UTC, so a time without a zone is read as UTC.
	const zone = hours === undefined ? 'Z' : `${hours}:${minutes}`;
	const seconds = time.length > 5 ? `${time}.${fraction}` : time;
	return withinReason(Date.parse(`${date}T${seconds}${zone}`));
}

const withinReason = (ms: number): number | undefined =>
	ms >= EARLIEST && ms < LATEST ? ms : undefined;

function firstTime(record: JsonRecord, names: readonly string[]): number | undefined {
	for (const name of names) {
		const time = timeOf(record[name]);
		if (time !== undefined) return time;
	}
	return undefined;
}

/** @doubt timeNames */
export const createdAt = (record: JsonRecord): number | undefined => firstTime(record, CREATED);

/** @doubt timeNames */
export const updatedAt = (record: JsonRecord): number | undefined => firstTime(record, UPDATED);

/**
 * Whether a time of the record names no zone. It is read as UTC, and may be a local time.
 *
 * @doubt timeZones
 */
export const showsNoZone = (record: JsonRecord): boolean =>
	[...CREATED, ...UPDATED].some((name) => {
		const value = record[name];
		const parts = typeof value === 'string' ? DATE_AND_TIME.exec(value) : null;
		return parts !== null && parts[4] === undefined;
	});

const isTooLate = (value: unknown, latest: number): boolean => (timeOf(value) ?? 0) > latest;
const NAMES: ReadonlySet<string> = new Set([...CREATED, ...UPDATED]);

/**
 * The record without times later than this. They cannot say when something happened.
 *
 * @doubt timeNames
 */
export function withoutTimesAfter(record: JsonRecord, latest: number): JsonRecord {
	for (const name of NAMES)
		if (isTooLate(record[name], latest))
			return Object.fromEntries(
				Object.entries(record).filter(
					([one, value]) => !NAMES.has(one) || !isTooLate(value, latest),
				),
			);
	return record;
}

/**
 * The time in a `Date` header.
 *
 * @doubt serviceClock
 */
export const timeOfHeader = (value: unknown): number | undefined =>
	typeof value === 'string' ? withinReason(Date.parse(value)) : undefined;
