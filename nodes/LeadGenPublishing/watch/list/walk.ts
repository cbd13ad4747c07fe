/**
 * Promise: walking a list from page to page passes over no record, though others are inserted and
 * deleted between two pages, as long as the records that stay keep their order.
 *
 * Each page begins with the last record of the page before. If it does not, the list has moved:
 * look around for any of the last records read, and failing that begin again at the head. A list
 * that loses us again and again keeps no order; it is then read plainly, and said to be so.
 */
import type { Place } from './progress';
import { isBlank, type PageReader, type PageView } from './reader';

const ANCHORS = 8;
const MAX_RESTARTS = 3;
/** A service that filters after it has cut its pages gives empty ones in a row. */
const MAX_BLANKS_IN_A_ROW = 20;
/** Where to look for the thread, in pages from where it should be. Deletions first: they hide. */
const SEARCH_PAGES = [0, -1, 1, -2, 2, -3];
/** Nobody gives pages of fewer records than this without saying so. */
const SMALLEST_PAGE = 10;
/** So many different sizes of pages that are not full: the service filters after paging. */
const SIZES_THAT_SHOW_A_FILTER = 3;

export type StepResult =
	| { kind: 'page'; view: PageView }
	/** The budget is spent. */
	| { kind: 'spent' }
	/** An empty page that announces more: it may hide records, and is not believed. */
	| { kind: 'blank'; view: PageView }
	/** So many empty pages in a row that they are the end, whatever they announce. */
	| { kind: 'endOfBlanks'; view: PageView };

export interface WalkOptions {
	reader: PageReader;
	/** Gets every page that was read, the ones while searching too. */
	onPage: (view: PageView) => void;
	/** What to make of an empty page that announces more. */
	decideOnBlank: (view: PageView) => 'skip' | 'end' | 'doubt';
	/** Records to ask for. */
	size?: number;
}

export const hasNoOrder = (place: Place): boolean => place.restarts >= MAX_RESTARTS;

/** Reads plainly from now on: this walk has gone to and fro without an end. */
export function assumeNoOrder(place: Place): void {
	place.restarts = MAX_RESTARTS;
	place.anchors = [];
}

const holdsAnchor = (view: PageView, anchors: readonly number[]): boolean =>
	view.entries.some(({ hash }) => anchors.includes(hash));

/** Moves on by one page that holds something, or to the end. */
export async function readNext(place: Place, options: WalkOptions): Promise<StepResult> {
	let view = await findPlace(place, options);
	while (view !== undefined && isBlank(view)) {
		const verdict = options.decideOnBlank(view);
		if (verdict === 'doubt') return { kind: 'blank', view };
		place.blanks = (place.blanks ?? 0) + 1;
		if (verdict === 'end' || place.blanks >= MAX_BLANKS_IN_A_ROW)
			return { kind: 'endOfBlanks', view };
		place.next = view.offset + view.limit;
		// What follows need not begin with the records before.
		place.anchors = [];
		view = await options.reader.read(place.next);
		if (view !== undefined) options.onPage(view);
	}
	if (view === undefined) return { kind: 'spent' };
	delete place.blanks;
	advance(place, view);
	return { kind: 'page', view };
}

function advance(place: Place, view: PageView): void {
	const held = view.entries.length;
	const hashes = view.entries.slice(-ANCHORS).map(({ hash }) => hash);
	if (view.more && held < view.limit) {
		const sizes = [...new Set([...(place.shortSizes ?? []), held])].slice(
			0,
			SIZES_THAT_SHOW_A_FILTER,
		);
		place.shortSizes = sizes;
		if (held < SMALLEST_PAGE || sizes.length >= SIZES_THAT_SHOW_A_FILTER) {
			// The page holds less than it reaches over (a service that filters after paging): its last
			// record need not stand at its end, so the next page cannot be expected to begin with it.
			place.next = view.offset + view.limit;
			place.anchors = [];
			return;
		}
	}
	place.next = view.offset + held;
	place.anchors = [...place.anchors, ...hashes].slice(-ANCHORS);
}

/** Where the next step reads first. */
export const nextOffset = (place: Place): number =>
	place.anchors.length === 0 || hasNoOrder(place) ? place.next : Math.max(0, place.next - 1);

async function findPlace(place: Place, options: WalkOptions): Promise<PageView | undefined> {
	const { reader, onPage, size } = options;
	if (place.anchors.length === 0 || hasNoOrder(place)) {
		const view = await reader.read(place.next, size);
		if (view !== undefined) onPage(view);
		return view;
	}
	const expected = nextOffset(place);
	let stride = 0;
	for (const pages of SEARCH_PAGES) {
		const offset = Math.max(0, expected + pages * stride);
		const view = await reader.read(offset);
		if (view === undefined) {
			// Cut short while searching: the next poll searches further up, so that it gets anywhere.
			if (stride > 0) place.next = Math.max(0, place.next - stride);
			return undefined;
		}
		onPage(view);
		if (holdsAnchor(view, place.anchors)) return view;
		if (offset === 0) {
			// The head needs no thread: nothing lies before it. But the walk has begun again.
			if (expected > 0) place.restarts++;
			return view;
		}
		// An empty page that announces more says nothing; whether we are lost shows behind it.
		if (isBlank(view)) return view;
		stride = Math.max(1, view.limit - 1);
	}
	place.restarts++;
	place.anchors = [];
	place.next = 0;
	return await findPlace(place, options);
}
