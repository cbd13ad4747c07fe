/**
 * Parses a date with a time into an instant. Only unambiguous input is accepted: ISO 8601 and date
 * objects. Input without a zone is in the given zone, never in the machine's. Pure.
 */
import { isRecord } from '../../api/schemas';
import { transferredDate } from './jsonValues';
import { occurrenceOf, type Occurrence } from './wallClock';

export const DATE_TIME_EXAMPLE = '2030-01-31T09:30:00+01:00';

const MINUTE = 60_000;

const ISO_DATE_TIME =
	/^(\d{4})-(\d{2})-(\d{2})[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d+))?)?([Zz]|[+-]\d{2}(?::?\d{2})?)?$/;

export interface IsoDateTime {
	/** The local date and time, as if it were UTC. */
	readonly wall: number;
	/** In milliseconds; undefined if no zone is named. */
	readonly offset?: number;
}

export function parseIsoDateTime(text: string): IsoDateTime | undefined {
	const match = ISO_DATE_TIME.exec(text.trim());
	if (match === null) return undefined;
	const [year = NaN, month = NaN, day = NaN, hour = NaN, minute = NaN, second = NaN] = match
		.slice(1)
		.map((digits) => Number(digits ?? 0));
	const fraction = match[7] ?? '';
	const milliseconds = Number(fraction.slice(0, 3).padEnd(3, '0'));
	// Not `Date.UTC`, which takes the year 99 for 1999.
	const date = new Date(0);
	date.setUTCFullYear(year, month - 1, day);
	// 31 February would roll over into March.
	if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined;
	// ISO 8601 allows 24:00:00 as the end of a day.
	const isMidnight = hour === 24 && minute === 0 && second === 0 && !/[1-9]/.test(fraction);
	if ((hour > 23 && !isMidnight) || minute > 59 || second > 59) return undefined;
	const wall = date.setUTCHours(hour, minute, second, milliseconds);
	if (match[8] === undefined) return { wall };
	const offset = offsetOf(match[8]);
	return offset === undefined ? undefined : { wall, offset };
}

function offsetOf(zone: string): number | undefined {
	if (/^z$/i.test(zone)) return 0;
	const digits = zone.replace(/\D/g, '').padEnd(4, '0');
	const [hours, minutes] = [Number(digits.slice(0, 2)), Number(digits.slice(2))];
	if (hours > 23 || minutes > 59) return undefined;
	return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * MINUTE;
}

/** Undefined for anything but a date with a time. */
export function parseDateTime(value: unknown, timeZone: string): Occurrence | undefined {
	const known = instantOfDate(value);
	if (known !== undefined) return Number.isNaN(known) ? undefined : { instant: known };
	const parsed = typeof value === 'string' ? parseIsoDateTime(value) : undefined;
	if (parsed === undefined) return undefined;
	const { wall, offset } = parsed;
	return offset === undefined ? occurrenceOf(wall, timeZone) : { instant: wall - offset };
}

/** The instant of a date object, even one from another copy of its class; NaN for an invalid date. */
function instantOfDate(value: unknown): number | undefined {
	if (Object.prototype.toString.call(value) === '[object Date]') return Number(value);
	const transferred = transferredDate(value);
	if (transferred !== undefined) {
		const { wall = NaN, offset = NaN } = parseIsoDateTime(transferred.iso ?? '') ?? {};
		return wall - offset;
	}
	if (isRecord(value) && value.isLuxonDateTime === true && typeof value.toMillis === 'function')
		return Number((value.toMillis as () => unknown).call(value));
	return undefined;
}
