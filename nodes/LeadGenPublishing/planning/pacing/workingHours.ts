/**
 * The working hours from a given moment on, day by day, as spans of real time: when a clock change
 * makes a day shorter or longer, so is its span. Pure.
 */
import { timesShowing, wallOf, type Span } from '../../parse/wallClock';

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

/** The midnights from today on, for ten years: in local time, as if it were UTC. */
export function* midnightsFrom(
	start: number,
	timeZone: string,
	maxDays = 3_660,
): Generator<number> {
	const today = Math.floor(wallOf(start, timeZone) / DAY) * DAY;
	for (let day = 0; day < maxDays; day += 1) yield today + day * DAY;
}

export function* spansFrom(start: number, hours: WorkingHours, maxDays?: number): Generator<Span> {
	for (const midnight of midnightsFrom(start, hours.timeZone, maxDays)) {
		if (!hours.days.has(new Date(midnight).getUTCDay())) continue;
		const shown = { from: midnight + hours.from * MINUTE, to: midnight + hours.to * MINUTE };
		for (const { from, to } of timesShowing(shown, hours.timeZone))
			if (to > start) yield { from: Math.max(start, from), to };
	}
}
