/**
 * Which version of a record was seen last: when it was updated, or, if records do not say so, how many
 * changes of it were seen. So an older response is recognised, and two changes that look the same
 * have different stamps.
 */
import { spell, unspell } from '../listdiff/hash';

export const STAMP_WIDTH = 7;
/** Smaller numbers are counts, larger ones are times in milliseconds. */
const FIRST_TIME = 2 ** 31;

export const spellStamp = (stamp: number): string => spell(stamp, STAMP_WIDTH);

export const readStamp = (text: string): number => unspell(text);

/** The record was updated before the version that was seen last. */
export const isOlder = (updated: number | undefined, last: number): boolean =>
	updated !== undefined && last >= FIRST_TIME && updated < last;

/** The stamp of a record that has changed. */
export const nextStamp = (updated: number | undefined, last: number): number => updated ?? last + 1;
