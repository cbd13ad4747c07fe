/**
 * Due times that look like a person's: random, within working hours, at least a gap apart, and
 * without equal intervals. Items that do not fit into one working day move to the next. Pure: the
 * same random numbers give the same times.
 */
import type { Span } from '../../parse/wallClock';
import { rhythmOf } from './rhythm';
import { spansFrom, type WorkingHours } from './workingHours';

export interface SpreadRequest {
	readonly count: number;
	readonly start: number;
	readonly hours: WorkingHours;
	readonly gapMs: number;
	readonly random: () => number;
}

/** The rest of a day stays free, so that even a full day leaves room for randomness. */
const FULL = 0.75;
const MAX_DRAWS = 1_000;

/** In ascending order. Undefined if ten years are not enough. */
export function spreadTimes(request: SpreadRequest): number[] | undefined {
	const { count, start, hours, gapMs } = request;
	const times: number[] = [];
	for (const span of spansFrom(start, hours)) {
		if (times.length >= count) break;
		const after = times.at(-1);
		const from = after === undefined ? span.from : Math.max(span.from, after + gapMs);
		const room = { from, to: span.to };
		const here = Math.min(count - times.length, capacity(room, gapMs));
		times.push(...drawFitting(here, { room, before: times.slice(-3), request }));
	}
	return times.length >= count ? times : undefined;
}

function capacity({ from, to }: Span, gapMs: number): number {
	const length = to - from;
	// The last minutes of a day leave no room for randomness.
	return length < gapMs * (1 - FULL) ? 0 : 1 + Math.floor((length * FULL) / gapMs);
}

function drawFitting(
	count: number,
	{ room, before, request }: { room: Span; before: readonly number[]; request: SpreadRequest },
): number[] {
	let drawn = draw(count, room, request);
	for (let draws = 1; draws < MAX_DRAWS && hasRhythm([...before, ...drawn]); draws += 1) {
		drawn = draw(count, room, request);
	}
	return drawn;
}

/**
 * Chooses random points in the time that the gaps leave free, and then adds the gaps between them.
 */
function draw(count: number, { from, to }: Span, { gapMs, random }: SpreadRequest): number[] {
	const free = to - from - (count - 1) * gapMs;
	return Array.from({ length: count }, () => Math.floor(random() * free))
		.sort((a, b) => a - b)
		.map((cut, index) => from + cut + index * gapMs);
}

/** Stricter than the check: not even two consecutive intervals are exactly equal. */
function hasRhythm(times: readonly number[]): boolean {
	if (rhythmOf(times) !== undefined) return true;
	return times.some((time, index) => {
		const [one, two] = [times[index - 1], times[index - 2]];
		return one !== undefined && two !== undefined && time - one === one - two;
	});
}
