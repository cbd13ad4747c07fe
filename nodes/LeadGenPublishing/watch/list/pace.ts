/**
 * Promise: the complete check is spread evenly over its time, so that an idle list costs no more
 * than it must; it hurries while there is something to be found.
 */
import { CHECK_KINDS, type Progress } from './progress';

export interface CheckPace {
	/** A complete check takes this long (ms), or longer if `most` says so. Undefined: `most` per poll. */
	every?: number;
	/** Pages per poll at most, while all is well. */
	maxPages: number;
	/** Pages per poll while a record is sought. */
	maxPagesWhenSearching: number;
}

const HOUR = 3_600_000;
export const USUAL_HOURS = 6;
export const USUAL_PACE: CheckPace = {
	every: USUAL_HOURS * HOUR,
	maxPages: 1,
	maxPagesWhenSearching: 10,
};

/** What the user asks for: a check within so many hours, whatever it takes, or with 0 a page per poll. */
export function paceFor(hours: number | undefined): CheckPace {
	if (hours === undefined) return USUAL_PACE;
	const { maxPagesWhenSearching } = USUAL_PACE;
	return hours > 0
		? { every: hours * HOUR, maxPages: Infinity, maxPagesWhenSearching }
		: { maxPages: 1, maxPagesWhenSearching };
}

/** A list of one page is read whole for one request: more often, then. */
const ONE_PAGE_EVERY = HOUR;

export const isOnePage = ({ end, limit }: Progress): boolean => end <= limit;

export const pagesOf = ({ end, limit }: Progress): number =>
	Math.max(1, Math.ceil(end / Math.max(1, limit - 1)));

/** How many pages of the complete check this poll should read. */
export function pagesDue(progress: Progress, pace: CheckPace, now: number): number {
	const { check } = progress;
	if (CHECK_KINDS[check.kind].isUrgent) return Infinity;
	if (isSearching(progress)) return pace.maxPagesWhenSearching;
	// A page that was not believed is asked for again by the very next poll.
	const least = progress.doubts !== undefined && check.next > 0 ? 1 : 0;
	if (pace.every === undefined) return Math.max(least, pace.maxPages);
	const every = isOnePage(progress) ? Math.min(ONE_PAGE_EVERY, pace.every) : pace.every;
	const due = Math.floor((pagesOf(progress) * (now - check.since)) / every) - check.pages;
	return Math.max(least, Math.min(pace.maxPages, due));
}

/** Something is known to be there, or room must be found. */
const isSearching = ({ searching, fullToldAt }: Progress): boolean =>
	searching !== undefined || fullToldAt !== undefined;
