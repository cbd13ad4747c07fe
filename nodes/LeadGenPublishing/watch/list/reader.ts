/**
 * Promise: one page at a time, within a budget of requests and time, and not fooled by an answer
 * that the service has just given for another place or by an empty page that announces more:
 * both are asked for again before they are believed. Failures pass through untouched.
 */
import { isRecord } from '../isRecord';
import type { JsonRecord } from '../events';
import { canonical, hash53 } from '../hash';

export interface Page {
	records: readonly JsonRecord[];
	limit: number;
	hasMore: boolean;
}

export type FetchPage = (request: {
	offset: number;
	limit: number;
	deadline: number;
}) => Promise<Page>;

export interface Entry {
	hash: number;
	record: JsonRecord;
	/** Without an id it can be recognised in its place, but never be told to be new. */
	nameless?: true;
}

export interface PageView {
	offset: number;
	/** How many records were asked for. */
	asked: number;
	entries: Entry[];
	/** Page size as the service understands it: what the offset moves by. */
	limit: number;
	more: boolean;
}

type Asked = { view: PageView; failure?: undefined } | { view?: undefined; failure: unknown };

export const PAGE_SIZE = 100;
const TRIES = 3;
/** A page is asked for again when it is empty; the next empty one of the same poll is not. */
const TRIES_FOR_BLANK = 2;
/** Keeps the hash of a whole record apart from that of an id. */
const NAMELESS = 1;

/** What the service did wrong, kept apart from what we did. */
export class FetchError extends Error {
	constructor(override readonly cause: unknown) {
		super('A page could not be fetched');
	}
}

export class PageReader {
	requests = 0;
	/** Records that cannot be told apart because they have no id. */
	nameless = 0;
	private last: PageView | undefined;
	private triesForBlank = TRIES_FOR_BLANK;
	/** Asked for together, not looked at yet. */
	private readonly ahead = new Map<number, Asked>();

	constructor(
		private readonly source: {
			fetchPage: FetchPage;
			maxRequests: number;
			deadline: number;
			now: () => number;
		},
	) {}

	get spent(): boolean {
		const { maxRequests, deadline, now } = this.source;
		return this.requests >= maxRequests || now() >= deadline;
	}

	/**
	 * Asks for pages at once that are going to be read whatever they hold; `read` finds them here. Of
	 * two that are alike neither is believed, since the one may be given for the other.
	 */
	async readAhead(offsets: readonly number[]): Promise<void> {
		const { maxRequests } = this.source;
		const wanted = [...new Set(offsets)];
		if (wanted.length < 2 || this.spent || this.requests + wanted.length > maxRequests) return;
		const asked = await Promise.all(
			wanted.map(async (offset): Promise<[number, Asked]> => [
				offset,
				await this.ask(offset, PAGE_SIZE).then(
					(view) => ({ view }),
					(failure: unknown) => ({ failure }),
				),
			]),
		);
		const views = asked.flatMap(([, { view }]) => view ?? []);
		for (const [offset, one] of asked) {
			const doubtful = views.some((other) => one.view !== undefined && isEcho(one.view, other));
			if (!doubtful) this.ahead.set(offset, one);
		}
	}

	/** Undefined when the budget is spent. */
	async read(offset: number, size = PAGE_SIZE): Promise<PageView | undefined> {
		const before = this.last;
		let view = this.takeAhead(offset);
		for (let tries = view === undefined ? 0 : 1; tries < TRIES; tries++) {
			if (view !== undefined && !isEcho(view, before)) {
				if (!isBlank(view) || tries >= this.triesForBlank) break;
			}
			if (this.spent) return undefined;
			view = await this.ask(offset, size);
		}
		if (view !== undefined && isBlank(view)) this.triesForBlank = 1;
		this.last = view;
		return view;
	}

	private takeAhead(offset: number): PageView | undefined {
		const asked = this.ahead.get(offset);
		this.ahead.delete(offset);
		if (asked !== undefined && 'failure' in asked) throw asked.failure;
		return asked?.view;
	}

	private async ask(offset: number, size: number): Promise<PageView> {
		const { fetchPage, deadline } = this.source;
		this.requests++;
		const fetched = (async () => await fetchPage({ offset, limit: size, deadline }))();
		const page = await fetched.catch((error: unknown): never => {
			throw new FetchError(error);
		});
		const entries = page.records.map((record) => this.entryOf(record));
		return { offset, asked: size, entries, limit: reachOf(page, size), more: page.hasMore };
	}

	private entryOf(record: JsonRecord): Entry {
		const known: unknown = isRecord(record) ? record.id : undefined;
		const id = typeof known === 'number' ? String(known) : known;
		if (typeof id === 'string' && id !== '') return { hash: hash53(id), record };
		this.nameless++;
		return { hash: hash53(canonical(record), NAMELESS), record, nameless: true };
	}
}

/** The service may give fewer records than it was asked for, or more: then it ignores the limit. */
function reachOf({ records, limit }: Page, asked: number): number {
	const told = Number.isInteger(limit) && limit > 0 ? limit : asked;
	return Math.max(records.length, Math.min(told, asked));
}

export const isBlank = (view: PageView): boolean => view.entries.length === 0 && view.more;

function isEcho(view: PageView, before: PageView | undefined): boolean {
	if (before === undefined || before.offset === view.offset) return false;
	if (view.entries.length === 0 || view.entries.length !== before.entries.length) return false;
	return view.entries.every(({ hash }, index) => hash === before.entries[index]?.hash);
}
