/**
 * Reads one page of a `limit`/`offset` list, and requests it once more if records may be missing.
 * Pure: the function that fetches a page is passed in.
 */
import { hash } from 'crypto';

import { isTooDeep } from './tooDeep';
import { isRecord, type JsonRecord } from './schemas';

export const MAX_PAGE = 100;

export interface Page {
	readonly records: readonly JsonRecord[];
	/** The page size that the response names. */
	readonly limit: number;
	readonly hasMore: boolean;
	/** The offset that the response names, if any. */
	readonly offset?: number;
	/** How many entries of the page are `null`. */
	readonly nulls?: number;
	/** The service asked to slow down before it returned this page. */
	readonly throttled?: boolean;
}

export interface PageRequest {
	readonly offset: number;
	readonly limit: number;
}

/** The signal aborts when nobody waits for the page any more. */
export type FetchPage = (request: PageRequest, givenUp?: AbortSignal) => Promise<Page>;

/**
 * Why records may be missing: the page is empty and announces more (`blank`), names another offset
 * than requested (`elsewhere`), or has the same records as an earlier page (`repeated`).
 *
 * @doubt repeatedPages
 */
export type Doubt = 'blank' | 'elsewhere' | 'repeated';

export interface PageRead extends Page {
	/** The doubt that remains after the page was requested once more. */
	readonly doubt?: Doubt;
	/** The number of requests that it took. */
	readonly asked: number;
	/** Where the next page begins. */
	readonly next: number;
}

/** A page, with what shows whether it was read before. Without records, nothing does. */
interface Look {
	readonly page: Page;
	readonly identity?: string | undefined;
	readonly doubt: Doubt | undefined;
}

/**
 * Reads the pages of one list.
 *
 * @doubt offsetUnit
 */
export class PageReader {
	/**
	 * The offsets of earlier pages by what they had: of the last page, and of all before it whose records
	 * have no IDs. Nothing else shows that such records were read before.
	 */
	private readonly offsets = new Map<string, number>();
	/**
	 * Whether the offsets in the responses mean anything. Some services count pages instead, or say 0
	 * on every page.
	 */
	private places: 'unknown' | 'meant' | 'not meant' = 'unknown';

	constructor(private readonly fetchPage: FetchPage) {}

	/** `ahead` is the response to this request, if the page was requested ahead. */
	async read(request: PageRequest, ahead?: Promise<Page>): Promise<PageRead> {
		const first = this.look(await (ahead ?? this.fetchPage(request)), request);
		const isGood = first.doubt === undefined;
		const last = isGood ? first : this.look(await this.fetchPage(request), request);
		const doubt = this.learnFrom(last.page, request, last.doubt);
		if (doubt !== 'repeated') this.remember(last, request);
		return { ...pageAsGiven(last.page, request), asked: isGood ? 1 : 2, doubt };
	}

	private remember({ page: { records }, identity }: Look, { offset }: PageRequest): void {
		if (identity === undefined) return;
		if (records.every((record) => listedId(record) !== undefined)) this.offsets.clear();
		this.offsets.set(identity, offset);
	}

	private look(page: Page, { offset }: PageRequest): Look {
		const { records, hasMore, offset: place = offset } = page;
		if (records.length === 0 && hasMore) return { page, doubt: 'blank' };
		const identity = records.length > 0 ? identityOf(records) : undefined;
		const known = identity === undefined ? undefined : this.offsets.get(identity);
		if (known !== undefined && known !== offset) return { page, identity, doubt: 'repeated' };
		const isElsewhere = this.places !== 'not meant' && place !== offset;
		return { page, identity, doubt: isElsewhere ? 'elsewhere' : undefined };
	}

	/** Learns whether offsets mean anything. Returns the doubt that remains. */
	private learnFrom(
		{ offset: place }: Page,
		{ offset }: PageRequest,
		doubt: Doubt | undefined,
	): Doubt | undefined {
		// Either the first page names another offset than 0, or a later page still names 0.
		const isHabit = offset === 0 || (place === 0 && this.places !== 'meant');
		if (doubt === 'elsewhere' && isHabit) {
			this.places = 'not meant';
			return undefined;
		}
		if (offset > 0 && place === offset) this.places = 'meant';
		return doubt;
	}
}

const pageAsGiven = (page: Page, { offset, limit }: PageRequest): PageRead => ({
	...page,
	asked: 1,
	next: offset + strideOf(page, limit),
});

/**
 * By how much the offset grows: by the page size that the response names, if it is not more than
 * requested, and at least by the number of records on the page.
 */
function strideOf({ records, limit }: Page, asked: number): number {
	const announced = limit > 0 ? Math.min(limit, asked) : 0;
	return Math.max(records.length, announced) || asked;
}

/** A client is listed once for each of its grants. */
export const listedId = (record: JsonRecord): string | undefined => {
	const id = record.id ?? record.user_id;
	if (typeof id !== 'string' && typeof id !== 'number') return undefined;
	const grant = isRecord(record.grant) ? record.grant.id : undefined;
	return typeof grant === 'string' ? `${id} ${grant}` : String(id);
};

/** Records without an ID are compared by all that they show, unless they cannot be serialized. */
const identityOf = (records: readonly JsonRecord[]): string =>
	hash(
		'sha256',
		JSON.stringify(
			records.map((record) => listedId(record) ?? (isTooDeep(record) ? 'too deep' : record)),
		),
	);
