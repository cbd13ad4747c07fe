/**
 * Promise: triggers with "1 of n" to "n of n" together watch every client exactly once, in whatever
 * order the clients are listed, and a client stays with its trigger when others come or go. Pure.
 */
import { hash53 } from '../list/hash';

export interface Share {
	/** From 1 to `of`. */
	readonly part: number;
	readonly of: number;
}

export const MAX_PARTS = 100;
const SHARE_SEED = 7;

/** Parses "1 of 3". Undefined for any other text. */
export function parseShare(text: string): Share | undefined {
	const [, part, of] = /^\s*(\d{1,3})\s+of\s+(\d{1,3})\s*$/i.exec(text)?.map(Number) ?? [];
	if (part === undefined || of === undefined) return undefined;
	return of <= MAX_PARTS && part >= 1 && part <= of ? { part, of } : undefined;
}

export const isInShare = (clientId: string, share: Share | undefined): boolean =>
	share === undefined || hash53(clientId.toLowerCase(), SHARE_SEED) % share.of === share.part - 1;
