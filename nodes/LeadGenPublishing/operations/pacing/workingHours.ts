/**
 * The working hours from a given moment on, day by day, as spans of real time: when a clock change
 * makes a day shorter or longer, so is its span. Pure.
 */
import { timesShowing, wallOf, type Span } from '../../parameters/parse/wallClock';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

export interface WorkingHours {
	/** 0 is Sunday. */
	readonly days: ReadonlySet<number>;
	/** Minutes since midnight in the zone. */
	readonly from: number;
	readonly to: number;
	readonly timeZone: string;
}

/** The defaults of Schedule > Spread, also assumed where no working hours are given. */
export const USUAL_HOURS = { days: new Set([1, 2, 3, 4, 5]), from: 9 * 60, to: 17 * 60 } as const;

export function isInside(instant: number, { days, from, to, timeZone }: WorkingHours): boolean {
	const wall = wallOf(instant, timeZone);
	const minutes = (((wall % DAY) + DAY) % DAY) / MINUTE;
	return days.has(new Date(wall).getUTCDay()) && minutes >= from && minutes < to;
}

export function* spansFrom(start: number, hours: WorkingHours, maxDays: number): Generator<Span> {
	const today = midnightOf(start, hours.timeZone);
	for (let day = 0; day < maxDays; day += 1) {
		const midnight = today + day * DAY;
		if (!hours.days.has(new Date(midnight).getUTCDay())) continue;
		const shown = { from: midnight + hours.from * MINUTE, to: midnight + hours.to * MINUTE };
		for (const { from, to } of timesShowing(shown, hours.timeZone))
			if (to > start) yield { from: Math.max(start, from), to };
	}
}

/** Midnight of the day in the zone, as if it were UTC. */
const midnightOf = (instant: number, timeZone: string): number =>
	Math.floor(wallOf(instant, timeZone) / DAY) * DAY;
