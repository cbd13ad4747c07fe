/**
 * Which version of a record was seen last: when it was updated, or, if records do not say so, how many
 * changes of it were seen. The stamp shows whether a response is older, and two changes that look the
 * same have different stamps. A time takes the place of its last 64 milliseconds for a count, because
 * a service may show the same time for several changes.
 */
import { spell, unspell } from '../listdiff/hash';

export const STAMP_WIDTH = 7;
/** Smaller numbers are counts, larger ones are times in milliseconds. */
const FIRST_TIME = 2 ** 31;

export const spellStamp = (stamp: number): string => spell(stamp, STAMP_WIDTH);

export const readStamp = (text: string): number => unspell(text);

/** Changes with the same time that can be told apart. */
const COUNTS = 64;
const withoutCount = (stamp: number): number => Math.floor(stamp / COUNTS) * COUNTS;

/** The stamp of a record that is seen for the first time. */
export const firstStamp = (updated: number | undefined): number => withoutCount(updated ?? 0);

/** The record was updated before the version that was seen last. */
export const isOlder = (updated: number | undefined, last: number): boolean =>
	updated !== undefined && last >= FIRST_TIME && withoutCount(updated) < withoutCount(last);

/** The stamp of a record that has changed. */
export function nextStamp(updated: number | undefined, last: number): number {
	if (updated === undefined) return last + 1;
	const time = withoutCount(updated);
	return time === withoutCount(last) ? time + ((last + 1) % COUNTS) : time;
}
