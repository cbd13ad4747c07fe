/**
 * Reads new records at the head. Promise: it reads down to the records that are already known. If
 * it is cut short, the place is remembered as a gap, which the next poll reads first.
 */
import type { ReadPhase } from './diff';
import { freshPlace, PAGE_SIZE, type Place } from '../store/progress';
import type { PageView } from './reader';
import type { ListSession } from './listSession';
import { hasNoOrder } from './walk';

export interface HeadReading {
	place: Place;
	pages: number;
	unknown: number;
	/** The reading reached the end of the list, on one page or several. */
	whole: boolean;
	firstPage?: PageView;
	lastPage?: PageView;
}

/** Enough records to see whether the head has changed. */
export const SHORT_PAGE = 20;

/**
 * So many known records at the end of a page show that no new ones follow. Also the overlap at the
 * tail.
 */
export const margin = (limit: number): number => Math.min(10, Math.ceil(limit / 4));

/**
 * Undefined if it was cut short, by the budget or by a doubtful answer. `size`: of the first page; if
 * that is a short one, it is enough as long as the head has not changed.
 */
export async function readHead(
	session: ListSession,
	phase: 'head' | 'baseline',
	size = PAGE_SIZE,
): Promise<HeadReading | undefined> {
	const { findings, progress } = session;
	const place = freshPlace();
	const unknownBefore = findings.unknown;
	const countUnknown = (): number => findings.unknown - unknownBefore;
	const firstBefore = progress.first;
	let firstPage: PageView | undefined;
	let complete = false;
	try {
		for (let pages = 1; ; pages++) {
			const met = findings.unknown;
			const view = await session.readNext(place, phase, {
				...{ size: pages === 1 ? size : PAGE_SIZE, atHead: true },
			});
			if (view === undefined) {
				if (!session.isHeadBlank || countUnknown() > 0) return undefined;
				return { place: freshPlace(), pages, unknown: 0, whole: false };
			}
			firstPage ??= view;
			if (!view.more || isEndOfNews(session, { view, phase, met, firstBefore })) {
				complete = true;
				const whole = !view.more && !hasNoOrder(place) && !place.inPages;
				return { place, pages, unknown: countUnknown(), whole, firstPage, lastPage: view };
			}
		}
	} finally {
		if (!complete && phase === 'head' && countUnknown() > 0) markGap(session, place);
	}
}

/** What lies below a head reading that was cut short may hold unknown records. */
function markGap(session: ListSession, place: Place): void {
	session.replaceCheck('headCutShort', place);
}

function isEndOfNews(
	session: ListSession,
	{
		view,
		phase,
		met,
		firstBefore,
	}: { view: PageView; phase: ReadPhase; met: number; firstBefore: number | undefined },
): boolean {
	const { findings } = session;
	// A first scan has met its own records in this very poll: only records it has not met are new.
	if (phase === 'baseline') return findings.unknown === met;
	if (view.asked === SHORT_PAGE) {
		return (
			view.entries[0]?.hash === firstBefore && endsWithKnown(session, view, view.entries.length)
		);
	}
	return endsWithKnown(session, view, margin(view.limit));
}

export function endsWithKnown({ findings }: ListSession, view: PageView, length: number): boolean {
	return view.entries.slice(-length).every(({ hash }) => !findings.isNews(hash));
}
