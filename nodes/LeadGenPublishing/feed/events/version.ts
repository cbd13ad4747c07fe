/**
 * Which version of a record was seen last: the time of its update, or, if records do not show it, how
 * many of its changes were seen. It shows whether a response is older, and tells apart two changes
 * that look the same. The last 64 milliseconds of a time are a count, because a service may show the
 * same time for several changes.
 */
import { spell, unspell } from '../list/hash';

export const VERSION_WIDTH = 7;
/** Smaller numbers are counts, larger ones are times in milliseconds. */
const FIRST_TIME = 2 ** 31;

export const spellVersion = (version: number): string => spell(version, VERSION_WIDTH);

export const readVersion = (text: string): number => unspell(text);

/** How many changes with the same time can be distinguished. */
const COUNTS = 64;
const withoutCount = (version: number): number => Math.floor(version / COUNTS) * COUNTS;

/** The version of a record that is seen for the first time. */
export const firstVersion = (updated: number | undefined): number => withoutCount(updated ?? 0);

/**
 * Whether the record was updated before the version that was seen last.
 *
 * @doubt serviceClock
 */
export const isOlder = (updated: number | undefined, last: number): boolean =>
	updated !== undefined && last >= FIRST_TIME && withoutCount(updated) < withoutCount(last);

/** The version of a record that has changed. */
export function nextVersion(updated: number | undefined, last: number): number {
	if (updated === undefined && last < FIRST_TIME) return last + 1;
	// A client that is gone shows no time. Its version keeps the time that the client showed last.
	const time = withoutCount(updated ?? last);
	return time === withoutCount(last) ? time + ((last + 1) % COUNTS) : time;
}
