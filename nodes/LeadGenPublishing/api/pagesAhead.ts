/**
 * Reads pages ahead of the one that is needed, which is why a long list takes a quarter of the time.
 * One page is read ahead while the list may be short, so that no list costs more than one request too
 * many, and several once it is known to be long. A service that throttles, or gives fewer records than
 * a page holds, is asked page by page.
 */
import type { FetchPage, Page, PageRead } from './pages';

/** How many pages of a long list may be in progress at the same time. */
export const MAX_AT_ONCE = 8;
/** So many full pages in a row show that a list is long. */
const LONG_AFTER = 10;

interface AheadSettings {
	readonly limit: number;
	/** How many pages may be in progress at the same time. */
	readonly atOnce: number;
	/** Whether to read ahead only once the list is known to be long: it then costs no request too many. */
	readonly isSparing: boolean;
}

export class PagesAhead {
	/** Pages that were requested but not used yet, in order. */
	private pages: Array<Promise<Page>> = [];
	private waiting = new AbortController();
	/** How far a page reached last. */
	private step: number;
	private fullInARow = 0;

	constructor(
		private readonly fetchPage: FetchPage,
		private readonly settings: AheadSettings,
	) {
		this.step = settings.limit;
	}

	/** The page at this offset, if it was asked for; `wanted` records are still to be read. */
	next(offset: number, wanted: number): Promise<Page> | undefined {
		const useful = Math.ceil(wanted / this.step);
		const count = Math.min(this.width, useful);
		while (this.pages.length < count) {
			const place = offset + this.pages.length * this.step;
			const { limit } = this.settings;
			const page = this.fetchPage({ offset: place, limit }, this.waiting.signal);
			// One that is never looked at, because it is after the end, may fail without a word.
			page.catch(() => undefined);
			this.pages.push(page);
		}
		return this.pages.shift();
	}

	private get width(): number {
		const { atOnce, isSparing } = this.settings;
		if (this.fullInARow === 0) return Math.min(atOnce, 1);
		const ofShort = isSparing ? 1 : 2;
		return Math.min(atOnce, this.fullInARow < LONG_AFTER ? ofShort : MAX_AT_ONCE);
	}

	/** Call it with each page that was read. */
	sawPage(page: PageRead, offset: number): void {
		const stride = page.next - offset;
		const isFull = page.records.length >= stride;
		const isFlowing = stride === this.step && isFull && page.throttled !== true;
		this.fullInARow = isFlowing ? this.fullInARow + 1 : 0;
		if (stride === this.step) return;
		// The pages that were asked for begin at other places.
		this.giveUp();
		this.step = stride;
	}

	giveUp(): void {
		this.pages = [];
		this.waiting.abort();
		this.waiting = new AbortController();
	}
}
