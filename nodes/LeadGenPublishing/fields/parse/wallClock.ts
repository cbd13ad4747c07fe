/**
 * What a clock in a time zone shows, and when it shows it. A clock that is put forward skips an
 * hour, and one that is put back shows an hour twice. Pure; independent of the machine's own zone.
 */
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

export interface Occurrence {
	readonly instant: number;
	/** Set where the clock never shows the time, or shows it twice. */
	readonly irregular?: 'skipped' | 'repeated';
}

/**
 * `wall` is what the clock shows, written as if it were UTC. A time that is shown twice means the
 * first one; a time that is skipped moves forward by as much as the clock does. So does Temporal
 * (https://tc39.es/proposal-temporal/docs/ambiguity.html, "compatible").
 */
export function occurrenceOf(wall: number, timeZone: string): Occurrence {
	const before = offsetAt(wall - DAY, timeZone);
	const after = offsetAt(wall + DAY, timeZone);
	const early = wall - before;
	if (before === after && offsetAt(early, timeZone) === before) return { instant: early };
	const late = wall - after;
	const isShownBefore = offsetAt(early, timeZone) === before;
	const isShownAfter = offsetAt(late, timeZone) === after;
	if (isShownBefore && isShownAfter)
		return { instant: Math.min(early, late), irregular: 'repeated' };
	if (isShownBefore) return { instant: early };
	if (isShownAfter) return { instant: late };
	return { instant: early, irregular: 'skipped' };
}

export const instantOf = (wall: number, timeZone: string): number =>
	occurrenceOf(wall, timeZone).instant;

/** What the clock shows then, written as if it were UTC. */
export const wallOf = (instant: number, timeZone: string): number =>
	instant + offsetAt(instant, timeZone);

export function isTimeZone(timeZone: string): boolean {
	try {
		return clockOf(timeZone).resolvedOptions().timeZone !== '';
	} catch {
		return false;
	}
}

const clocks = new Map<string, Intl.DateTimeFormat>();

/** Kept, since making one costs more than reading it. There are only so many time zones. */
function clockOf(timeZone: string): Intl.DateTimeFormat {
	const known = clocks.get(timeZone);
	if (known !== undefined) return known;
	const clock = new Intl.DateTimeFormat('en-US', {
		timeZone,
		hourCycle: 'h23',
		year: 'numeric',
		month: 'numeric',
		day: 'numeric',
		hour: 'numeric',
		minute: 'numeric',
		second: 'numeric',
	});
	clocks.set(timeZone, clock);
	return clock;
}

function offsetAt(instant: number, timeZone: string): number {
	const shown: Record<string, number> = {};
	for (const { type, value } of clockOf(timeZone).formatToParts(instant))
		shown[type] = Number(value);
	const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = shown;
	return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(instant / 1000) * 1000;
}
