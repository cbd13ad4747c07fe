/**
 * Measures time, with a clock that may be reset meanwhile, and what is left of "Max Wait (Seconds)":
 * for a request, and for waiting before it is sent again. Pure.
 */
import { ApiFailure } from './failure';

/** Milliseconds since an arbitrary moment; never decreases. */
export type Clock = () => number;

/** Setting the clock back neither extends nor restarts a wait. */
export function steadyClock(read: () => number): Clock {
	let last = read();
	let elapsed = last;
	return () => {
		const now = read();
		elapsed += Math.max(0, now - last);
		last = now;
		return elapsed;
	};
}

/** Shared, because what is timed with it outlives a single run. */
export const processClock: Clock = steadyClock(() => Date.now());

/** The timeout of an attempt without another limit. */
const ORDINARY_TIMEOUT_MS = 60_000;
/** If there is that much time, no attempt times out earlier. */
const MIN_TIMEOUT_MS = 10_000;
/** The timeout of n8n's own HTTP helper. */
const MAX_TIMEOUT_MS = 300_000;

export interface TimeLimit {
	readonly maxMs: number;
	/** Time left for sending, in ms; Infinity for a single attempt with the ordinary timeout. */
	leftForSending(): number;
	/** Time left for waiting before the next attempt. */
	leftForWaiting(): number;
	/** Counts the time since then as spent without a usable answer. */
	wasted(from: number): void;
	/** Does not count the time that this work takes, unless no answer came of it. */
	uncounted<T>(work: () => Promise<T>): Promise<T>;
}

/** A deadline over everything: requests with any answer, and the pauses in between. */
export function deadline(maxMs: number, clock: Clock): TimeLimit {
	let end: number | undefined;
	const left = (): number => Math.max(0, (end ??= clock() + maxMs) - clock());
	return {
		...limitOf(maxMs, left),
		wasted: () => undefined,
		uncounted: async (work) => {
			const leftBefore = left();
			const stand = (): void => void (end = clock() + leftBefore);
			return await work().then(
				(done) => {
					stand();
					return done;
				},
				(error: unknown) => {
					if (!isUnanswered(error)) stand();
					throw error;
				},
			);
		},
	};
}

const isUnanswered = (error: unknown): boolean =>
	error instanceof ApiFailure && error.facts.kind === 'unreachable';

/**
 * For a list of any length: only time without a usable answer counts, over all pages. Pages are read
 * in parallel, and time that two of them waste simultaneously counts once.
 */
export function wastedTimeLimit(maxMs: number, clock: Clock): TimeLimit {
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
		// Other time does not count anyway.
		uncounted: async (work) => await work(),
	};
}

/** 0 means one attempt and no waiting. */
const limitOf = (maxMs: number, left: () => number) => ({
	maxMs,
	leftForSending: () => (maxMs <= 0 ? Infinity : left()),
	leftForWaiting: () => (maxMs <= 0 ? 0 : left()),
});

/**
 * Reserved for a last read of the outcome of a change: a tenth, at most five seconds.
 */
export const reservedForLastRead = (ms: number): number => Math.min(5_000, ms / 10);

/** The timeout of the next attempt; undefined if too little time is left to begin one. */
export function attemptTimeout(
	left: number,
	{ repeatable, maxMs }: { repeatable: boolean; maxMs: number },
): number | undefined {
	if (left === Infinity) return ORDINARY_TIMEOUT_MS;
	if (repeatable) {
		// Half of the time left, so that there is time for another attempt if this one hangs.
		const share = Math.max(MIN_TIMEOUT_MS, left / 2);
		return left < 1 ? undefined : Math.min(left, share, ORDINARY_TIMEOUT_MS);
	}
	// A change that is cut short has an unknown outcome, so it is not sent at all.
	if (left < Math.min(1_000, maxMs / 4)) return undefined;
	return Math.min(left - reservedForLastRead(left), MAX_TIMEOUT_MS);
}
