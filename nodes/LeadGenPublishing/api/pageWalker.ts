/**
 * Reads lists of `limit`/`offset` pages, for both nodes. Pure: who asks for a page is handed in.
 *
 * `PageReader` asks for one page, and again where the answer may hide records. `readList` goes from
 * page to page with it, always ends, and collects every record once.
 */
import type { JsonRecord } from './schemas';

export const MAX_PAGE = 100;
/** A page that may hide records is asked for so often in all. */
const MAX_ASKED = 3;
/** After so many requests in a row that bring nothing new, a list is taken to be at its end. */
export const MAX_WITHOUT_NEW = 20;
/** However new its records are, no list is followed any further. */
const MAX_PAGES = 50_000;

/** How many pages of a long list may be under way at the same time. */
const MAX_AT_ONCE = 8;
/** So many full pages in a row show that a list is long; until then, one page is read ahead. */
const LONG_AFTER = 10;

export interface Page {
	readonly records: readonly JsonRecord[];
	/** The page size that the answer gives for itself. */
	readonly limit: number;
	readonly hasMore: boolean;
	/** The place in the list that the answer gives for itself, if it gives one. */
	readonly offset?: number;
	/** The service has asked to slow down before it gave this page. */
	readonly throttled?: boolean;
}
export interface PageRequest {
	readonly offset: number;
	readonly limit: number;
}
/** The signal says that nobody waits for the page any more. */
export type FetchPage = (request: PageRequest, givenUp?: AbortSignal) => Promise<Page>;

/**
 * Why a page may hide records: it is empty and announces more (`blank`), gives another place than it
 * was asked for (`elsewhere`), or holds the same records as the page before it (`repeated`).
 */
export type Doubt = 'blank' | 'elsewhere' | 'repeated';

export interface PageRead extends Page {
	/** What is still doubtful after the page was asked for again. */
	readonly doubt?: Doubt;
	/** The number of requests that it took. */
	readonly asked: number;
	/** Where the next page begins. */
	readonly next: number;
}

export class PageReader {
	/** Every answer has confirmed these doubts: a page is not asked for again because of them. */
	private readonly confirmed = new Set<Doubt>();
	private before: { offset: number; identity: string } | undefined;
	/** A page behind the first one has given the place that it was asked for. */
	private givesPlaces = false;
	/** The service gives other places for all pages, and means nothing by it. */
	private countsOtherwise = false;

	/** `believes`: takes every page as it is. */
	constructor(
		private readonly fetchPage: FetchPage,
		private readonly believes = false,
	) {}

	/** `ahead` is the answer to this request if it was asked for before. */
	async read(request: PageRequest, ahead?: Promise<Page>): Promise<PageRead> {
		const { offset } = request;
		let page = await (ahead ?? this.fetchPage(request));
		let doubt = this.doubtAbout(page, offset);
		let asked = 1;
		for (; doubt !== undefined && !this.confirmed.has(doubt) && asked < MAX_ASKED; asked += 1) {
			page = await this.fetchPage(request);
			doubt = this.doubtAbout(page, offset);
		}
		if (doubt !== undefined) this.confirmed.add(doubt);
		// Then the first page shows it already, or all pages have the place of the first.
		const isOfService = offset === 0 || (page.offset === 0 && !this.givesPlaces);
		if (doubt === 'elsewhere' && isOfService) {
			this.countsOtherwise = true;
			doubt = undefined;
		}
		this.givesPlaces ||= offset > 0 && page.offset === offset;
		this.before = { offset, identity: identityOf(page.records) };
		return { ...page, asked, doubt, next: offset + strideOf(page, request.limit) };
	}

	private doubtAbout({ records, hasMore, offset: place }: Page, offset: number): Doubt | undefined {
		const { before, believes, countsOtherwise } = this;
		if (believes) return undefined;
		if (records.length === 0 && hasMore) return 'blank';
		const isOther = records.length > 0 && before !== undefined && before.offset !== offset;
		if (isOther && before.identity === identityOf(records)) return 'repeated';
		return countsOtherwise || (place ?? offset) === offset ? undefined : 'elsewhere';
	}
}

/**
 * By how much the offset grows: by the page size that the service gives, as long as it is not more
 * than was asked for, and at least by the records that it gave.
 */
function strideOf({ records, limit }: Page, asked: number): number {
	const announced = limit > 0 ? Math.min(limit, asked) : 0;
	return Math.max(records.length, announced) || asked;
}

