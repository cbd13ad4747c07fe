/**
 * Promise: one page at a time, within a budget of requests and time, and not fooled by an answer
 * that the service has just given for another place or by an empty page that announces more:
 * both are asked for again before they are believed. Failures pass through untouched.
 */
import type { JsonRecord } from './events';
import { canonical, hash53 } from './hash';

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
	entries: Entry[];
	/** Page size as the service understands it: what the offset moves by. */
	limit: number;
	more: boolean;
}

const TRIES = 3;
/** Keeps the hash of a whole record apart from that of an id. */
const NAMELESS = 1;

export class PageReader {
	requests = 0;
	/** Records that cannot be told apart because they have no id. */
	nameless = 0;
	private last: PageView | undefined;

	constructor(
		private readonly source: {
			fetchPage: FetchPage;
			pageSize: number;
			maxRequests: number;
			deadline: number;
			now: () => number;
		},
	) {}

	get spent(): boolean {
		const { maxRequests, deadline, now } = this.source;
		return this.requests >= maxRequests || now() >= deadline;
	}

	/** Undefined when the budget is spent. */
	async read(offset: number): Promise<PageView | undefined> {
		const before = this.last;
		let view: PageView | undefined;
		for (let tries = 0; tries < TRIES; tries++) {
			if (this.spent) return undefined;
			view = await this.ask(offset);
			if (!isBlank(view) && !isEcho(view, before)) break;
		}
		this.last = view;
		return view;
	}

	private async ask(offset: number): Promise<PageView> {
		const { fetchPage, pageSize, deadline } = this.source;
		this.requests++;
		const page = await fetchPage({ offset, limit: pageSize, deadline });
		const entries: Entry[] = [];
		for (const record of page.records) {
			const id = typeof record.id === 'number' ? String(record.id) : record.id;
			if (typeof id === 'string' && id !== '') entries.push({ hash: hash53(id), record });
			else {
				this.nameless++;
				entries.push({ hash: hash53(canonical(record), NAMELESS), record, nameless: true });
			}
		}
		const told = Number.isInteger(page.limit) && page.limit > 0 ? page.limit : pageSize;
		return { offset, entries, limit: Math.min(told, pageSize), more: page.hasMore };
	}
}

export const isBlank = (view: PageView): boolean => view.entries.length === 0 && view.more;

function isEcho(view: PageView, before: PageView | undefined): boolean {
	if (before === undefined || before.offset === view.offset) return false;
	if (view.entries.length === 0 || view.entries.length !== before.entries.length) return false;
	return view.entries.every(({ hash }, index) => hash === before.entries[index]?.hash);
}
