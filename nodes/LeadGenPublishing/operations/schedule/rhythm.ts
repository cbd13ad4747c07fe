/**
 * Whether points in time look machine-made: two alike, or at exact repeating intervals. Part 1,
 * rule 5 of the API document forbids both for actions toward the network. Pure.
 */
export type Rhythm = 'alike' | 'equidistant';

/** Closer than this counts as the same: a service may well drop milliseconds. */
const TOLERANCE_MS = 1_000;
/** So many equal intervals in a row among others, such as every hour with a night in between. */
const EQUAL_IN_A_ROW = 3;

export function rhythmOf(times: readonly number[]): Rhythm | undefined {
	const sorted = [...times].sort((a, b) => a - b);
	const gaps = sorted.slice(1).map((time, index) => time - (sorted[index] ?? time));
	if (gaps.some((gap) => gap < TOLERANCE_MS)) return 'alike';
	const longest = longestEqualRow(gaps);
	const whole = gaps.length >= 2 && longest === gaps.length;
	return whole || longest >= EQUAL_IN_A_ROW ? 'equidistant' : undefined;
}

function longestEqualRow(gaps: readonly number[]): number {
	let longest = 0;
	let row = 0;
	gaps.forEach((gap, index) => {
		const before = gaps[index - 1];
		row = before !== undefined && Math.abs(gap - before) < TOLERANCE_MS ? row + 1 : 1;
		longest = Math.max(longest, row);
	});
	return longest;
}
