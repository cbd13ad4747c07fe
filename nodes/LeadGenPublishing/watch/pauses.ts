/**
 * How long a list that failed is left alone. It is read again after a longer pause each time, but
 * never later than the longest pause allows, whatever the service asks for and however the clock is
 * set. A failure is reported by the third in a row at the latest. Pure.
 */
export interface Pause {
	/** Failures in a row, and when the first of them happened (ms). */
	readonly failures: number;
	readonly first: number;
	/** When the pause began, and how long it lasts (ms). */
	readonly since: number;
	readonly ms: number;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const SHORTEST = MINUTE / 2;
const LONGEST = 10 * MINUTE;
/** After failures that time alone does not repair. */
const LONGEST_WHEN_LASTING = HOUR;
/** Even if the service asks for a longer one. */
const LONGEST_ASKED_FOR = 24 * HOUR;
export const REPORTED_AFTER_MS = HOUR;
export const REPORTED_FROM_FAILURES = 3;
/** Clocks are corrected by seconds all the time; that does not end a pause. */
const CLOCK_TOLERANCE = MINUTE;

/** One that begins in the future was made before the clock was set back. */
export const isOver = (pause: Pause | undefined, now: number): boolean =>
	pause === undefined ||
	pause.since > now + CLOCK_TOLERANCE ||
	now - pause.since >= Math.min(pause.ms, LONGEST_ASKED_FOR);

export function pauseAfter(
	before: Pause | undefined,
	failure: { retryAfterMs?: number; lasting?: boolean },
	{ now, random }: { now: number; random: number },
): Pause {
	const failures = (before?.failures ?? 0) + 1;
	const longest = failure.lasting === true ? LONGEST_WHEN_LASTING : LONGEST;
	const doubled = Math.min(longest, SHORTEST * 2 ** Math.min(failures - 1, 20));
	// Lists that failed together must not be read again together.
	const ours = doubled * (0.5 + random / 2);
	const ms = Math.min(LONGEST_ASKED_FOR, Math.max(ours, failure.retryAfterMs || 0));
	return { failures, first: before?.first ?? now, since: now, ms };
}

/** Whether the failure may pass by itself, and has not gone on for long. */
export const isTolerable = (
	{ failures, since, first, ms }: Pause,
	{ lasting }: { lasting?: boolean },
): boolean =>
	lasting !== true &&
	failures < REPORTED_FROM_FAILURES &&
	since - first < REPORTED_AFTER_MS &&
	ms < REPORTED_AFTER_MS;
