/**
 * Reads a list page by page, in the service's order and each record once. It always ends. Pure: the
 * function that fetches a page is passed in.
 */
import { listedId, MAX_PAGE, PageReader, type FetchPage, type PageRead } from './pages';
import { MAX_AT_ONCE, PagesAhead } from './pagesAhead';
import type { JsonRecord } from './schemas';

/**
 * After so many pages in a row that bring nothing new, the walk ends.
 *
 * @doubt repeatedPages
 */
export const MAX_WITHOUT_NEW = 20;
/** No list is read any further, even if its records are still new. */
const MAX_PAGES = 50_000;

export interface WalkOptions {
	/** The number of records to return; all of them, if not given. */
	readonly wanted?: number;
	/** Whether a record is returned and counts towards that number. Called once per record. */
	readonly keeps?: (record: JsonRecord) => boolean;
	/** How many pages may be in progress at the same time, at most MAX_AT_ONCE. */
	readonly atOnce?: number;
	/** Whether a list is read page by page as long as it may be short. */
	readonly isSparing?: boolean;
	readonly pageSize?: number;
}

export interface Walk {
	readonly records: JsonRecord[];
	/** Whether every page returned what it announced. Otherwise records may be missing. */
	readonly isComplete: boolean;
	/** The IDs of records that came more than once. */
	readonly repeated?: readonly string[];
	/** Why the list is not complete. */
	readonly shortfall?: Shortfall;
}

export type Shortfall =
	/** Pages announced more records, but did not return any new ones. */
	| { readonly kind: 'endless'; readonly read: number }
	/** The list has more pages than anyone reads. */
	| { readonly kind: 'tooLong'; readonly read: number; readonly pages: number }
	/** At least one page returned less than it announced. */
	| { readonly kind: 'doubtful' };

export async function walkList(
	fetchPage: FetchPage,
	{
		wanted = Infinity,
		keeps,
		atOnce = MAX_AT_ONCE,
		pageSize = MAX_PAGE,
		isSparing = false,
	}: WalkOptions = {},
): Promise<Walk> {
	if (wanted <= 0) return { records: [], isComplete: true };
	// It is unknown how many records must be read to find those that are kept.
	const limit = keeps === undefined ? Math.min(pageSize, wanted) : pageSize;
	const ahead = new PagesAhead(fetchPage, { limit, atOnce, isSparing });
	try {
		return await walk(new PageReader(fetchPage), ahead, { limit, wanted, keeps });
	} finally {
		ahead.giveUp();
	}
}

/** What is looked for, in pages of this size. */
interface Search extends Pick<WalkOptions, 'keeps'> {
	readonly limit: number;
	readonly wanted: number;
}

async function walk(
	reader: PageReader,
	ahead: PagesAhead,
	{ limit, wanted, keeps }: Search,
): Promise<Walk> {
	const gathered = new Gathered(keeps);
	let offset = 0;
	for (let pages = 1; ; pages += 1) {
		const missing = keeps === undefined ? wanted - gathered.size : Infinity;
		const page = await reader.read({ offset, limit }, ahead.next(offset, missing));
		gathered.add(page);
		if (!page.hasMore || gathered.size >= wanted) return gathered.upTo(wanted);
		if (gathered.withoutNew >= MAX_WITHOUT_NEW)
			return gathered.cut({ kind: 'endless', read: gathered.read });
		if (pages >= MAX_PAGES) return gathered.cut({ kind: 'tooLong', read: gathered.read, pages });
		ahead.sawPage(page, offset);
		offset = page.next;
	}
}

/** The records of the pages so far, each of them once. */
class Gathered {
	private readonly records: JsonRecord[] = [];
	private readonly known = new Set<string>();
	private readonly repeated = new Set<string>();
	private isDoubtful = false;
	/** All records read, including those not kept. */
	read = 0;
	/** How many pages in a row have brought nothing new. */
	withoutNew = 0;

	constructor(private readonly keeps: (record: JsonRecord) => boolean = () => true) {}

	get size(): number {
		return this.records.length;
	}

	add({ records, doubt }: PageRead): void {
		const before = this.read;
		// Records without an ID would count as new on each page.
		const read = doubt === 'repeated' ? [] : records;
		for (const record of read) {
			if (!this.isNew(record)) continue;
			this.read += 1;
			if (this.keeps(record)) this.records.push(record);
		}
		this.withoutNew = this.read === before ? this.withoutNew + 1 : 0;
		this.isDoubtful ||= doubt !== undefined;
	}

	private isNew(record: JsonRecord): boolean {
		const id = listedId(record);
		if (id === undefined) return true;
		const { size } = this.known;
		const isNew = this.known.add(id).size > size;
		if (!isNew) this.repeated.add(id);
		return isNew;
	}

	private repeatedIds(): string[] | undefined {
		return this.repeated.size === 0 ? undefined : [...this.repeated];
	}

	upTo(wanted: number): Walk {
		const records = this.records.slice(0, wanted);
		const repeated = this.repeatedIds();
		return this.isDoubtful
			? { records, repeated, isComplete: false, shortfall: { kind: 'doubtful' } }
			: { records, repeated, isComplete: true };
	}

	cut(shortfall: Shortfall): Walk {
		return { records: this.records, repeated: this.repeatedIds(), isComplete: false, shortfall };
	}
}
