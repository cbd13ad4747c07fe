/**
 * Detects times that look machine-made: two equal ones, or exact repeating intervals. Part 1, rule 5
 * of the API document forbids both for actions toward the network. Pure.
 */
export type Rhythm = 'simultaneous' | 'equidistant';

/** Differences below this count as equal: the service may drop milliseconds. */
const TOLERANCE_MS = 1_000;
/** This many equal intervals in a row count, e.g. every hour with a night in between. */
const EQUAL_IN_A_ROW = 3;

export function rhythmOf(times: readonly number[]): Rhythm | undefined {
	const sorted = [...times].sort((a, b) => a - b);
	const gaps = sorted.slice(1).map((time, index) => time - (sorted[index] ?? time));
	if (gaps.some((gap) => gap < TOLERANCE_MS)) return 'simultaneous';
	if (gaps.length >= 2 && hasEcho(gaps, 1, gaps.length - 1)) return 'equidistant';
	for (let period = 1; 2 * period <= gaps.length; period += 1) {
		// A pattern such as 10, 20 counts when it occurs twice; a single interval must occur more often.
		const enough = period === 1 ? EQUAL_IN_A_ROW - 1 : period;
		if (hasEcho(gaps, period, enough)) return 'equidistant';
	}
	return undefined;
}

/** Whether so many gaps in a row each equal the gap one period earlier. */
function hasEcho(gaps: readonly number[], period: number, enough: number): boolean {
	const isEcho = (index: number): boolean =>
		Math.abs((gaps[index] ?? NaN) - (gaps[index - period] ?? NaN)) < TOLERANCE_MS;
	// A row of this length covers one of these places, so only these have to be checked.
	for (let place = period + enough - 1; place < gaps.length; place += enough) {
		let from = place;
		while (isEcho(from)) from -= 1;
		let to = place;
		while (isEcho(to)) to += 1;
		if (to - from > enough) return true;
	}
	return false;
}
