/**
 * Makes sure that the pages of one reading overlap. Each page must show a record of the page before
 * it. If it does not, records have moved between two requests, and the reading searches for the
 * place where it can continue. Pure.
 *
 *   start ──page──▶ joined ──a page without the last records──▶ search ──found──▶ joined
 *   known ──page──▶ joined                                 search ──not found──▶ start
 *                                                          search ──found at the end of a page──▶ between
 *                                                          between ──found──▶ joined
 *                                                          between ──the pages cannot overlap──▶ unchecked
 *   joined ──three short pages with nothing after the last records──▶ unchecked
 */
import { HASH_LENGTH } from './seen';
import { spell } from './hash';
import { overlapOf, strideOf } from './page';

export type Overlap =
	/** The reading begins. The page at offset 0 needs no overlap. */
	| { readonly kind: 'start' }
	/** The page must begin with a known record. Otherwise the reading begins further back. */
	| { readonly kind: 'known'; readonly back: number }
	/** The page must show one of these records, which ended the page at `from`. */
	| {
			readonly kind: 'joined';
			readonly lastRecords: string;
			readonly from: number;
			/** How many pages in a row have shown nothing after the last records. */
			readonly repeats: number;
	  }
	/** No page has shown the last records. The search alternates between the pages above and below. */
	| {
			readonly kind: 'search';
			readonly lastRecords: string;
			readonly above: number | 'top';
			readonly below: number | 'bottom';
			readonly asked: Side;
			readonly pages: number;
	  }
	/** The page at `low` ends with the last records; the page at `high` does not show them. */
	| {
			readonly kind: 'between';
			readonly lastRecords: string;
			readonly low: number;
			readonly high: number;
	  }
	/**
	 * The next page is accepted as it is, because it cannot overlap the one before, unless it ends
	 * with the same records.
	 */
	| { readonly kind: 'unchecked'; readonly lastRecords: string; readonly repeats: number };

/** Nothing is known of the page before. */
export const UNCHECKED: Overlap = { kind: 'unchecked', lastRecords: '', repeats: 0 };

/** Added records move the others down. Deleted records let them move up. */
type Side = 'above' | 'below';

/** Where a reading goes on. */
export interface Place {
	readonly at: number;
	readonly overlap: Overlap;
}

/** One record of a page. */
export interface Entry {
	readonly hash: number;
	/** Whether it was not remembered when the poll began. */
	readonly isUnknown: boolean;
	/** The same, or it has changed. */
	readonly isNews: boolean;
}

export interface View {
	readonly offset: number;
	readonly entries: ReadonlyArray<Entry | undefined>;
	readonly hasMore: boolean;
	/** How many records a page holds. */
	readonly size: number;
}

export type Followed =
	/** The page continues the reading, which goes on at `next`. */
	| { readonly kind: 'on'; readonly next: Place }
	/** The page does not continue the reading. The page at `next` is requested instead. */
	| { readonly kind: 'elsewhere'; readonly next: Place }
	/** The page shows the same records as the page before it, although it should show others. */
	| { readonly kind: 'repeating' };

const MAX_LAST_RECORDS = 5;
/** After so many pages in a row without anything new, the service seems to ignore the offset. */
const MAX_REPEATS = 3;
/**
 * The most pages of a search, half of them in each direction. If it fails, the reading starts over.
 */
export const MAX_SEARCHED = 24;

export function follow(overlap: Overlap, view: View): Followed {
	switch (overlap.kind) {
		case 'start':
			return { kind: 'on', next: placeAfter(view) };
		case 'unchecked':
			return followUnchecked(overlap, view);
		case 'known':
			return followKnown(overlap.back, view);
		case 'joined':
			return followJoined(overlap, view);
		case 'search':
			return followSearch(overlap, view);
		case 'between':
			return followBetween(overlap, view);
	}
}

type Unchecked = Extract<Overlap, { kind: 'unchecked' }>;
type Joined = Extract<Overlap, { kind: 'joined' }>;
type Searching = Extract<Overlap, { kind: 'search' }>;
type Between = Extract<Overlap, { kind: 'between' }>;

function followUnchecked(overlap: Unchecked, view: View): Followed {
	if (lookFor(overlap.lastRecords, view) !== 'nothingAfter' || !view.hasMore)
		return { kind: 'on', next: placeAfter(view) };
	const repeats = overlap.repeats + 1;
	if (repeats >= MAX_REPEATS) return { kind: 'repeating' };
	return { kind: 'on', next: { at: view.offset + view.size, overlap: { ...overlap, repeats } } };
}

function followJoined(overlap: Joined, view: View): Followed {
	const { lastRecords, from } = overlap;
	const shown = lookFor(lastRecords, view);
	if (shown === 'further' || (shown === 'nothingAfter' && !view.hasMore))
		return { kind: 'on', next: placeAfter(view) };
	if (shown === 'no') {
		const below = placeBelow(view);
		const search: Searching = {
			kind: 'search',
			lastRecords,
			above: from,
			below,
			asked: 'below',
			pages: 0,
		};
		return { kind: 'elsewhere', next: askNext(search) };
	}
	const repeats = overlap.repeats + 1;
	if (repeats >= MAX_REPEATS) return afterRepeats(lastRecords, view);
	const { offset } = view;
	const next = { at: offset + strideAfter(view), overlap: { ...overlap, from: offset, repeats } };
	return { kind: 'on', next };
}

