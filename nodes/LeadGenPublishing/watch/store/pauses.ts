/**
 * Pauses of lists that failed. Promise: a failed list is read again, each time after a longer
 * pause, but never later than the longest pause allows, whatever the service asks for and however
 * the clock is set. A failure is reported by the third in a row at the latest.
 */
import { isRecord } from '../../api/schemas';

export interface Pause {
	failures: number;
	/**
	 * When it began, and how long it lasts (ms). The end is not stored, as it could not be checked
	 * against a clock that was set back.
	 */
	since: number;
	ms: number;
	/** How many of the last failures in a row were our own, not the service's. */
	faults?: number;
	/** When the first of several failures in a row happened (ms). */
	first?: number;
}

const MIN_PAUSE = 30_000;
const MAX_PAUSE_AFTER_FAILURE = 10 * 60_000;
/** For failures that time alone does not repair. */
const MAX_PAUSE_WHEN_LASTING = 60 * 60_000;
/** Even if the service asks for a longer one. */
export const MAX_PAUSE = 24 * 60 * 60_000;
/** When a failure that may pass by itself is reported: it has not passed. */
const REPORTED_FROM_FAILURES = 3;
export const REPORTED_FROM_MS = 60 * 60_000;
/** Clocks are corrected by seconds all the time; that does not end a pause early. */
const CLOCK_TOLERANCE = 60_000;

export const isPause = (value: unknown): value is Pause =>
	isRecord(value) &&
	[value.failures, value.since, value.ms, value.faults ?? 0, value.first ?? 0].every(
		(number) => Number.isFinite(number) && (number as number) >= 0,
	);

/** A pause that begins in the future was made before the clock was set back: it is over. */
export function isPauseOver(pause: Pause | undefined, now: number): boolean {
	if (pause === undefined || pause.since > now + CLOCK_TOLERANCE) return true;
	return now - pause.since >= Math.min(pause.ms, MAX_PAUSE);
}

export function pauseAfter(
	before: Pause | undefined,
	failure: { retryAfterMs?: number; lasting?: boolean; fault?: boolean },
	{ now, random }: { now: number; random: number },
): Pause {
	const failures = (before?.failures ?? 0) + 1;
	const longest = failure.lasting === true ? MAX_PAUSE_WHEN_LASTING : MAX_PAUSE_AFTER_FAILURE;
	const doubled = Math.min(longest, MIN_PAUSE * 2 ** (failures - 1));
	// Jitter: clients that failed together must not retry together.
	const jittered = doubled * (0.5 + random / 2);
	// The value of `Retry-After` is not under our control.
	const asked = failure.retryAfterMs ?? jittered;
	const faults = failure.fault === true ? (before?.faults ?? 0) + 1 : 0;
	return {
		failures,
		since: now,
		ms: Math.min(MAX_PAUSE, Number.isNaN(asked) ? jittered : Math.max(jittered, asked)),
		...(faults > 0 ? { faults } : {}),
		...(before === undefined ? {} : { first: before.first ?? before.since }),
	};
}

/**
 * Whether the failure after which this pause began need not be reported yet: it may pass by itself,
 * and has neither happened several times in a row nor gone on for long, nor will it.
 */
export const isTolerable = (
	{ failures, since, first = since, ms }: Pause,
	{ lasting }: { lasting?: boolean },
): boolean =>
	lasting !== true &&
	failures < REPORTED_FROM_FAILURES &&
	since - first < REPORTED_FROM_MS &&
	ms < REPORTED_FROM_MS;