/** A list may hold what is no record. */
const idOf = (record: JsonRecord | null): string | undefined => {
	const id = record?.id ?? record?.user_id;
	return typeof id === 'string' || typeof id === 'number' ? String(id) : undefined;
};

/** Records without an ID by what is not nested: that could be too deep to be written down. */
const identityOf = (records: readonly JsonRecord[]): string =>
	JSON.stringify(
		records.map(
			(record) =>
				idOf(record) ??
				Object.entries(record ?? {}).filter(([, value]) => typeof value !== 'object'),
		),
	);

export interface WalkOptions {
	/** The number of records to read; the whole list, if not given. */
	readonly wanted?: number;
	/** How many pages may be under way at the same time; never above MAX_AT_ONCE. */
	readonly atOnce?: number;
	readonly pageSize?: number;
}

export interface Walk {
	readonly records: JsonRecord[];
	/** Whether every page gave what it announced; otherwise records may have been left out. */
	readonly isComplete: boolean;
	/** What the user should know about a list that is not complete. */
	readonly notice?: string;
}

/**
 * The records of a list, in the service's order and each of them once. Pages are read ahead: one
 * while the list may be short, so that none costs more than one request too many, and several once it
 * is known to be long. A service that throttles, or gives fewer records than a page holds, is asked
 * page by page.
 */
export async function readList(
	fetchPage: FetchPage,
	{ wanted = Infinity, atOnce = MAX_AT_ONCE, pageSize = MAX_PAGE }: WalkOptions = {},
): Promise<Walk> {
	const records: JsonRecord[] = [];
	if (wanted <= 0) return { records, isComplete: true };
	const limit = Math.min(pageSize, wanted);
	const reader = new PageReader(fetchPage);
	const ahead = new PagesAhead(fetchPage, limit);
	const known = new Set<string>();
	let [offset, step, full, withoutNew] = [0, limit, 0, 0];
	let isDoubtful = false;
	try {
		for (let pages = 1; ; pages += 1) {
			const width = Math.min(atOnce, full === 0 ? 1 : full < LONG_AFTER ? 2 : MAX_AT_ONCE);
			const useful = Math.ceil((wanted - records.length) / step);
			ahead.ask({ offset, step }, Math.min(width, useful));
			const page = await reader.read({ offset, limit }, ahead.next());
			const fresh = page.records.filter((record) => isNew(record, known));
			records.push(...fresh);
			isDoubtful ||= page.doubt !== undefined;
			withoutNew = fresh.length === 0 ? withoutNew + page.asked : 0;
			if (!page.hasMore || records.length >= wanted) break;
			if (withoutNew >= MAX_WITHOUT_NEW || pages >= MAX_PAGES)
				return { records, isComplete: false, notice: endlessNotice(records.length) };
			const stride = page.next - offset;
			// What was asked for at other places no longer fits.
			if (stride !== step) ahead.giveUp();
			const isFlowing = stride === step && page.records.length >= stride && !page.throttled;
			full = isFlowing ? full + 1 : 0;
			[offset, step] = [page.next, stride];
		}
	} finally {
		ahead.giveUp();
	}
	const read = { records: records.slice(0, wanted), isComplete: !isDoubtful };
	return isDoubtful ? { ...read, notice: DOUBTFUL } : read;
}

/** The pages that were asked for and not looked at yet, in order. */
class PagesAhead {
	private pages: Array<Promise<Page>> = [];
	private waiting = new AbortController();

	constructor(
		private readonly fetchPage: FetchPage,
		private readonly limit: number,
	) {}

	/** Asks for as many pages as are to be under way, the first of them at this offset. */
	ask({ offset, step }: { offset: number; step: number }, count: number): void {
		while (this.pages.length < count) {
			const place = offset + this.pages.length * step;
			const page = this.fetchPage({ offset: place, limit: this.limit }, this.waiting.signal);
			// One that is never looked at, being behind the end, may fail without a word.
			page.catch(() => undefined);
			this.pages.push(page);
		}
	}

	next(): Promise<Page> | undefined {
		return this.pages.shift();
	}

	giveUp(): void {
		this.pages = [];
		this.waiting.abort();
		this.waiting = new AbortController();
	}
}

function isNew(record: JsonRecord, known: Set<string>): boolean {
	const id = idOf(record);
	if (id === undefined) return true;
	const size = known.size;
	return known.add(id).size > size;
}

const endlessNotice = (count: number): string =>
	`The service announced more records after ${count}, but went on without giving any that were new. The list was taken to end there.`;
const DOUBTFUL =
	'The service announced more records than it gave, so some of this list may be missing.';
