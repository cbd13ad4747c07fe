/**
 * Promise: a list that failed is asked again, later each time, and never later than after the
 * longest pause: not because the service says so, nor because the clock was put back.
 */
import { isRecord } from '../isRecord';

export interface Pause {
	failures: number;
	/** When it began, and how long it is (ms). Not when it ends: that would trust two clocks. */
	since: number;
	ms: number;
	/** How many of the last failures were our own, not the service's. */
	faults?: number;
}

const MIN_PAUSE = 30_000;
const MAX_PAUSE_AFTER_FAILURE = 10 * 60_000;
/** For a failure that time alone will not mend. */
const MAX_PAUSE_WHEN_LASTING = 60 * 60_000;
/** Whatever the service asks for. */
export const MAX_PAUSE = 24 * 60 * 60_000;
/** Clocks are put right by so much every day: no reason to ask before the time. */
const CLOCK_TOLERANCE = 60_000;

export const isPause = (value: unknown): value is Pause =>
	isRecord(value) &&
	[value.failures, value.since, value.ms, value.faults ?? 0].every(
		(number) => Number.isFinite(number) && (number as number) >= 0,
	);

/** A pause that begins in the future was made by a clock that has been put back: it is over. */
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
	const doubled = Math.min(longest, MIN_PAUSE * 2 ** Math.min(failures - 1, 20));
	// Jitter: clients that failed together must not come back together.
	const jittered = doubled * (0.5 + random / 2);
	const asked = Math.max(jittered, finiteMs(failure.retryAfterMs));
	const faults = failure.fault === true ? (before?.faults ?? 0) + 1 : 0;
	return {
		failures,
		since: now,
		ms: Math.min(MAX_PAUSE, asked),
		...(faults > 0 ? { faults } : {}),
	};
}

/** `Retry-After` is what a stranger wrote. */
const finiteMs = (ms: number | undefined): number =>
	ms === undefined || Number.isNaN(ms) ? 0 : Math.min(ms, MAX_PAUSE);
