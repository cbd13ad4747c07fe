/**
 * Walks a list from page to page. Promise: it skips no record although others are inserted and
 * deleted between two requests, as long as the remaining records keep their order.
 *
 * Each page begins with the last record of the page before. If it does not, the list has shifted:
 * the walk looks around for any of the last records read and, if it finds none, restarts at the
 * head. After several restarts the list is treated as one without order: it is read page by page,
 * and the user is told.
 */
import type { Place } from '../store/progress';
import { isBlank, type PageReader, type PageView } from './reader';

const ANCHORS = 8;
const MAX_RESTARTS = 3;
/** A service that filters after paging can return several empty pages in a row. */
const MAX_BLANKS_IN_A_ROW = 20;
/**
 * Where to look for the last records, in pages relative to the expected place. Deletions first,
 * since they hide records.
 */
const SEARCH_PAGES = [0, -1, 1, -2, 2, -3];
/** No service is expected to use a smaller page size without saying so. */
const SMALLEST_PAGE = 10;
/**
 * So many different sizes of pages that are not full show that the service filters after paging.
 */
const SIZES_THAT_SHOW_A_FILTER = 3;

export type StepResult =
	| { kind: 'page'; view: PageView }
	/** The budget is used up. */
	| { kind: 'spent' }
	/** A blank page (empty, but announcing more) that may hide records and is not accepted. */
	| { kind: 'blank'; view: PageView }
	/** So many blank pages in a row that they count as the end of the list. */
	| { kind: 'endOfBlanks'; view: PageView };

/** A blank page is the end of the list, or not accepted; undefined: it is skipped. */
export type BlankVerdict = 'end' | 'doubt' | undefined;

export interface WalkOptions {
	reader: PageReader;
	/** Receives every page that was read, those of the search included. */
	onPage: (view: PageView) => void;
	decideOnBlank: (view: PageView) => BlankVerdict;
	/** How many records to request. */
	size?: number;
}

/** What the stored count of restarts says. */
export const hasNoOrder = (place: Place): boolean => place.restarts >= MAX_RESTARTS;

/** From now on the list is read without looking for the last records. */
export function assumeNoOrder(place: Place): void {
	place.restarts = MAX_RESTARTS;
	place.anchors = [];
}

const holdsAnchor = (view: PageView, anchors: readonly number[]): boolean =>
	view.entries.some(({ hash }) => anchors.includes(hash));

/** Advances to the next page that is not blank, or to the end. */
export async function readNext(place: Place, options: WalkOptions): Promise<StepResult> {
	let view = await findPlace(place, options);
	while (view !== undefined && isBlank(view)) {
		const verdict = options.decideOnBlank(view);
		if (verdict === 'doubt') return { kind: 'blank', view };
		place.blanks = (place.blanks ?? 0) + 1;
		if (verdict === 'end' || place.blanks >= MAX_BLANKS_IN_A_ROW)
			return { kind: 'endOfBlanks', view };
		place.next = view.offset + view.limit;
		// The next page need not begin with the records read before.
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
	// One record cannot be both the last of a page and the first of the next.
	if (view.more && (held < view.limit || held === 1)) {
		const sizes = [...new Set([...(place.shortSizes ?? []), held])].slice(
			0,
			SIZES_THAT_SHOW_A_FILTER,
		);
		place.shortSizes = sizes;
		if (held < SMALLEST_PAGE || sizes.length >= SIZES_THAT_SHOW_A_FILTER) {
			// The page holds fewer records than the offset moves by (the service filters after
			// paging): its last record need not be at its end, so the next page need not begin with
			// it.
			place.next = view.offset + view.limit;
			place.anchors = [];
			return;
		}
	}
	place.next = view.offset + held;
	const hashes = view.entries.map(({ hash }) => hash);
	place.anchors = [...place.anchors, ...hashes].slice(-ANCHORS);
}

/** How the next page is found. */
export type NextStep =
	/** Nothing was read before it, or nothing that it must begin with. */
	| { readonly kind: 'unanchored'; readonly offset: number }
	/** It should begin with the last record read; otherwise the list has shifted. */
	| { readonly kind: 'anchored'; readonly offset: number }
	/** The list keeps no order, or repeats pages: it cannot be seen whether it has shifted. */
	| { readonly kind: 'orderless'; readonly offset: number };

export function nextStep(place: Place): NextStep {
	const { next, anchors } = place;
	if (hasNoOrder(place) || place.inPages) return { kind: 'orderless', offset: next };
	return anchors.length === 0
		? { kind: 'unanchored', offset: next }
		: { kind: 'anchored', offset: Math.max(0, next - 1) };
}

async function findPlace(place: Place, options: WalkOptions): Promise<PageView | undefined> {
	const { reader, onPage, size } = options;
	const { kind, offset: expected } = nextStep(place);
	if (kind !== 'anchored') {
		const view = await reader.read(expected, size);
		if (view !== undefined) onPage(view);
		return view;
	}
	let stride = 0;
	for (const pages of SEARCH_PAGES) {
		const offset = Math.max(0, expected + pages * stride);
		const view = await reader.read(offset);
		if (view === undefined) {
			// If the search was cut short, the next poll starts further up, so that it makes progress.
			place.next = Math.max(0, place.next - stride);
			return undefined;
		}
		onPage(view);
		if (holdsAnchor(view, place.anchors)) return view;
		if (offset === 0) {
			// Nothing lies before the head, so there is nothing to find again, but this counts as a
			// restart.
			if (expected > 0) place.restarts++;
			return view;
		}
		// A blank page does not show whether the list has shifted; the pages after it do.
		if (isBlank(view)) return view;
		stride = Math.max(1, view.limit - 1);
	}
	place.restarts++;
	place.anchors = [];
	place.next = 0;
	return await findPlace(place, options);
}