/**
 * A full page shows that the service ignores the offset. If pages are short, the service may have
 * left out the records that follow, so the reading goes on behind the whole page.
 */
const afterRepeats = (lastRecords: string, { offset, entries, size }: View): Followed =>
	entries.length >= size
		? { kind: 'repeating' }
		: {
				kind: 'on',
				next: { at: offset + size, overlap: { kind: 'unchecked', lastRecords, repeats: 0 } },
			};

function followKnown(back: number, view: View): Followed {
	const first = view.entries.find((entry) => entry !== undefined);
	if (view.offset === 0 || first?.isNews === false) return { kind: 'on', next: placeAfter(view) };
	const at = Math.max(0, view.offset - back);
	return { kind: 'elsewhere', next: { at, overlap: { kind: 'known', back: 2 * back } } };
}

function followSearch(search: Searching, view: View): Followed {
	const { offset, entries } = view;
	const { lastRecords } = search;
	const shown = lookFor(lastRecords, view);
	if (shown === 'further' || (shown === 'nothingAfter' && !view.hasMore))
		return { kind: 'on', next: placeAfter(view) };
	if (shown === 'nothingAfter') {
		const high = offset + entries.length;
		return { kind: 'elsewhere', next: halve({ kind: 'between', lastRecords, low: offset, high }) };
	}
	const rest: Searching =
		search.asked === 'above'
			? { ...search, above: placeAbove(view) }
			: { ...search, below: placeBelow(view) };
	return { kind: 'elsewhere', next: askNext(rest) };
}

/** The two sides take turns until both have come to an end. */
function askNext(search: Searching): Place {
	const sides: readonly Side[] = search.asked === 'above' ? ['below', 'above'] : ['above', 'below'];
	const pages = search.pages + 1;
	for (const side of pages > MAX_SEARCHED ? [] : sides) {
		const at = search[side];
		if (typeof at === 'number') return { at, overlap: { ...search, asked: side, pages } };
	}
	return { at: 0, overlap: { kind: 'start' } };
}

const placeAbove = ({ offset, size }: View): number | 'top' =>
	offset === 0 ? 'top' : Math.max(0, offset - strideOf(size));

/** Some services reject an offset past the end of a list, so the search stops there. */
const placeBelow = ({ offset, entries, hasMore }: View): number | 'bottom' =>
	hasMore ? offset + strideOf(entries.length) : 'bottom';

function followBetween(between: Between, view: View): Followed {
	const { offset } = view;
	const shown = lookFor(between.lastRecords, view);
	if (shown === 'further' || (shown === 'nothingAfter' && !view.hasMore))
		return { kind: 'on', next: placeAfter(view) };
	const rest = shown === 'no' ? { ...between, high: offset } : { ...between, low: offset };
	return { kind: 'elsewhere', next: halve(rest) };
}

/** Half way between the two, until they are neighbours. */
function halve(between: Between): Place {
	const { low, high } = between;
	if (high - low > 1) return { at: Math.floor((low + high) / 2), overlap: between };
	return { at: high, overlap: UNCHECKED };
}

/** Whether a page shows one of the last records, and records after the last of them. */
function lookFor(lastRecords: string, { entries }: View): 'no' | 'nothingAfter' | 'further' {
	const last = entries.findLastIndex(
		(entry) => entry !== undefined && holds(lastRecords, entry.hash),
	);
	if (last < 0) return 'no';
	return last === entries.length - 1 ? 'nothingAfter' : 'further';
}

function holds(lastRecords: string, hash: number): boolean {
	const key = spell(hash, HASH_LENGTH);
	for (let at = 0; at < lastRecords.length; at += HASH_LENGTH)
		if (lastRecords.startsWith(key, at)) return true;
	return false;
}

/**
 * How far to move from a page that shows nothing after the last records. A page that is not full may be
 * the last one of a list that always announces more. Then the next page is blank and not a
 * repetition.
 */
const strideAfter = ({ entries: { length }, size }: View): number =>
	Math.max(1, length < size ? length : length - overlapOf(length));

/**
 * The place of the next page, which overlaps this one. The offset only grows by the number of
 * records that were shown. If the service has left records out of a page, the next page overlaps it
 * more.
 */
export function placeAfter(view: View): Place {
	const { offset, entries, size } = view;
	const { length } = entries;
	const overlap = overlapOf(length);
	const places = entries.flatMap((entry, index) => (entry === undefined ? [] : [index]));
	const shared = places.filter((index) => index >= length - overlap);
	const [first = places.at(-1) ?? 0] = shared;
	const chosen = (shared.length > 0 ? shared : places.slice(-1)).slice(-MAX_LAST_RECORDS);
	const lastRecords = chosen.map((index) => spell(entries[index]?.hash ?? 0, HASH_LENGTH)).join('');
	// A page that shows hardly any records would otherwise be read again and again.
	if (length < overlapOf(size) || first === 0)
		return {
			at: offset + Math.max(length, size),
			overlap: { kind: 'unchecked', lastRecords, repeats: 0 },
		};
	return { at: offset + first, overlap: { kind: 'joined', lastRecords, from: offset, repeats: 0 } };
}
