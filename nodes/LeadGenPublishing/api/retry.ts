/**
 * May this request be sent again, and when? Pure: time and chance are passed in.
 *
 * A read may. A write only when it carries an idempotency key, or when the service certainly
 * refused it before doing anything (429). Everything else could happen twice.
 */
export interface Attempt {
	/** A read, or a write with an idempotency key, which is repeated with it byte for byte. */
	readonly repeatable: boolean;
	/** 1 for the first sending. */
	readonly attempt: number;
}

export type Outcome =
	| {
			readonly kind: 'status';
			readonly status: number;
			readonly reason?: string;
			readonly retryAfterMs?: number;
	  }
	/** No answer: refused, reset, timed out. Nobody knows whether it was carried out. */
	| {
			readonly kind: 'unreachable';
			/** Not even a connection came about, so nothing can have been carried out. */
			readonly neverSent?: boolean;
	  }
	/** An answer that was cut off or is no envelope. */
	| { readonly kind: 'unreadable'; readonly cutOff: boolean };

/** Pauses that grow from attempt to attempt. */
export interface BackOff {
	readonly baseMs: number;
	readonly capMs: number;
}

export interface RetryPolicy extends BackOff {
	readonly maxAttempts: number;
	/** How long a request may take in all, with its repetitions and the pauses between them. */
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

/** Where the time to wait is what counts, and not the tries: only so that it ends for certain. */
export const MAX_ATTEMPTS_IN_TIME = 50;

const PASSING_STATUS = new Set([408, 500, 502, 503, 504]);

/** Whether the same request might succeed later: what `details.retryable` tells the user. */
export function isPassing(outcome: Outcome): boolean {
	if (outcome.kind === 'unreachable') return true;
	if (outcome.kind === 'unreadable') return outcome.cutOff;
	return outcome.status === 429 || PASSING_STATUS.has(outcome.status);
}

/** Whether the service has asked not to be sent anything for a while, on whatever occasion. */
export const asksToWait = (outcome: Outcome): boolean =>
	outcome.kind === 'status' &&
	(outcome.status === 429 || (outcome.retryAfterMs !== undefined && isPassing(outcome)));

/** Whether the request may be sent again after this outcome, time permitting. */
export function mayRepeat(
	{ repeatable, attempt }: Attempt,
	outcome: Outcome,
	{ maxAttempts }: Pick<RetryPolicy, 'maxAttempts'>,
): boolean {
	if (!isPassing(outcome)) return false;
	const certainlyRefused = outcome.kind === 'status' && outcome.status === 429;
	if (!repeatable && !certainlyRefused) return false;
	// Being throttled says when to come back, not that it is hopeless: then only the time counts.
	return attempt < (certainlyRefused ? Math.max(maxAttempts, MAX_ATTEMPTS_IN_TIME) : maxAttempts);
}

/** The pause after so many failures in a row. */
export function backOff(
	failures: number,
	{ growth, random }: { growth: BackOff; random: () => number },
): number {
	const ceiling = Math.min(growth.capMs, growth.baseMs * 2 ** (failures - 1));
	return Math.round(ceiling / 2 + (ceiling / 2) * random());
}

/** Nobody means longer; beyond the reach of dates it could not even be shown. */
const LONGEST_RETRY_AFTER_MS = 366 * 24 * 3_600_000;

/**
 * `Retry-After` as seconds or as a date; anything else counts as absent. A date is compared with
 * the service's own, where the answer carries it: the clocks of two machines differ.
 */
export function readRetryAfter(header: unknown, sentAt: unknown, now: number): number | undefined {
	const text = typeof header === 'number' ? String(header) : header;
	if (typeof text !== 'string' || text.trim() === '') return undefined;
	const ms = /^\s*\d+(\.\d+)?\s*$/.test(text)
		? Math.ceil(Number(text) * 1000)
		: readDate(text) - (readDate(sentAt) || now);
	return Number.isNaN(ms) ? undefined : Math.min(LONGEST_RETRY_AFTER_MS, Math.max(0, ms));
}

/** The parser makes a date of almost anything, such as "-5"; a real one has a time of day. */
const readDate = (text: unknown): number =>
	typeof text === 'string' && /\d\d:\d\d:\d\d/.test(text) ? Date.parse(text) : NaN;

/** After these answers a write may have been carried out all the same. */
export function leavesOpen(outcome: Outcome): boolean {
	if (outcome.kind === 'unreachable') return outcome.neverSent !== true;
	if (outcome.kind === 'unreadable' || OPEN_REASONS.has(outcome.reason ?? '')) return true;
	return outcome.status === 408 || (outcome.status >= 500 && outcome.status !== 501);
}

/** By these the service says itself that the change may have been carried out. */
const OPEN_REASONS = new Set(['provider_ambiguous', 'provider_attachment_mismatch']);
