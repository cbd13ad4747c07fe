/** The pages of a list on their way: asked for before they are needed, each at the place it is for. */
import { sleep } from 'n8n-workflow';

import type { JsonRecord } from './schemas';

/** A page that may be wrong is asked for so often again. */
export const MAX_ASKED_AGAIN = 2;

export interface Page {
	readonly records: readonly JsonRecord[];
	readonly limit: number;
	readonly hasMore: boolean;
	/** The place in the list that the page gives for itself, if it gives one. */
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

/** Pages under way, in the order of the list. */
export class PagesAhead {
	/** A page was for another place each time, although the service gives the places it is asked for. */
	isMisled = false;
	/** Until a page had another place each time: then the service may mean something else by it. */
	private asksForPlace = true;
	private isHeadRight = false;
	private pages: Array<Promise<Page>> = [];
	private readonly begun = new Set<Promise<unknown>>();
	private waiting = new AbortController();

	constructor(
		private readonly fetchPage: FetchPage,
		private readonly limit: number,
	) {}

	/** Asks on until so many pages from this offset on are under way. */
	reach({ offset, step, size }: { offset: number; step: number; size: number }): void {
		while (this.pages.length < size) this.ask(offset + this.pages.length * step);
	}

	async next(offset: number): Promise<Page> {
		const ask = async () => await this.fetchPage({ offset, limit: this.limit });
		let page = await (this.pages.shift() ?? ask());
		for (let again = 0; this.asksForPlace && isElsewhere(page, offset); again += 1) {
			if (again < MAX_ASKED_AGAIN) page = await ask();
			else this.asksForPlace = false;
		}
		// If places are counted in another way, the head shows it, or all have the place of the head.
		if (offset === 0) this.isHeadRight = this.asksForPlace;
		else if (page.offset !== 0) this.isMisled ||= this.isHeadRight && isElsewhere(page, offset);
		return page;
	}

	/** What is under way is ended, and what has not been sent yet is not sent any more. */
	giveUp(): void {
		this.pages = [];
		this.waiting.abort();
		this.waiting = new AbortController();
	}

	/** When nothing is under way any more, or so much time has passed. */
	async settled(maxMs: number): Promise<void> {
		const all = Promise.all(this.begun);
		if (maxMs === Infinity) return void (await all);
		const settled = new AbortController();
		const late = sleep(maxMs, settled.signal).catch(() => undefined);
		await Promise.race([all, late]).finally(() => settled.abort());
	}

	private ask(offset: number): void {
		const page = this.fetchPage({ offset, limit: this.limit }, this.waiting.signal);
		this.pages.push(page);
		// One that is never looked at, being past the end, may fail without a word.
		const done: Promise<unknown> = page.catch(() => undefined).then(() => this.begun.delete(done));
		this.begun.add(done);
	}
}

const isElsewhere = (page: Page, offset: number): boolean => (page.offset ?? offset) !== offset;
