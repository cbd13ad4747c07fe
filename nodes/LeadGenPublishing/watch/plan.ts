/**
 * Promise: what appeared at the head or at the tail since the last poll is met in this one, for one
 * request at each end while nothing is new; everything else within one complete check. When a
 * reading is cut short, the place where it stopped is remembered, and the next poll goes on there.
 */
import { Notes, type Source } from './diff';
import type { ListRules } from './events';
import type { PageReader, PageView } from './reader';
import type { SeenSet } from './seen';
import { freshCheck, freshPlace, type Place, type Progress, type Scan } from './state';
import { keepsNoOrder, nextOffset, step } from './walk';

export interface CheckPace {
	/** Finish a complete check within this time, as far as the budget goes (ms). */
	every?: number;
	/** Pages per poll at least, and while the list is not what we took it for. */
	usual: number;
	eager: number;
}

export const USUAL_PACE: CheckPace = { usual: 1, eager: 10 };

export interface Reading {
	notes: Notes;
	/** Changed in place while reading: what was learned before a failure stays learned. */
	progress: Progress;
	/** The check as it stood before: leftovers that it met must be met again. */
	before: Progress['check'];
	baselineBefore: Progress['baseline'];
	failure?: unknown;
	/** Everything was read, or the budget was not the reason that it was not. */
	complete: boolean;
	/** A whole check came to its end; it had begun at this time. */
	checked?: number;
	baselineDone: boolean;
	noOrder: boolean;
}

/** A list that grows faster than it can be scanned must not be scanned for ever. */
const MOST_PASSES = 12;

interface Head {
	place: Place;
	unknown: number;
	/** Its end was reached: the whole list has been read. */
	whole: boolean;
	firstHash: number;
	lastHash: number;
}

/** Known records in a row, at a page's end, that show where the news ends. Also the tail's slack. */
const margin = (limit: number): number => Math.min(10, Math.ceil(limit / 4));

export class ListReading {
	private readonly notes: Notes;
	private readonly progress: Progress;
	private readonly result: Reading;

	constructor(
		private readonly input: {
			seen: SeenSet;
			progress: Progress;
			rules: ListRules;
			reader: PageReader;
			pace: CheckPace;
			now: number;
			/** Deliver what the first scan meets. */
			emitExisting: boolean;
			maxItems: number;
		},
	) {
		const { seen, progress, rules, emitExisting } = input;
		this.progress = structuredClone(progress);
		const quiet = progress.baseline !== undefined && !emitExisting;
		this.notes = new Notes(seen, rules, { quiet });
		this.result = {
			notes: this.notes,
			progress: this.progress,
			before: progress.check,
			baselineBefore: progress.baseline,
			complete: false,
			baselineDone: false,
			noOrder: false,
		};
	}

	async run(): Promise<Reading> {
		try {
			this.result.complete = this.progress.baseline
				? await this.firstScan(this.progress.baseline)
				: await this.look();
		} catch (failure) {
			this.result.failure = failure;
		}
		return this.result;
	}

	/**
	 * What is met until the scan is finished was there before. It finishes by looking at the head
	 * once more, for records that moved up past the scan.
	 */
	private async firstScan(place: Scan): Promise<boolean> {
		if (place.next > 0) {
			const shift = await this.lookAtHead('baseline', 'page');
			if (shift === undefined) return false;
			place.next += shift.unknown;
		}
		for (;;) {
			const unknown = this.notes.unknown;
			const view = await this.step(place, 'baseline');
			if (view === undefined) return false;
			place.pages++;
			if (this.notes.unknown > unknown) place.news = true;
			if (!view.more) {
				place.passes++;
				// A list that keeps no order is scanned until a pass meets nothing unknown.
				if (!keepsNoOrder(place) || !place.news || place.passes >= MOST_PASSES) break;
				Object.assign(place, { next: 0, anchors: [], news: false });
			}
			if (this.notes.finds.length >= this.input.maxItems) return false;
		}
		if (place.pages > 1 && (await this.lookAtHead('baseline', 'page')) === undefined) return false;
		delete this.progress.baseline;
		this.progress.check = freshCheck(this.input.now);
		this.result.baselineDone = true;
		return true;
	}

	private async look(): Promise<boolean> {
		const head = await this.lookAtHead('head', 'margin');
		if (head === undefined) return false;
		if (head.whole) {
			// Read at once from the head to the end: whatever check was under way is done with.
			delete this.progress.check.partial;
			this.notes.grewAtEnd =
				this.notes.isFresh(head.lastHash) && !this.notes.isFresh(head.firstHash);
			this.endCheck();
			return true;
		}
		const { check, waiting = 0 } = this.progress;
		const shift = Math.max(0, head.unknown - waiting);
		this.progress.end += shift;
		if (check.next > 0) check.next += shift;
		else Object.assign(check, { next: head.place.next, anchors: head.place.anchors });
		// Known gaps first: on a tight budget the tail must not keep them open.
		if (check.urgent !== undefined) return (await this.checkOn()) && (await this.lookAtTail());
		// Neither needs to know what the other finds: an idle poll waits for two answers, not for three.
		await this.input.reader.readAhead([nextOffset(this.tailPlace()), nextOffset(check)]);
		return (await this.lookAtTail()) && (await this.checkOn());
	}

