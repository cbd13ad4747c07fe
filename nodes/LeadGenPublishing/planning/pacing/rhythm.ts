/**
 * Detects times that look machine-made: two equal ones, or even spacing. Part 1, rule 5 of the API
 * document forbids both for actions toward the network. Pure.
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
	// Two equal intervals count if there are no others.
	const enough = Math.max(2, Math.min(EQUAL_IN_A_ROW, gaps.length));
	return mostEqualInARow(gaps) >= enough ? 'equidistant' : undefined;
}

function mostEqualInARow(gaps: readonly number[]): number {
	let [row, most] = [0, 0];
	for (const [index, gap] of gaps.entries()) {
		const before = gaps[index - 1];
		row = before !== undefined && Math.abs(gap - before) < TOLERANCE_MS ? row + 1 : 1;
		most = Math.max(most, row);
	}
	return most;
}
