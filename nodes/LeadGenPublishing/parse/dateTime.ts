/**
 * Parses a date with a time into an instant. Only unambiguous input is accepted: ISO 8601 and date
 * objects. Input without a time zone is read in the given zone, never in the machine's. Pure.
 */
import { isRecord } from '../api/schemas';
import { transferredDate } from './jsonValues';
import { occurrenceOf, type Occurrence } from './wallClock';

export const DATE_TIME_EXAMPLE = '2030-01-31T09:30:00+01:00';

const ISO_DATE_TIME =
	/^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}:\d{2})(?::(\d{2})(?:[.,](\d+))?)?(?:([Zz])|([+-]\d{2})(?::?(\d{2}))?)?$/;

export interface IsoDateTime {
	/** The local date and time, as if it were UTC. */
	readonly wall: number;
	/** In milliseconds. Undefined if no zone is named. */
	readonly offset?: number;
}

export function parseIsoDateTime(text: string): IsoDateTime | undefined {
	const [, date = '', time = '', seconds = '00', fraction = '0', utc, hours, minutes = '00'] =
		ISO_DATE_TIME.exec(text.trim()) ?? [];
	const zone = hours === undefined ? utc && 'Z' : `${hours}:${minutes}`;
	const parsed = (named: string): number =>
		Date.parse(`${date}T${time}:${seconds}.${fraction.slice(0, 3)}${named}`);
	const [wall, instant] = [parsed('Z'), parsed(zone ?? 'Z')];
	// 31 February would roll over into March.
	const isDay = new Date(`${date}T00:00Z`).getUTCDate() === Number(date.slice(-2));
	if (!isDay || Number.isNaN(instant)) return undefined;
	return zone === undefined ? { wall } : { wall, offset: wall - instant };
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

/**
 * The instant of a date object, even one from another copy of its class. NaN for an invalid date.
 */
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
