/**
 * Reads new records at the head. Promise: it reads down to the records that are already known. If
 * it is cut short, the place is remembered as a gap, which the next poll reads first.
 */
import type { ReadPhase } from './diff';
import { freshPlace, type Place } from '../store/progress';
import type { PageView } from './reader';
import type { ListSession } from './listSession';
import { hasNoOrder } from './walk';

export interface HeadReading {
	place: Place;
	pages: number;
	unknown: number;
	/** The reading reached the end of the list, on one page or several. */
	whole: boolean;
	/** The first and the last page read. */
	pagesRead: PageView[];
}

type Until = 'margin' | 'page' | 'unchanged';

/** Enough records to see whether the head has changed. */
export const SHORT_PAGE = 20;

/**
 * So many known records at the end of a page show that no new ones follow. Also the overlap at the
 * tail.
 */
export const margin = (limit: number): number => Math.min(10, Math.ceil(limit / 4));

/** Undefined if it was cut short, by the budget or by a doubtful answer. */
export async function readHead(
	session: ListSession,
	phase: ReadPhase,
	until: Until,
): Promise<HeadReading | undefined> {
	const { findings, progress } = session;
	const place = freshPlace();
	const before = findings.unknown;
	const firstBefore = progress.first;
	let firstPage: PageView | undefined;
	let complete = false;
	try {
		for (let pages = 1; ; pages++) {
			const met = findings.unknown;
			const size = until === 'unchanged' && pages === 1 ? SHORT_PAGE : undefined;
			const view = await session.readNext(place, phase, { size, atHead: true });
			if (view === undefined) {
				if (!session.isHeadBlank || findings.unknown > before) return undefined;
				complete = true;
				return { place: freshPlace(), pages, unknown: 0, whole: false, pagesRead: [] };
			}
			firstPage ??= view;
			if (!view.more || isEndOfNews(session, { view, until, met, firstBefore })) {
				complete = true;
				const whole = !view.more && !hasNoOrder(place);
				const unknown = findings.unknown - before;
				return { place, pages, unknown, whole, pagesRead: [firstPage, view] };
			}
		}
	} finally {
		if (!complete && phase === 'head' && findings.unknown > before) markGap(session, place);
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
		until,
		met,
		firstBefore,
	}: { view: PageView; until: Until; met: number; firstBefore: number | undefined },
): boolean {
	const { findings } = session;
	// A first scan has met its own records in this very poll: only records it has not met are new.
	if (until === 'page') return findings.unknown === met && view.entries.length > 0;
	if (view.asked === SHORT_PAGE) {
		return (
			view.entries[0]?.hash === firstBefore && endsWithKnown(session, view, view.entries.length)
		);
	}
	return endsWithKnown(session, view, margin(view.limit));
}

export function endsWithKnown({ findings }: ListSession, view: PageView, length: number): boolean {
	const last = view.entries.slice(-length);
	return last.length > 0 && last.every(({ hash }) => !findings.isNews(hash));
}
