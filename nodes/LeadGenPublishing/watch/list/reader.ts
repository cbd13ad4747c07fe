/**
 * Promise: one page at a time, within a budget of requests and time, and not fooled by an answer
 * that the service has just given for another place or by an empty page that announces more:
 * both are asked for again before they are believed. Failures pass through untouched.
 */
import { isRecord } from '../isRecord';
import type { JsonRecord } from '../events';
import { canonical, hash53 } from '../hash';

export interface ListPage {
	records: readonly JsonRecord[];
	limit: number;
	hasMore: boolean;
}

export type FetchListPage = (request: {
	offset: number;
	limit: number;
	deadline: number;
}) => Promise<ListPage>;

export interface PageEntry {
	hash: number;
	record: JsonRecord;
	/** Without an id it can be recognised in its place, but never be told to be new. */
	withoutId?: true;
}

export interface PageView {
	offset: number;
	/** How many records were asked for. */
	asked: number;
	entries: PageEntry[];
	/** Page size as the service understands it: what the offset moves by. */
	limit: number;
	more: boolean;
}

type Prefetched = { view: PageView; failure?: undefined } | { view?: undefined; failure: unknown };

export const PAGE_SIZE = 100;
const MAX_ATTEMPTS = 3;
/** A page is asked for again when it is empty; the next empty one of the same poll is not. */
const ATTEMPTS_FOR_BLANK = 2;
/** Keeps the hash of a whole record apart from that of an id. */
const WITHOUT_ID_SEED = 1;

/** What the service did wrong, kept apart from what we did. */
export class FetchError extends Error {
	constructor(override readonly cause: unknown) {
		super('A page could not be fetched');
	}
}

export class PageReader {
	requests = 0;
	/** Records that cannot be told apart because they have no id. */
	withoutId = 0;
	private last: PageView | undefined;
	private attemptsForBlank = ATTEMPTS_FOR_BLANK;
	/** Asked for together, not looked at yet. */
	private readonly prefetched = new Map<number, Prefetched>();

	constructor(
		private readonly options: {
			fetchPage: FetchListPage;
			maxRequests: number;
			deadline: number;
			now: () => number;
		},
	) {}

	get isBudgetSpent(): boolean {
		const { maxRequests, deadline, now } = this.options;
		return this.requests >= maxRequests || now() >= deadline;
	}

	/**
	 * Asks for pages at once that are going to be read whatever they hold; `read` finds them here. Of
	 * two that are alike neither is believed, since the one may be given for the other.
	 */
	async prefetch(offsets: readonly number[]): Promise<void> {
		const { maxRequests } = this.options;
		const wanted = [...new Set(offsets)];
		if (wanted.length < 2 || this.isBudgetSpent || this.requests + wanted.length > maxRequests)
			return;
		const asked = await Promise.all(
			wanted.map(async (offset): Promise<[number, Prefetched]> => [
				offset,
				await this.fetchPageAt(offset, PAGE_SIZE).then(
					(view) => ({ view }),
					(failure: unknown) => ({ failure }),
				),
			]),
		);
		const views = asked.flatMap(([, { view }]) => view ?? []);
		for (const [offset, one] of asked) {
			const doubtful = views.some((other) => one.view !== undefined && repeats(one.view, other));
			if (!doubtful) this.prefetched.set(offset, one);
		}
	}

	/** Undefined when the budget is spent. */
	async read(offset: number, size = PAGE_SIZE): Promise<PageView | undefined> {
		const previous = this.last;
		let view = this.takePrefetched(offset);
		for (let tries = view === undefined ? 0 : 1; tries < MAX_ATTEMPTS; tries++) {
			if (view !== undefined && !repeats(view, previous)) {
				if (!isBlank(view) || tries >= this.attemptsForBlank) break;
			}
			if (this.isBudgetSpent) return undefined;
			view = await this.fetchPageAt(offset, size);
		}
		if (view !== undefined && isBlank(view)) this.attemptsForBlank = 1;
		this.last = view;
		return view;
	}

	private takePrefetched(offset: number): PageView | undefined {
		const asked = this.prefetched.get(offset);
		this.prefetched.delete(offset);
		if (asked !== undefined && 'failure' in asked) throw asked.failure;
		return asked?.view;
	}

	private async fetchPageAt(offset: number, size: number): Promise<PageView> {
		const { fetchPage, deadline } = this.options;
		this.requests++;
		const fetched = (async () => await fetchPage({ offset, limit: size, deadline }))();
		const page = await fetched.catch((error: unknown): never => {
			throw new FetchError(error);
		});
		const entries = page.records.map((record) => this.entryOf(record));
		return { offset, asked: size, entries, limit: pageSizeOf(page, size), more: page.hasMore };
	}

	private entryOf(record: JsonRecord): PageEntry {
		const known: unknown = isRecord(record) ? record.id : undefined;
		const id = typeof known === 'number' ? String(known) : known;
		if (typeof id === 'string' && id !== '') return { hash: hash53(id), record };
		this.withoutId++;
		return { hash: hash53(canonical(record), WITHOUT_ID_SEED), record, withoutId: true };
	}
}

/** The service may give fewer records than it was asked for, or more: then it ignores the limit. */
function pageSizeOf({ records, limit }: ListPage, asked: number): number {
	const announced = Number.isInteger(limit) && limit > 0 ? limit : asked;
	return Math.max(records.length, Math.min(announced, asked));
}

export const isBlank = (view: PageView): boolean => view.entries.length === 0 && view.more;

function repeats(view: PageView, previous: PageView | undefined): boolean {
	if (previous === undefined || previous.offset === view.offset) return false;
	if (view.entries.length === 0 || view.entries.length !== previous.entries.length) return false;
	return view.entries.every(({ hash }, index) => hash === previous.entries[index]?.hash);
}
