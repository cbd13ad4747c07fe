/**
 * Which version of a record was seen last: when it was updated, or, if records do not say so, how
 * many of its changes were seen. The stamp shows whether a response is older, and gives two changes
 * that look the same different stamps. A stamp with a time uses its last 64 milliseconds as a
 * count, because a service may show the same time for several changes.
 */
import { spell, unspell } from '../list/hash';

export const STAMP_WIDTH = 7;
/** Smaller numbers are counts, larger ones are times in milliseconds. */
const FIRST_TIME = 2 ** 31;

export const spellStamp = (stamp: number): string => spell(stamp, STAMP_WIDTH);

export const readStamp = (text: string): number => unspell(text);

/** How many changes with the same time can be distinguished. */
const COUNTS = 64;
const withoutCount = (stamp: number): number => Math.floor(stamp / COUNTS) * COUNTS;

/** The stamp of a record that is seen for the first time. */
export const firstStamp = (updated: number | undefined): number => withoutCount(updated ?? 0);

/**
 * Whether the record was updated before the version that was seen last.
 *
 * @doubt serviceClock
 */
export const isOlder = (updated: number | undefined, last: number): boolean =>
	updated !== undefined && last >= FIRST_TIME && withoutCount(updated) < withoutCount(last);

/** The stamp of a record that has changed. */
export function nextStamp(updated: number | undefined, last: number): number {
	if (updated === undefined && last < FIRST_TIME) return last + 1;
	// A client that is gone shows no time. Its stamp keeps the time that the client showed last.
	const time = withoutCount(updated ?? last);
	return time === withoutCount(last) ? time + ((last + 1) % COUNTS) : time;
}
