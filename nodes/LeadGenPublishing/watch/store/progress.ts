/** How far the reading of one list has come, as stored: a later poll can continue from it. */

/**
 * A place in a list that may shift between requests: where to read next, and the last records read.
 */
export interface Place {
	next: number;
	/** Hashes of the last records read. Where they are found tells how far the list has shifted. */
	anchors: number[];
	/** How often the place could not be found again, so that reading restarted at the head. */
	restarts: number;
	/** Blank pages in a row, just before `next`, that were skipped. */
	blanks?: number;
	/** The different sizes of pages that were not full although more followed. */
	shortSizes?: number[];
	/** Pages in a row that brought nothing new. */
	idle?: number;
	/** The service repeats pages: they are read without looking for the last records. */
	inPages?: true;
}

/** The first scan of a list. */
export interface Scan extends Place {
	pages: number;
	/** Completed passes, and whether the current one has met anything unknown. */
	passes: number;
	news: boolean;
}

/** What follows from each: `list/checkStates.ts`. */
export const CHECK_KINDS = [
	/** The complete check: some pages per poll, from the head to the end. */
	'paced',
	/** Reading the head was cut short: continue there until a page ends with known records. */
	'gap',
	/** It was cut short again while a gap was open: read everything below. */
	'rest',
	/** What lies before the new records at the tail is not known: read the whole list. */
	'everything',
] as const;

export type CheckKind = (typeof CHECK_KINDS)[number];

export interface Check extends Place {
	kind: CheckKind;
	/** When this check began (ms). */
	since: number;
	/** Pages read by this check. */
	pages: number;
	/** It met an unknown record that neither end had shown. */
	foundElsewhere?: true;
	/** It accepted an answer that may hide records, so it may have missed some. */
	doubtful?: true;
	/** It began with all marks cleared: records that it does not mark are not in the list. */
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
	/** Where the list ended when last read. */
	end: number;
	/** The page size that the service really uses. */
	limit: number;
	/** Hashes of the first and the last record when last read. */
	first?: number;
	last?: number;
	/** Where new records have appeared, and where since the current check began. */
	grows?: Growth;
	grewLately?: Growth;
	/** Complete checks in a row during which new records appeared at this end only. */
	agreed?: Agreed;
	/** Unknown records at the head that the previous poll met and left for this one. */
	waiting?: number;
	/** Present until the first scan is complete. */
	baseline?: Scan;
	check: Check;
	/**
	 * The first scan is silent, after damage or for another account: it delivers nothing, whatever
	 * the settings.
	 */
	quietly?: true;
	/**
	 * A search is on since this time (ms): a record was missing or found that neither end shows.
	 * Checks are faster until one that began later finds nothing.
	 */
	searching?: number;
	/** Polls in a row that met an answer that may hide records. */
	doubts?: number;
	/** There were so many of these polls that such answers are accepted. */
	believes?: true;
	/** Its pages give other places than those that were asked for, and are accepted all the same. */
	elsewhere?: true;
	/** The list repeats its pages, which the user was told. */
	repeats?: true;
	/** The user was told that the memory for this list is nearly full. */
	nearlyFull?: true;
	/** When the user was last told that the memory for this list is full (ms). */
	fullToldAt?: number;
}

/** How many records a request asks for: the most that the service gives. */
export const PAGE_SIZE = 100;

export const freshPlace = (): Place => ({ next: 0, anchors: [], restarts: 0 });

export const freshCheck = (since: number): Check => ({
	...freshPlace(),
	kind: 'paced',
	since,
	pages: 0,
});

export function freshProgress(now: number, limit = PAGE_SIZE): Progress {
	const baseline = { ...freshPlace(), pages: 0, passes: 0, news: false };
	return { end: 0, limit, baseline, check: freshCheck(now) };
}

/** Both ends must be read again: some of their records are no longer remembered. */
export function withoutEnds(progress: Progress): Progress {
	const copy = { ...progress };
	delete copy.first;
	delete copy.last;
	return copy;
}

/**
 * After the clock was set back, times in the future would delay everything that depends on them.
 */
export function timesUpTo(now: number, progress: Progress): Progress {
	const { check, searching, fullToldAt } = progress;
	return {
		...progress,
		check: { ...check, since: Math.min(check.since, now) },
		...(searching === undefined ? {} : { searching: Math.min(searching, now) }),
		...(fullToldAt === undefined ? {} : { fullToldAt: Math.min(fullToldAt, now) }),
	};
}
