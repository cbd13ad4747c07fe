/**
 * Promise: where the reading of one list stands, in terms that a later poll can go on from; and
 * what was stored is believed only if every part of it is of its kind.
 */

import { isRecord } from '../isRecord';

/** A place in a list that moves under us: where to read on, and the records read just before. */
export interface Place {
	next: number;
	/** Hashes of the last records read. Their place tells how far the list has shifted. */
	anchors: number[];
	/** How often the thread was lost for good, so that reading began again at the head. */
	restarts: number;
	/** Empty pages in a row, just before `next`, that were taken at their word. */
	blanks?: number;
	/** Different numbers of records on pages that were not full and announced more. */
	shortSizes?: number[];
}

/** The first scan. */
export interface Scan extends Place {
	pages: number;
	/** Complete passes so far, and whether the present one met anything unknown. */
	passes: number;
	news: boolean;
}

export const CHECK_KINDS = {
	/** The complete check: a page now and then, from the head to the end. */
	paced: { isUrgent: false, complete: true },
	/** The reading of the head was cut short: read on from there until a page of known records. */
	gap: { isUrgent: true, complete: false },
	/** It was cut short while a gap was open: read all that follows. */
	rest: { isUrgent: true, complete: false },
	/** What precedes the news at the tail is not known: read the whole list. */
	everything: { isUrgent: true, complete: true },
} as const;

export type CheckKind = keyof typeof CHECK_KINDS;

export interface Check extends Place {
	kind: CheckKind;
	/** When this check began (ms). */
	since: number;
	/** Pages read by this check. */
	pages: number;
	/** It met a new record that neither end had shown. */
	foundElsewhere?: true;
	/** It took an answer at its word that hides records, perhaps: not everything was met. */
	doubtful?: true;
	/** It began with all marks cleared: what it does not mark is not in the list. */
	marks?: true;
}

/** The ends of a list at which new records have appeared. */
export type Growth = 'head' | 'tail' | 'both';

export interface Agreed {
	end: Growth;
	checks: number;
}

export const combineGrowth = (
	one: Growth | undefined,
	other: Growth | undefined,
): Growth | undefined =>
	one === undefined || one === other ? other : other === undefined ? one : 'both';

export interface Progress {
	/** Where the list ended when last seen. */
	end: number;
	/** Page size that the service really gives. */
	limit: number;
	/** The record at the very head and at the very end, when last seen. */
	first?: number;
	last?: number;
	/** Where news were seen, and where since the present check began. */
	grows?: Growth;
	grewLately?: Growth;
	/** Complete checks in a row in whose time news were seen at this end only. */
	agreed?: Agreed;
	/** Records at the head that the last poll met and left for this one. */
	waiting?: number;
	/** Present until the first scan is finished. */
	baseline?: Scan;
	check: Check;
	/** The first scan follows damage: what it meets was delivered before, whatever the settings. */
	quietly?: true;
	/**
	 * Since when a record is sought, or was found, that neither end shows: checks hurry until one
	 * that began after this time finds nothing.
	 */
	searching?: number;
	/** Polls in a row that met an answer which hides records, perhaps. */
	doubts?: number;
	/** So many of them that such answers are taken at their word. */
	believes?: true;
	/** Told that the list is about to outgrow what can be remembered. */
	nearlyFull?: true;
	/** When it was last told that the list has outgrown it (ms). */
	fullToldAt?: number;
}

export const freshPlace = (): Place => ({ next: 0, anchors: [], restarts: 0 });

export const freshCheck = (since: number): Check => ({
	...freshPlace(),
	kind: 'paced',
	since,
	pages: 0,
});

export function freshProgress({ now, limit }: { now: number; limit: number }): Progress {
	const baseline = { ...freshPlace(), pages: 0, passes: 0, news: false };
	return { end: 0, limit, baseline, check: freshCheck(now) };
}

/** Both ends have to be looked at anew: what they showed is no longer all known. */
export function withoutEnds(progress: Progress): Progress {
	const copy = { ...progress };
	delete copy.first;
	delete copy.last;
	return copy;
}

type Guard = (value: unknown) => boolean;

/** Further than any list reaches, and far enough from where numbers stop being exact. */
const MAX_OFFSET = 1e9;
const MAX_ANCHORS = 8;
const MAX_SHORT_SIZES = 3;

const isCount: Guard = (value) =>
	Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= MAX_OFFSET;
const isSize: Guard = (value) => isCount(value) && value !== 0;
const isHash: Guard = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
const isTime: Guard = (value) => Number.isFinite(value) && (value as number) >= 0;
const isFlag: Guard = (value) => typeof value === 'boolean';
const isTrue: Guard = (value) => value === true;
const isGrowth: Guard = (value) => value === 'head' || value === 'tail' || value === 'both';
const isKind: Guard = (value) => typeof value === 'string' && Object.hasOwn(CHECK_KINDS, value);
const arrayOf =
	(is: Guard, most: number): Guard =>
	(value) =>
		Array.isArray(value) && value.length <= most && value.every(is);
const optional =
	(is: Guard): Guard =>
	(value) =>
		value === undefined || is(value);
const objectOf =
	(shape: Readonly<Record<string, Guard>>): Guard =>
	(value) =>
		isRecord(value) && Object.entries(shape).every(([name, is]) => is(value[name]));

const PLACE = {
	next: isCount,
	anchors: arrayOf(isHash, MAX_ANCHORS),
	restarts: isCount,
	blanks: optional(isCount),
	shortSizes: optional(arrayOf(isSize, MAX_SHORT_SIZES)),
};
const SCAN = { ...PLACE, pages: isCount, passes: isCount, news: isFlag };
const CHECK = {
	...PLACE,
	kind: isKind,
	since: isTime,
	pages: isCount,
	foundElsewhere: optional(isTrue),
	doubtful: optional(isTrue),
	marks: optional(isTrue),
};

const isProgress = objectOf({
	end: isCount,
	limit: isSize,
	first: optional(isHash),
	last: optional(isHash),
	grows: optional(isGrowth),
	grewLately: optional(isGrowth),
	agreed: optional(objectOf({ end: isGrowth, checks: isCount })),
	waiting: optional(isCount),
	baseline: optional(objectOf(SCAN)),
	check: objectOf(CHECK),
	quietly: optional(isTrue),
	searching: optional(isTime),
	doubts: optional(isCount),
	believes: optional(isTrue),
	nearlyFull: optional(isTrue),
	fullToldAt: optional(isTime),
});

/** Undefined if anything in it cannot have been written by us. */
export const readProgress = (value: unknown): Progress | undefined =>
	isProgress(value) ? (value as Progress) : undefined;

/** Clocks are put right: a time to come has not been, so that nothing waits for it. */
export function limitTimesToNow(progress: Progress, now: number): void {
	progress.check.since = Math.min(progress.check.since, now);
	if (progress.searching !== undefined) progress.searching = Math.min(progress.searching, now);
	if (progress.fullToldAt !== undefined) progress.fullToldAt = Math.min(progress.fullToldAt, now);
}
