/**
 * What "Max Wait Seconds" allows: how long a request may take, and how long may be waited before
 * it is sent again. Pure.
 */
import type { Clock } from './clock';

/** For an attempt that nothing else limits. */
export const ORDINARY_TIMEOUT_MS = 60_000;
/** Where there is that much time, no attempt is given up earlier. */
const SHORTEST_TIMEOUT_MS = 10_000;
/** As n8n's own HTTP helper. */
const LONGEST_TIMEOUT_MS = 300_000;

export interface TimeLimit {
	readonly maxMs: number;
	/** For sending, in ms. Infinity when only one attempt is made, with the ordinary timeout. */
	leftForSending(): number;
	/** For waiting before it is sent again. */
	leftForWaiting(): number;
	/** The time from then until now brought no answer that could be used. */
	wasted(from: number): void;
	/** The time that this takes is nobody's waiting. */
	uncounted<T>(work: () => Promise<T>): Promise<T>;
}

/** All together: requests, good answers included, and what is waited in between. */
export function deadline(maxMs: number, clock: Clock): TimeLimit {
	let end: number | undefined;
	const left = (): number => Math.max(0, (end ??= clock() + maxMs) - clock());
	return {
		...limitOf(maxMs, left),
		wasted: () => undefined,
		uncounted: async (work) => {
			const leftBefore = left();
			return await work().finally(() => {
				end = clock() + leftBefore;
			});
		},
	};
}

/**
 * For a list of any length: only what was wasted counts, over all of its pages. Pages are asked
 * for side by side, and what two of them waste at the same time counts once.
 */
export function troubleLimit(maxMs: number, clock: Clock): TimeLimit {
	let spans: ReadonlyArray<readonly [from: number, to: number]> = [];
	const left = (): number =>
		Math.max(
			0,
			spans.reduce((ms, [from, to]) => ms - (to - from), maxMs),
		);
	return {
		...limitOf(maxMs, left),
		wasted: (from) => {
			const to = clock();
			const touched = spans.filter((span) => span[0] <= to && span[1] >= from);
			const joined = [
				Math.min(from, ...touched.map((span) => span[0])),
				Math.max(to, ...touched.map((span) => span[1])),
			] as const;
			spans = [...spans.filter((span) => !touched.includes(span)), joined];
		},
		// What is not wasted does not count anyway.
		uncounted: async (work) => await work(),
	};
}

/** 0 stands for one attempt, and no waiting. */
const limitOf = (maxMs: number, left: () => number) => ({
	maxMs,
	leftForSending: () => (maxMs <= 0 ? Infinity : left()),
	leftForWaiting: () => (maxMs <= 0 ? 0 : left()),
});

/**
 * Kept back for a last look at what became of a change: a tenth, at most five seconds.
 */
export const keptForALook = (ms: number): number => Math.min(5_000, ms / 10);

/** How long an attempt may take; undefined when too little is left to begin one. */
export function attemptTimeout(
	left: number,
	{ repeatable, maxMs }: { repeatable: boolean; maxMs: number },
): number | undefined {
	if (left === Infinity) return ORDINARY_TIMEOUT_MS;
	if (repeatable) {
		// Half of what is left, so that there is time for another attempt when this one hangs.
		const share = Math.max(SHORTEST_TIMEOUT_MS, left / 2);
		return left < 1 ? undefined : Math.min(left, share, ORDINARY_TIMEOUT_MS);
	}
	// A change that is cut short leaves its outcome open: rather not sent at all.
	if (left < Math.min(1_000, maxMs / 4)) return undefined;
	return Math.min(left - keptForALook(left), LONGEST_TIMEOUT_MS);
}
