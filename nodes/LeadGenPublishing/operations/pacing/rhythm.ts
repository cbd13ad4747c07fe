/**
 * Detects times that look machine-made: two equal ones, or exact repeating intervals. Part 1, rule 5
 * of the API document forbids both for actions toward the network. Pure.
 */
export type Rhythm = 'simultaneous' | 'equidistant';

/** Differences below this count as equal: the service may drop milliseconds. */
const TOLERANCE_MS = 1_000;
/** This many equal intervals in a row count, e.g. every hour with a night in between. */
const EQUAL_IN_A_ROW = 3;
/** Longer patterns are not searched for: the cost grows with the length. */
const MAX_PATTERN_LENGTH = 1_000;

export function rhythmOf(times: readonly number[]): Rhythm | undefined {
	const sorted = [...times].sort((a, b) => a - b);
	const gaps = sorted.slice(1).map((time, index) => time - (sorted[index] ?? time));
	if (gaps.some((gap) => gap < TOLERANCE_MS)) return 'simultaneous';
	if (gaps.length >= 2 && longestEcho(gaps, 1) === gaps.length - 1) return 'equidistant';
	const longest = Math.min(MAX_PATTERN_LENGTH, gaps.length);
	for (let period = 1; period <= longest; period += 1) {
		// A pattern such as 10, 20 counts when it occurs twice; a single interval must occur more often.
		const enough = period === 1 ? EQUAL_IN_A_ROW - 1 : period;
		if (longestEcho(gaps, period) >= enough) return 'equidistant';
	}
	return undefined;
}

/** The longest run of gaps that each equal the gap one period earlier. */
function longestEcho(gaps: readonly number[], period: number): number {
	let longest = 0;
	let row = 0;
	for (let index = period; index < gaps.length; index += 1) {
		const difference = (gaps[index] ?? NaN) - (gaps[index - period] ?? NaN);
		row = Math.abs(difference) < TOLERANCE_MS ? row + 1 : 0;
		longest = Math.max(longest, row);
	}
	return longest;
}
