/**
 * Promise: triggers with "1 of n" to "n of n" together watch every client exactly once, in whatever
 * order the clients are listed, and a client stays with its trigger when others come or go. Pure.
 */
import { hash53 } from '../store/hash';

export interface Share {
	/** From 1 to `of`. */
	readonly part: number;
	readonly of: number;
}

export const MAX_PARTS = 100;
const SEED = 7;
/** Parses "1 of 3"; undefined for any other text. */
export function parseShare(text: string): Share | undefined {
	const match = /^\s*(\d{1,3})\s+of\s+(\d{1,3})\s*$/i.exec(text);
	if (match === null) return undefined;
	const part = Number(match[1]);
	const of = Number(match[2]);
	return of <= MAX_PARTS && part >= 1 && part <= of ? { part, of } : undefined;
}

/** A UUID is the same in upper and lower case. */
export const isInShare = (clientId: string, share: Share | undefined): boolean =>
	share === undefined || hash53(clientId.toLowerCase(), SEED) % share.of === share.part - 1;
