/**
 * Walks a list of `limit`/`offset` pages. Pure over `fetchPage` and the clock, and it always ends:
 * every record once, in the service's order, no matter what the pages say about themselves.
 *
 * Pages are read ahead: one while the list may be short, so that none costs more than one request
 * too many, and several once it is known to be long, or was long when it was last read. A service
 * that throttles is asked page by page.
 */
import { MAX_ASKED_AGAIN, PagesAhead, type FetchPage, type Page } from './pagesAhead';
import type { JsonRecord } from './schemas';

export const MAX_PAGE = 100;
/** How many pages of a long list may be under way at the same time. */
const MAX_AT_ONCE = 8;
/** Full pages after which a list counts as long. */
const LONG_AFTER = 10;
/** Records that a list of any page size has to exceed in order to be remembered as long. */
export const LONG_LIST = LONG_AFTER * MAX_PAGE;
/** Pages in a row that bring nothing new before the list is taken to be at its end. */
const MAX_PAGES_WITHOUT_NEW = 3;
/** Empty ones may come from a service that filters after it has cut its pages: more patience. */
const MAX_EMPTY = 1_000;
const MAX_PAGES = 50_000;
/** For a list that is read alone, in ms: a page that hangs must not hold it up. */
const MAX_WAIT_BEHIND_END = 1_000;

export type { FetchPage, Page, PageRequest } from './pagesAhead';

export interface Walk {
	readonly records: JsonRecord[];
	/** Something the user should know about the list as the service gave it. */
	readonly notice?: string;
	/** Whether every page gave what it announced; otherwise records may have been left out. */
	readonly isComplete: boolean;
}

export interface WalkOptions {
	readonly wanted?: number;
	/** How many pages may be under way at the same time; never above MAX_AT_ONCE. */
	readonly atOnce?: number;
	readonly pageSize?: number;
	/** Whether it had more than `LONG_LIST` records when it was last read. */
	readonly wasLong?: boolean;
	/**
	 * Others are read at the same time or after it, so it waits for all pages behind its end, however
	 * long they take: n8n goes on with requests that were given up, and they would pile up.
	 */
	readonly isOneOfMany?: boolean;
}

class EndlessListError extends Error {}

/** `wanted` undefined reads the whole list. */
export async function walkPages(
	fetchPage: FetchPage,
	{
		wanted,
		atOnce = MAX_AT_ONCE,
		pageSize = MAX_PAGE,
		wasLong = false,
		isOneOfMany = false,
	}: WalkOptions = {},
): Promise<Walk> {
	if (wanted !== undefined && wanted <= 0) return { records: [], isComplete: true };
	const limit = Math.min(pageSize, wanted ?? pageSize);
	const records: JsonRecord[] = [];
	const known = new Set<string>();
	let offset = 0;
	let step = limit;
	let width = 1;
	/** Full pages in a row. */
	let full = 0;
	/** After how many of them it counts as long. */
	let longAfter = wasLong ? 1 : LONG_AFTER;
	let withoutNew = 0;
	let pages = 0;
	let isComplete = true;
	const ahead = new PagesAhead(fetchPage, limit);

	try {
		for (;;) {
			const missing = wanted === undefined ? Infinity : wanted - records.length;
			ahead.reach({ offset, step, size: Math.min(width, Math.ceil(missing / step)) });
			let page = await ahead.next(offset);
			if (ahead.isMisled) isComplete = false;
			let fresh = addNew(page.records, { records, known });
			// An empty or repeated page that promises more is a fault: the same offset is asked again.
			for (
				let again = 0;
				fresh === 0 && page.hasMore && withoutNew === 0 && again < MAX_ASKED_AGAIN;
				again += 1
			) {
				page = await fetchPage({ offset, limit });
				fresh = addNew(page.records, { records, known });
			}
			pages += 1;
			withoutNew = fresh === 0 && page.hasMore ? withoutNew + 1 : 0;
			if (withoutNew > 0) isComplete = false;
			if (wanted !== undefined && records.length >= wanted) {
				return { records: records.slice(0, wanted), isComplete };
			}
			if (!page.hasMore) return { records, isComplete };
			if (page.records.length === 0 && withoutNew >= MAX_EMPTY) {
				throw new EndlessListError(
					`The list announces more, but its last ${withoutNew} pages were empty`,
				);
			}
			if (page.records.length > 0 && withoutNew >= MAX_PAGES_WITHOUT_NEW) {
				return { records, isComplete, notice: nothingNewNotice(records.length, withoutNew) };
			}
			if (pages >= MAX_PAGES) {
				throw new EndlessListError(`The list has not ended after ${pages} pages`);
			}
			const stride = strideOf(page, limit);
			offset += stride;
			// What was asked at other offsets no longer fits.
			if (stride !== step) ahead.giveUp();
			const isFlowing = stride === step && page.records.length >= stride && !page.throttled;
			full = isFlowing ? full + 1 : 0;
			if (!isFlowing) longAfter = LONG_AFTER;
			width = Math.min(atOnce, full === 0 ? 1 : full < longAfter ? 2 : MAX_AT_ONCE);
			step = stride;
		}
	} finally {
		ahead.giveUp();
		await ahead.settled(isOneOfMany ? Infinity : MAX_WAIT_BEHIND_END);
	}
}

/** The service says by `pagination.limit` how far a page reaches; 0 cannot be meant. */
const strideOf = (page: Page, asked: number): number =>
	page.limit > 0 ? page.limit : page.records.length > 0 ? page.records.length : asked;

function addNew(
	page: readonly JsonRecord[],
	{ records, known }: { records: JsonRecord[]; known: Set<string> },
): number {
	let fresh = 0;
	for (const record of page) {
		const id = record.id ?? record.user_id;
		if (typeof id === 'string' || typeof id === 'number') {
			if (known.has(String(id))) continue;
			known.add(String(id));
		}
		records.push(record);
		fresh += 1;
	}
	return fresh;
}

const nothingNewNotice = (count: number, pages: number): string =>
	`The service announced more records after ${count}, but its next ${pages} pages held nothing new. The list was taken to end there.`;
