/**
 * One page of a `limit`/`offset` list, asked for once more if the response may hide records. Pure: who
 * asks for a page is handed in.
 */
import type { JsonRecord } from './schemas';

export const MAX_PAGE = 100;

export interface Page {
	readonly records: readonly JsonRecord[];
	/** The page size that the response gives for itself. */
	readonly limit: number;
	readonly hasMore: boolean;
	/** The place in the list that the response gives for itself, if it gives one. */
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
	/** What is still doubtful after the page was asked for once more. */
	readonly doubt?: Doubt;
	/** The number of requests that it took. */
	readonly asked: number;
	/** Where the next page begins. */
	readonly next: number;
}

interface Before {
	readonly offset: number;
	readonly identity: string;
}

/** Reads the pages of one list. */
export class PageReader {
	private before: Before | undefined;
	/**
	 * Whether the places that the service gives mean anything. Some services count pages instead, or
	 * say 0 on every page.
	 */
	private places: 'unknown' | 'meant' | 'not meant' = 'unknown';

	constructor(private readonly fetchPage: FetchPage) {}

	/** `ahead` is the response to this request if it was asked for before. */
	async read(request: PageRequest, ahead?: Promise<Page>): Promise<PageRead> {
		const first = await (ahead ?? this.fetchPage(request));
		const isGood = this.doubtAbout(first, request) === undefined;
		const page = isGood ? first : await this.fetchPage(request);
		const doubt = this.learnFrom(page, request, this.doubtAbout(page, request));
		this.before = { offset: request.offset, identity: identityOf(page.records) };
		return { ...pageAsGiven(page, request), asked: isGood ? 1 : 2, doubt };
	}

	private doubtAbout(page: Page, { offset }: PageRequest): Doubt | undefined {
		const { records, hasMore, offset: place = offset } = page;
		const { before } = this;
		if (records.length === 0 && hasMore) return 'blank';
		const isOther = records.length > 0 && before !== undefined && before.offset !== offset;
		if (isOther && before.identity === identityOf(records)) return 'repeated';
		return this.places === 'not meant' || place === offset ? undefined : 'elsewhere';
	}

	/** Says what is left of a doubt. */
	private learnFrom(
		{ offset: place }: Page,
		{ offset }: PageRequest,
		doubt: Doubt | undefined,
	): Doubt | undefined {
		// The first page shows it already, or all pages have the place of the first.
		const isHabit = offset === 0 || (place === 0 && this.places !== 'meant');
		if (doubt === 'elsewhere' && isHabit) {
			this.places = 'not meant';
			return undefined;
		}
		if (offset > 0 && place === offset) this.places = 'meant';
		return doubt;
	}
}

/** The page without any doubt. */
const pageAsGiven = (page: Page, { offset, limit }: PageRequest): PageRead => ({
	...page,
	asked: 1,
	next: offset + strideOf(page, limit),
});

/**
 * By how much the offset grows: by the page size that the service gives, as long as it is not more
 * than was asked for, and at least by the records that it gave.
 */
function strideOf({ records, limit }: Page, asked: number): number {
	const announced = limit > 0 ? Math.min(limit, asked) : 0;
	return Math.max(records.length, announced) || asked;
}

/** A list may hold what is no record. */
export const listedId = (record: JsonRecord | null): string | undefined => {
	const id = record?.id ?? record?.user_id;
	return typeof id === 'string' || typeof id === 'number' ? String(id) : undefined;
};

/** Records without an ID by their fields that are not nested: the others could be too deep to be written down. */
const identityOf = (records: readonly JsonRecord[]): string =>
	JSON.stringify(
		records.map(
			(record) =>
				listedId(record) ??
				Object.entries(record ?? {}).filter(([, value]) => typeof value !== 'object'),
		),
	);
