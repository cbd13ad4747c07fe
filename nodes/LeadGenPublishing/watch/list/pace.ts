/**
 * How many pages of the complete check each poll reads. Promise: the check is spread evenly over
 * its time, so that an idle list costs few requests; it is faster while there is something to find.
 */
import type { Progress } from '../store/progress';
import { paceStateOf } from './checkStates';

export interface CheckPace {
	/**
	 * Duration of a complete check (ms), longer if `maxPages` does not suffice. Undefined:
	 * `maxPages` in every poll.
	 */
	every?: number;
	/** Pages per poll at most, normally. */
	maxPages: number;
	/** Pages per poll while a search is on. */
	maxPagesWhenSearching: number;
}

const HOUR = 3_600_000;
export const USUAL_HOURS = 6;
export const USUAL_PACE: CheckPace = {
	every: USUAL_HOURS * HOUR,
	maxPages: 1,
	maxPagesWhenSearching: 10,
};

/**
 * From the user's option: a check within this many hours, whatever it takes; 0 means one page per
 * poll.
 */
export function paceFor(hours: number | undefined): CheckPace {
	if (hours === undefined) return USUAL_PACE;
	const { maxPagesWhenSearching } = USUAL_PACE;
	return hours > 0
		? { every: hours * HOUR, maxPages: Infinity, maxPagesWhenSearching }
		: { maxPages: 1, maxPagesWhenSearching };
}

/** A list of one page costs one request to read whole, so it is checked more often. */
const ONE_PAGE_EVERY = HOUR;

export const isOnePage = ({ end, limit }: Progress): boolean => end <= limit;

export const pagesOf = ({ end, limit }: Progress): number =>
	Math.max(1, Math.ceil(end / Math.max(1, limit - 1)));

/** The number of pages of the complete check that this poll should read. */
export function pagesDue(progress: Progress, pace: CheckPace, now: number): number {
	switch (paceStateOf(progress)) {
		case 'urgent':
			return Infinity;
		case 'searching':
			return pace.maxPagesWhenSearching;
		case 'retrying':
			return Math.max(1, pagesScheduled(progress, pace, now));
		case 'scheduled':
			return Math.max(0, pagesScheduled(progress, pace, now));
	}
}

function pagesScheduled(progress: Progress, pace: CheckPace, now: number): number {
	if (pace.every === undefined) return pace.maxPages;
	const { check } = progress;
	const every = isOnePage(progress) ? Math.min(ONE_PAGE_EVERY, pace.every) : pace.every;
	const due = Math.floor((pagesOf(progress) * (now - check.since)) / every) - check.pages;
	return Math.min(pace.maxPages, due);
}
