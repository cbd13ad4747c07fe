/**
 * Requests pages ahead of the one that is needed, which is why a long list takes a quarter of the
 * time. While the list may be short, only one page is requested ahead, so that a short list costs
 * at most one unneeded request. Once the list is known to be long, several are. If the service
 * throttles, or a page is not full, the list is read page by page.
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
	/**
	 * Whether to read ahead only once the list is known to be long. A short list then costs no
	 * unneeded request.
	 */
	readonly isSparing: boolean;
}

export class PagesAhead {
	/** Pages that were requested but not used yet, in order. */
	private pages: Array<Promise<Page>> = [];
	private waiting = new AbortController();
	/** By how much the offset grew last. */
	private step: number;
	private fullInARow = 0;

	constructor(
		private readonly fetchPage: FetchPage,
		private readonly settings: AheadSettings,
	) {
		this.step = settings.limit;
	}

	/**
	 * The page at this offset, if pages are requested ahead. `wanted` records are still to be read.
	 */
	next(offset: number, wanted: number): Promise<Page> | undefined {
		const useful = Math.ceil(wanted / this.step);
		const count = Math.min(this.width, useful);
		while (this.pages.length < count) {
			const place = offset + this.pages.length * this.step;
			const { limit } = this.settings;
			const page = this.fetchPage({ offset: place, limit }, this.waiting.signal);
			// A page past the end is never used, so its failure does not matter.
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

	/** To be called with each page that was read. */
	sawPage(page: PageRead, offset: number): void {
		const stride = page.next - offset;
		const isFull = page.records.length >= stride;
		const isFlowing = stride === this.step && isFull && page.throttled !== true;
		this.fullInARow = isFlowing ? this.fullInARow + 1 : 0;
		if (stride === this.step) return;
		// The pages requested so far begin at the wrong offsets.
		this.giveUp();
		this.step = stride;
	}

	giveUp(): void {
		this.pages = [];
		this.waiting.abort();
		this.waiting = new AbortController();
	}
}