	/** Reads down from the head until known records follow: a few, or a page of them. */
	private async lookAtHead(source: Source, until: 'margin' | 'page'): Promise<Head | undefined> {
		const place = freshPlace();
		let firstHash: number | undefined;
		const before = this.notes.unknown;
		let stopped = true;
		try {
			for (;;) {
				const met = this.notes.unknown;
				const view = await this.step(place, source);
				if (view === undefined) return undefined;
				firstHash ??= view.entries[0]?.hash ?? 0;
				const lastHash = view.entries.at(-1)?.hash ?? 0;
				const unknown = this.notes.unknown - before;
				// A first scan has met its own records in this very poll: only what it has not met is news.
				const ends =
					until === 'page'
						? this.notes.unknown === met && view.entries.length > 0
						: this.newsEnd(view, margin(view.limit));
				if (!view.more || ends) {
					stopped = false;
					const whole = !view.more && !keepsNoOrder(place);
					return { place, unknown, whole, firstHash, lastHash };
				}
			}
		} finally {
			if (stopped && source === 'head' && this.notes.unknown > before) this.digAt(place);
		}
	}

	/** What lies below a reading that was cut short is unknown ground. */
	private digAt(place: Place): void {
		const urgent = this.progress.check.urgent === undefined ? 'dig' : 'full';
		this.progress.check = { ...freshCheck(this.input.now), ...place, urgent, partial: true };
	}

	private newsEnd(view: PageView, length: number): boolean {
		const last = view.entries.slice(-length);
		return last.length > 0 && last.every(({ hash }) => !this.notes.isFresh(hash));
	}

	/** A little before the known end. */
	private tailPlace(): Place {
		const slack = margin(this.progress.limit);
		return { ...freshPlace(), next: Math.max(0, this.progress.end - slack) };
	}

	/** Reads on to the end, and back while it is news. */
	private async lookAtTail(): Promise<boolean> {
		const place = this.tailPlace();
		let first: PageView | undefined;
		do {
			const view = await this.step(place, 'tail');
			if (view === undefined) return false;
			first ??= view;
			this.progress.end = place.next;
			// Begun again at the head: this list has no tail to speak of, the check will find it all.
			if (place.restarts > 0) return true;
			if (!view.more) break;
		} while (place.next > 0);
		return await this.lookBack(first);
	}

	private async lookBack(first: PageView): Promise<boolean> {
		let view = first;
		let stride = Math.max(1, view.limit - 1);
		let done = false;
		try {
			while (view.offset > 0 && this.beginsInNews(view)) {
				const before = await this.input.reader.read(Math.max(0, view.offset - stride));
				if (before === undefined) return false;
				this.notes.take(before, 'tail');
				this.learnEnd(before);
				if (before.entries.length === 0) stride *= 2;
				view = before;
			}
			done = true;
			return true;
		} finally {
			// Delivering what follows would hide what precedes it: read everything, then.
			if (!done && this.notes.unknown > 0) {
				this.progress.check = { ...freshCheck(this.input.now), urgent: 'full' };
			}
		}
	}

	private beginsInNews(view: PageView): boolean {
		const first = view.entries[0];
		return first === undefined || this.notes.isFresh(first.hash);
	}

	/** The complete check's share of this poll. */
	private async checkOn(): Promise<boolean> {
		const { check } = this.progress;
		for (let left = this.share(); left > 0 || check.urgent !== undefined; left--) {
			const unknown = this.notes.unknown;
			const view = await this.step(check, 'check');
			if (view === undefined) return false;
			check.pages++;
			if (this.notes.unknown > unknown && check.urgent !== 'dig') check.odd = true;
			if (!view.more) {
				this.endCheck();
				return true;
			}
			if (check.urgent === 'dig' && this.newsEnd(view, view.limit)) {
				this.progress.check = freshCheck(this.input.now);
				return true;
			}
		}
		return true;
	}

	private share(): number {
		const { check, end, limit, eager } = this.progress;
		const { every, usual, eager: many } = this.input.pace;
		let pages = eager === true || check.odd === true ? many : usual;
		if (every !== undefined && every > 0) {
			const all = Math.ceil(end / Math.max(1, limit - 1));
			const due = Math.min(all, Math.ceil((all * (this.input.now - check.since)) / every));
			pages = Math.max(pages, due - check.pages);
		}
		return pages;
	}

	private endCheck(): void {
		const { check } = this.progress;
		this.progress.check = freshCheck(this.input.now);
		if (check.partial === true) return;
		this.result.checked = check.since;
		if (keepsNoOrder(check)) this.result.noOrder = true;
		if (check.odd === true || keepsNoOrder(check)) this.progress.eager = true;
		else delete this.progress.eager;
	}

	private async step(place: Place, source: Source): Promise<PageView | undefined> {
		const lost = place.restarts;
		const view = await step(place, this.input.reader, (page) => this.notes.take(page, source));
		if (view === undefined) return undefined;
		if (place.restarts > lost && keepsNoOrder(place)) this.result.noOrder = true;
		this.progress.limit = view.limit;
		this.learnEnd(view);
		return view;
	}

	/** An empty last page only says that the end lies before it: a bound to look back from. */
	private learnEnd(view: PageView): void {
		if (!view.more) this.progress.end = view.offset + view.entries.length;
	}
}
