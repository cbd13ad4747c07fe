/**
 * Decides whether and when a request may be sent again. Pure: time and randomness are passed in.
 *
 * Reads may be repeated. Writes only with an idempotency key, or if the service certainly refused
 * them before doing anything (429). Anything else could happen twice.
 */
export interface Attempt {
	/** A read, or a write with an idempotency key, repeated byte for byte with that key. */
	readonly repeatable: boolean;
	/** 1 for the first attempt. */
	readonly attempt: number;
}

export type Outcome =
	| {
			readonly kind: 'status';
			readonly status: number;
			readonly reason?: string;
			/** The answer is empty or cut off, so a reason that it gave is lost. */
			readonly isReasonLost?: boolean;
			readonly retryAfterMs?: number;
	  }
	/** No answer: refused, reset, timed out. Whether it was carried out is unknown. */
	| {
			readonly kind: 'unreachable';
			/** No connection was made, so nothing can have been carried out. */
			readonly neverSent?: boolean;
			/** By n8n itself, which would do so again. */
			readonly prevented?: boolean;
	  }
	/** An answer that was truncated or is not an envelope. */
	| { readonly kind: 'unreadable'; readonly cutOff: boolean };

/** Parameters of the exponential back-off. */
export interface BackOff {
	readonly baseMs: number;
	readonly capMs: number;
}

export interface RetryPolicy extends BackOff {
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
	baseMs: 500,
	capMs: 15_000,
};

/** With a wait limit, attempts are not limited otherwise; this only guarantees an end. */
export const MAX_ATTEMPTS_IN_TIME = 50;

const TRANSIENT_STATUSES = new Set([408, 500, 502, 503, 504]);

/** Whether the same request might succeed later; shown to the user as `details.retryable`. */
export function isTransient(outcome: Outcome): boolean {
	if (outcome.kind === 'unreachable') return outcome.prevented !== true;
	if (outcome.kind === 'unreadable') return outcome.cutOff;
	return outcome.status === 429 || TRANSIENT_STATUSES.has(outcome.status);
}

/** Whether the service asked to send nothing for a while, with any status. */
export const asksToWait = (outcome: Outcome): boolean =>
	outcome.kind === 'status' &&
	(outcome.status === 429 || (outcome.retryAfterMs !== undefined && isTransient(outcome)));

/** Whether the request may be sent again after this outcome, if time allows. */
export function mayRepeat(
	{ repeatable, attempt }: Attempt,
	outcome: Outcome,
	{ maxAttempts }: Pick<RetryPolicy, 'maxAttempts'>,
): boolean {
	if (!isTransient(outcome)) return false;
	const certainlyRefused = outcome.kind === 'status' && outcome.status === 429;
	if (!repeatable && !certainlyRefused) return false;
	// Throttling does not count as a failed attempt: only the time limits it.
	return attempt < (certainlyRefused ? Math.max(maxAttempts, MAX_ATTEMPTS_IN_TIME) : maxAttempts);
}

/** The pause after this many consecutive failures. */
export function backOff(
	failures: number,
	{ growth, random }: { growth: BackOff; random: () => number },
): number {
	const ceiling = Math.min(growth.capMs, growth.baseMs * 2 ** (failures - 1));
	return Math.round(ceiling / 2 + (ceiling / 2) * random());
}

/** Longer values are not meant seriously, and may exceed the range of dates. */
const MAX_RETRY_AFTER_MS = 366 * 24 * 3_600_000;

/**
 * `Retry-After` in seconds or as a date; anything else counts as absent. A date is compared with the
 * answer's own `Date` if present, because the clocks of two machines differ.
 */
export function readRetryAfter(header: unknown, sentAt: unknown, now: number): number | undefined {
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

/**
 * Whether a write may have been carried out despite this outcome. `keyed`: such writes can be
 * accepted with a conflict whose reason says so.
 */
export function mayHaveSucceeded(outcome: Outcome, { keyed }: { keyed: boolean }): boolean {
	if (outcome.kind === 'unreachable') return outcome.neverSent !== true;
	if (outcome.kind === 'unreadable' || UNCERTAIN_REASONS.has(outcome.reason ?? '')) return true;
	if (keyed && outcome.status === 409 && outcome.isReasonLost === true) return true;
	return outcome.status === 408 || (outcome.status >= 500 && outcome.status !== 501);
}

/** With these reasons the service itself says that the change may have been carried out. */
const UNCERTAIN_REASONS = new Set(['provider_ambiguous', 'provider_attachment_mismatch']);
