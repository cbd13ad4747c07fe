/**
 * A date and time as an instant. n8n's date picker stores a time without a zone, and means the
 * time zone of the workflow, which need not be the one of the machine. Pure.
 */
import type { Values } from '../../fields/values';

const ZONELESS = /^\s*(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?)?\s*$/;

export function readMoment(values: Values, name: string, timeZone: string): string | undefined {
	const value = values.raw(name);
	const parts = typeof value === 'string' ? ZONELESS.exec(value) : null;
	if (parts === null) return values.optionalDate(name);
	const [year = 0, month = 1, ...rest] = parts.slice(1).map((part) => Number(part ?? 0));
	const wall = Date.UTC(year, month - 1, ...rest);
	// 31 February would roll over to another day, which nobody meant.
	if (
		new Date(wall).getUTCDate() !== (rest[0] ?? 1) ||
		new Date(wall).getUTCMonth() !== month - 1
	) {
		throw values.fail(name, 'is not a date', 'Use an ISO 8601 date such as 2030-01-31T09:30:00Z.');
	}
	return new Date(instantOf(wall, timeZone)).toISOString();
}

/** `wall` is what a clock in the zone shows, written as if it were UTC. */
export function instantOf(wall: number, timeZone: string): number {
	const first = wall - offsetAt(wall, timeZone);
	// Around a change of the clocks the first guess may have used the offset of the other side.
	return wall - offsetAt(first, timeZone);
}

function offsetAt(instant: number, timeZone: string): number {
	const shown: Record<string, number> = {};
	const format = new Intl.DateTimeFormat('en-US', {
		timeZone,
		hourCycle: 'h23',
		year: 'numeric',
		month: 'numeric',
		day: 'numeric',
		hour: 'numeric',
		minute: 'numeric',
		second: 'numeric',
	});
	for (const { type, value } of format.formatToParts(instant)) shown[type] = Number(value);
	const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = shown;
	return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(instant / 1000) * 1000;
}
