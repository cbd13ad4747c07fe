/**
 * Converts between instants and the local time of a zone. When clocks go forward, an hour of local
 * time is skipped. When they go back, one occurs twice. Pure, and independent of the machine's
 * zone.
 */
const DAY = 24 * 3_600_000;

export interface Occurrence {
	readonly instant: number;
	/** Set if the local time is skipped or occurs twice. */
	readonly irregular?: 'skipped' | 'repeated';
}

/**
 * `wall` is the local time, as if it were UTC. A time that occurs twice means the first occurrence.
 * A skipped time moves forward by as much as the clock does, like "compatible" in Temporal
 * (https://tc39.es/proposal-temporal/docs/ambiguity.html).
 */
export function occurrenceOf(wall: number, timeZone: string): Occurrence {
	const before = wall - offsetAt(wall - DAY, timeZone);
	const after = wall - offsetAt(wall + DAY, timeZone);
	const shown = [...new Set([before, after])].filter((time) => wallOf(time, timeZone) === wall);
	if (shown.length === 0) return { instant: before, irregular: 'skipped' };
	const instant = Math.min(...shown);
	return shown.length === 1 ? { instant } : { instant, irregular: 'repeated' };
}

/** The time from `from` up to, but not including, `to`. */
export interface Span {
	readonly from: number;
	readonly to: number;
}

/**
 * When the clock shows a span of local time, which is given as if it were UTC. If clocks go
 * forward, this is shorter than the span. If they go back, it may be interrupted.
 */
export function timesShowing({ from, to }: Span, timeZone: string): Span[] {
	const before = offsetAt(from - DAY, timeZone);
	const after = offsetAt(to + DAY, timeZone);
	if (before === after) return [{ from: from - before, to: to - before }];
	const change = changeBetween(from - DAY, to + DAY, timeZone);
	const early = { from: from - before, to: Math.min(change, to - before) };
	const late = { from: Math.max(change, from - after), to: to - after };
	const spans = [early, late].filter((span) => span.to > span.from);
	const isOne = spans.length === 2 && early.to === late.from;
	return isOne ? [{ from: early.from, to: late.to }] : spans;
}

/** The first instant with the offset that the zone has at the end. */
function changeBetween(start: number, end: number, timeZone: string): number {
	const after = offsetAt(end, timeZone);
	let [earlier, later] = [start, end];
	while (later - earlier > 1) {
		const middle = Math.floor((earlier + later) / 2);
		if (offsetAt(middle, timeZone) === after) later = middle;
		else earlier = middle;
	}
	return later;
}

/** The local time at an instant, as if it were UTC. */
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

/** Cached: creating a formatter costs more than using it, and the number of zones is limited. */
function clockOf(timeZone: string): Intl.DateTimeFormat {
	const known = clocks.get(timeZone);
	if (known !== undefined) return known;
	const clock = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
	clocks.set(timeZone, clock);
	return clock;
}

/** Named as "GMT", "GMT+05:30" or, long ago, "GMT-00:01:15". */
function offsetAt(instant: number, timeZone: string): number {
	const parts = clockOf(timeZone).formatToParts(instant);
	const named = parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
	const [hours = 0, minutes = 0, seconds = 0] = (named.match(/\d+/g) ?? []).map(Number);
	return (named.includes('-') ? -1000 : 1000) * ((hours * 60 + minutes) * 60 + seconds);
}
