/**
 * May this request be sent again, and when? Pure: time and chance are passed in.
 *
 * A read may. A write only when it carries an idempotency key, or when the service certainly
 * refused it before doing anything (429). Everything else could happen twice.
 */
export interface Attempt {
	/** GET, or anything else that changes nothing. */
	readonly read: boolean;
	/** The request carries an idempotency key, and is repeated with it, byte for byte. */
	readonly keyed: boolean;
	/** 1 for the first sending. */
	readonly attempt: number;
	readonly waitedMs: number;
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

export interface RetryPolicy {
	readonly maxAttempts: number;
	readonly maxWaitMs: number;
	readonly baseMs: number;
	readonly capMs: number;
}

export const DEFAULT_RETRY: RetryPolicy = {
	maxAttempts: 5,
	maxWaitMs: 60_000,
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

/** Milliseconds to wait before sending again; undefined when it must not be sent again. */
export function retryDelay(
	attempt: Attempt,
	outcome: Outcome,
	{ policy, random }: { policy: RetryPolicy; random: () => number },
): number | undefined {
	if (!isPassing(outcome)) return undefined;
	const certainlyRefused = outcome.kind === 'status' && outcome.status === 429;
	if (!attempt.read && !attempt.keyed && !certainlyRefused) return undefined;
	// Being throttled says when to come back, not that it is hopeless: then only the time counts.
	const most = certainlyRefused
		? Math.max(policy.maxAttempts, MAX_ATTEMPTS_IN_TIME)
		: policy.maxAttempts;
	if (attempt.attempt >= most) return undefined;
	const asked = outcome.kind === 'status' ? outcome.retryAfterMs : undefined;
	const delay = asked ?? backOff(attempt.attempt, { policy, random });
	// Coming back before the service allows it would only earn another refusal.
	return attempt.waitedMs + delay <= policy.maxWaitMs ? delay : undefined;
}

function backOff(
	attempt: number,
	{ policy, random }: { policy: RetryPolicy; random: () => number },
): number {
	const ceiling = Math.min(policy.capMs, policy.baseMs * 2 ** (attempt - 1));
	return Math.round(ceiling / 2 + (ceiling / 2) * random());
}

/** `Retry-After` as seconds or as a date; anything else counts as absent. */
export function readRetryAfter(header: unknown, now: number): number | undefined {
	const text = typeof header === 'number' ? String(header) : header;
	if (typeof text !== 'string' || text.trim() === '') return undefined;
	if (/^\s*\d+(\.\d+)?\s*$/.test(text)) return Math.ceil(Number(text) * 1000);
	// The parser makes a date of almost anything, such as "-5"; a real one has a time of day.
	const date = /\d\d:\d\d:\d\d/.test(text) ? Date.parse(text) : NaN;
	return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/** After these answers a write may have been carried out all the same. */
export function leavesOpen(outcome: Outcome): boolean {
	if (outcome.kind === 'unreachable') return outcome.neverSent !== true;
	if (outcome.kind === 'unreadable' || OPEN_REASONS.has(outcome.reason ?? '')) return true;
	return outcome.status === 408 || (outcome.status >= 500 && outcome.status !== 501);
}

/** By these the service says itself that the change may have been carried out. */
const OPEN_REASONS = new Set(['provider_ambiguous', 'provider_attachment_mismatch']);
