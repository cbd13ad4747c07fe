/**
 * Decides whether and when to send a request again. Pure: randomness is passed in. `policy.ts` says
 * what a failure means.
 *
 * Reads may be repeated. Writes may only be repeated with an idempotency key, or if the service
 * asked for fewer requests, because then it did nothing. Any other write could happen twice.
 */
import type { SeenFailure } from './failure';
import { isThrottled, mayPass } from './policy';

export interface RetryPolicy {
	readonly maxAttempts: number;
	/** The total time of a request, including repetitions and pauses. */
	readonly maxWaitMs: number;
	/** The longest single pause. */
	readonly maxPauseMs: number;
}

export const DEFAULT_RETRY: RetryPolicy = {
	maxAttempts: 5,
	maxWaitMs: 60_000,
	maxPauseMs: Infinity,
};

/** If the user sets a wait limit, only the time counts. This number just guarantees an end. */
export const MAX_ATTEMPTS_IN_TIME = 50;

/**
 * Whether a request may be sent again after so many attempts, if time allows. `repeatable`: a read, or
 * a write with an idempotency key, which is repeated byte for byte with that key.
 */
export function mayRepeat(
	seen: SeenFailure,
	sending: { repeatable: boolean; attempts: number; maxAttempts: number },
): boolean {
	const { repeatable, attempts, maxAttempts } = sending;
	// Throttling does not count as a failed attempt: only the time limits it.
	if (isThrottled(seen)) return attempts < Math.max(maxAttempts, MAX_ATTEMPTS_IN_TIME);
	return repeatable && mayPass(seen) && attempts < maxAttempts;
}

/** The first pause before a request or a file is sent again. */
export const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 15_000;

/** The pause after this many consecutive failures. */
export function backOff(failures: number, random: () => number): number {
	const ceiling = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (failures - 1));
	return Math.round(ceiling / 2 + (ceiling / 2) * random());
}
