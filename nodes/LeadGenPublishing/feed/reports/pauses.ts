/**
 * How long a list pauses after it failed. Each list has its own pause: as long as the service asks
 * for, or longer with each failure. It is never longer than a day, whatever the service asks for
 * and however the clock is set. Pure.
 */
const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
const SHORTEST_PAUSE = MINUTE / 2;
const LONGEST_PAUSE = 10 * MINUTE;
/** Even if the service asks for a longer one. */
export const LONGEST_ASKED_FOR = 24 * HOUR;
/** Clocks are corrected by seconds all the time, which does not end a pause. */
const CLOCK_TOLERANCE = MINUTE;

export interface Pause {
	/** Failures in a row, and when the first of them happened (ms). */
	readonly failures: number;
	readonly first: number;
	/** When the pause began, and how long it lasts (ms). */
	readonly since: number;
	readonly ms: number;
	/** If the head of the list could be read, only its later pages pause. */
	readonly of: 'list' | 'laterPages';
	/** Of the last failure. */
	readonly cause: string;
}

interface Failed {
	readonly now: number;
	readonly random: number;
	readonly retryAfterMs: number;
	/** The head of the list could be read, and a later page failed. */
	readonly isAfterHead: boolean;
	readonly cause: string;
}

/** A pause that begins in the future was set before the clock was set back. */
export const isOver = (pause: Pause | undefined, now: number): boolean =>
	pause === undefined || pause.since > now + CLOCK_TOLERANCE || now - pause.since >= pause.ms;

export function pauseAfter(
	before: Pause | undefined,
	{ now, random, retryAfterMs, isAfterHead, cause }: Failed,
): Pause {
	const { failures, first } = before ?? { failures: 0, first: now };
	const doubled = Math.min(LONGEST_PAUSE, SHORTEST_PAUSE * 2 ** failures);
	// Lists that failed together must not be read again together.
	const ours = doubled * (0.5 + random / 2);
	const ms = Math.round(Math.min(LONGEST_ASKED_FOR, Math.max(ours, retryAfterMs)));
	// If the service asks to wait, that applies to every request.
	const of = isAfterHead && retryAfterMs === 0 ? 'laterPages' : 'list';
	return { failures: failures + 1, first, since: now, ms, of, cause };
}
