/**
 * Reads the pages of a list. Promise: it keeps to a budget of requests and time, and is not misled
 * by an answer for another offset or by a blank page: both are requested again before they are
 * accepted. Failures are passed on unchanged.
 */
import { isRecord } from '../../api/schemas';
import type { JsonRecord } from '../../api/schemas';
import { canonical, hash53 } from '../store/hash';
import { PAGE_SIZE } from '../store/progress';

export interface ListPage {
	records: readonly JsonRecord[];
	limit: number;
	hasMore: boolean;
	/** The place in the list that the answer gives for itself, if it gives one. */
	offset?: number;
}

export type FetchListPage = (request: {
	offset: number;
	limit: number;
	deadline: number;
}) => Promise<ListPage>;

export interface PageEntry {
	hash: number;
	record: JsonRecord;
	/** A record without an ID can be found again in its place, but never counts as new. */
	withoutId?: true;
}

export interface PageView {
	offset: number;
	/** How many records were requested. */
	asked: number;
	entries: PageEntry[];
	/** The page size that the service uses: by how much the offset moves. */
	limit: number;
	more: boolean;
	/** The answer says that it is for another offset. */
	misplaced?: true;
}

type Prefetched = { view: PageView; failure?: undefined } | { view?: undefined; failure: unknown };

const MAX_ATTEMPTS = 3;
/** A blank page is requested again; further ones in the same poll are not. */
const ATTEMPTS_FOR_BLANK = 2;
/** The same for a page that gives another place. */
const ATTEMPTS_FOR_MISPLACED = 3;
/** Keeps hashes of whole records apart from hashes of IDs. */
const WITHOUT_ID_SEED = 1;

/** Marks an error of the service, in contrast to one of our own. */
export class FetchError extends Error {
	constructor(override readonly cause: unknown) {
		super('A page could not be fetched');
	}
}

export class PageReader {
	requests = 0;
	private last: PageView | undefined;
	private attemptsForBlank = ATTEMPTS_FOR_BLANK;
	private attemptsForMisplaced: number;
	/** How often each record without an ID stands on one page: pages overlap, and are read again. */
	private readonly nameless = new Map<number, number>();
	/** Pages requested together and not read yet, by offset. */
	private readonly prefetched = new Map<number, Prefetched>();

	constructor(
		private readonly options: {
			fetchPage: FetchListPage;
			maxRequests: number;
			deadline: number;
			now: () => number;
			/** Pages that give another place than was asked for are accepted. */
			acceptsElsewhere?: boolean;
		},
	) {
		this.attemptsForMisplaced = options.acceptsElsewhere ? 1 : ATTEMPTS_FOR_MISPLACED;
	}

	/** Number of records that have no ID. */
	get withoutId(): number {
		return [...this.nameless.values()].reduce((sum, count) => sum + count, 0);
	}

	get isBudgetSpent(): boolean {
		const { maxRequests, deadline, now } = this.options;
		return this.requests >= maxRequests || now() >= deadline;
	}

	/**
	 * Requests pages together that are needed in any case; `read` returns them. If two pages are
	 * equal, neither is accepted, since one may have been sent for the other.
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

	/** Undefined if the budget is used up. */
	async read(offset: number, size = PAGE_SIZE): Promise<PageView | undefined> {
		const previous = this.last;
		let view = this.takePrefetched(offset);
		for (let attempts = view === undefined ? 0 : 1; attempts < MAX_ATTEMPTS; attempts++) {
			if (view !== undefined && !repeats(view, previous) && attempts >= this.attemptsFor(view))
				break;
			if (this.isBudgetSpent) return undefined;
			view = await this.fetchPageAt(offset, size);
		}
		if (view !== undefined && isBlank(view)) this.attemptsForBlank = 1;
		if (view?.misplaced) this.attemptsForMisplaced = 1;
		this.last = view;
		return view;
	}

	private attemptsFor(view: PageView): number {
		return Math.max(
			isBlank(view) ? this.attemptsForBlank : 1,
			view.misplaced ? this.attemptsForMisplaced : 1,
		);
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
		const entries = page.records.map(entryOf);
		this.countNameless(entries);
		return {
			...{ offset, asked: size, entries, limit: pageSizeOf(page, size), more: page.hasMore },
			...((page.offset ?? offset) === offset ? {} : { misplaced: true }),
		};
	}

	private countNameless(entries: readonly PageEntry[]): void {
		const here = new Map<number, number>();
		for (const { hash, withoutId } of entries) {
			if (withoutId !== true) continue;
			const count = (here.get(hash) ?? 0) + 1;
			here.set(hash, count);
			this.nameless.set(hash, Math.max(count, this.nameless.get(hash) ?? 0));
		}
	}
}

function entryOf(record: JsonRecord): PageEntry {
	const known: unknown = isRecord(record) ? record.id : undefined;
	const id = typeof known === 'number' ? String(known) : known;
	if (typeof id === 'string' && id !== '') return { hash: hash53(id), record };
	return { hash: hash53(canonical(record), WITHOUT_ID_SEED), record, withoutId: true };
}

/** A service may send fewer records than requested, or more, if it ignores the limit. */
function pageSizeOf({ records, limit }: ListPage, asked: number): number {
	const announced = Number.isInteger(limit) && limit > 0 ? limit : asked;
	return Math.max(records.length, Math.min(announced, asked));
}

export const isBlank = (view: PageView): boolean => view.entries.length === 0 && view.more;

/** The same records as at another offset. */
const repeats = (view: PageView, previous: PageView | undefined): boolean =>
	previous !== undefined &&
	previous.offset !== view.offset &&
	view.entries.length > 0 &&
	view.entries.length === previous.entries.length &&
	view.entries.every(({ hash }, index) => hash === previous.entries[index]?.hash);
