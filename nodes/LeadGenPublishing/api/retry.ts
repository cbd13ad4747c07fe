/**
 * Decides whether and when a request may be sent again, and how long it may take. Pure: time and
 * randomness are passed in. `policy.ts` says what a failure means.
 *
 * Reads may be repeated. Writes only with an idempotency key, or if the service has certainly done
 * nothing because it asks for fewer requests. Anything else could happen twice.
 */
import { outcomeOf, type SeenFailure } from './failure';
import { isThrottled, mayPass } from './policy';
import type { JsonRecord } from './schemas';

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

/** With a wait limit, attempts are not limited otherwise; this only guarantees an end. */
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

/** Also before a file is sent once more. */
export const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 15_000;

/** The pause after this many consecutive failures. */
export function backOff(failures: number, random: () => number): number {
	const ceiling = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (failures - 1));
	return Math.round(ceiling / 2 + (ceiling / 2) * random());
}

/** Longer values are not meant seriously, and may exceed the range of dates. */
const MAX_RETRY_AFTER_MS = 366 * 24 * 3_600_000;

/**
 * `Retry-After` in seconds or as a date; anything else counts as absent. A date is compared with the
 * answer's own `Date` if present, because the clocks of two machines differ.
 */
export function readRetryAfter(
	{ 'retry-after': header, date: sentAt }: JsonRecord,
	now: number,
): number | undefined {
	const text = typeof header === 'number' ? String(header) : header;
	if (typeof text !== 'string') return undefined;
	const ms = /^\s*\d+(\.\d+)?\s*$/.test(text)
		? Math.ceil(Number(text) * 1000)
		: readDate(text) - (readDate(sentAt) || now);
	return Number.isNaN(ms) ? undefined : Math.min(MAX_RETRY_AFTER_MS, Math.max(0, ms));
}

/** `Date.parse` accepts almost anything, such as "-5"; a real date here has a time of day. */
const readDate = (text: unknown): number =>
	typeof text === 'string' && /\d\d:\d\d:\d\d/.test(text) ? Date.parse(text) : NaN;

/** Milliseconds since an arbitrary moment; never decreases. */
export type Clock = () => number;

/** What is left of "Max Wait (Seconds)". With 0 there is one attempt, and no waiting. */
export interface TimeLimit {
	readonly maxMs: number;
	/** Time left for sending, in ms; Infinity for a single attempt with the ordinary timeout. */
	leftForSending(): number;
	/** Time left for waiting before the next attempt. */
	leftForWaiting(): number;
	/** A request that was sent then has succeeded. */
	answered(from: number): void;
	/** Does not count the time that this work takes, unless no answer came of it. */
	uncounted<T>(work: () => Promise<T>): Promise<T>;
}

/**
 * Begins when it is first looked at. `growing`: for a list of any length, only time counts in which
 * no page came, so each answer gives back the time that it took.
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
/** If there is that much time, no attempt times out earlier. */
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
