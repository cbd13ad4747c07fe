/** How long a request, or several that belong together, may take. Pure: the clock is passed in. */
import { outcomeOf } from './failure';

/** Milliseconds since an arbitrary moment; never decreases. */
export type Clock = () => number;

/** The time left of "Max Wait (Seconds)". With 0, there is one attempt and no waiting. */
export interface TimeLimit {
	readonly maxMs: number;
	/** Time left for sending, in ms; Infinity for a single attempt with the ordinary timeout. */
	leftForSending(): number;
	/** Time left for waiting before the next attempt. */
	leftForWaiting(): number;
	/** To be called when a request that was sent at this time has succeeded. */
	answered(from: number): void;
	/** Does not count the time that this work takes, unless it got no response. */
	uncounted<T>(work: () => Promise<T>): Promise<T>;
}

/**
 * Begins when it is first read. `growing`: for a list of any length, only time without a page
 * counts, so each response gives back the time that it took.
 */
export function timeLimit(
	maxMs: number,
	{ clock, growing = false }: { clock: Clock; growing?: boolean },
): TimeLimit {
	let end: number | undefined;
	let givenBackUntil = -Infinity;
	const left = (): number => Math.max(0, (end ??= clock() + maxMs) - clock());
	const giveBack = (from: number): void => {
		const now = clock();
		// Pages are read side by side: what two of them took at the same time is given back once.
		end = (end ?? from + maxMs) + now - Math.max(from, givenBackUntil);
		givenBackUntil = now;
	};
	return {
		maxMs,
		leftForSending: () => (maxMs <= 0 ? Infinity : left()),
		leftForWaiting: () => (maxMs <= 0 ? 0 : left()),
		answered: (from) => {
			if (growing) giveBack(from);
		},
		uncounted: async (work) => {
			const from = clock();
			const { value, failure } = await outcomeOf(work());
			if (failure?.facts.kind !== 'unreachable') giveBack(from);
			if (failure !== undefined) throw failure;
			return value;
		},
	};
}

/** Reserved for a last read of the outcome of a change: a tenth, at most five seconds. */
export const reservedForLastRead = (ms: number): number => Math.min(5_000, ms / 10);

/** The timeout of an attempt without another limit. */
const ORDINARY_TIMEOUT_MS = 60_000;
/** If this much time is left, no attempt times out earlier. */
const MIN_TIMEOUT_MS = 10_000;
/** The timeout of n8n's own HTTP helper. */
const MAX_TIMEOUT_MS = 300_000;

/** The timeout of the next attempt; undefined if too little time is left to begin one. */
export function attemptTimeout(
	{ maxMs, leftForSending }: Pick<TimeLimit, 'maxMs' | 'leftForSending'>,
	{ repeatable }: { repeatable: boolean },
): number | undefined {
	const left = leftForSending();
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
