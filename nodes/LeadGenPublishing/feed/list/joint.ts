/**
 * Makes sure that the pages of one reading overlap. Each page must show a record of the page before
 * it. If it does not, records have moved between two requests, and the reading searches for the
 * place where it can continue. Pure.
 *
 *   start ──page──▶ joined ──a page without the anchors──▶ search ──found──▶ joined
 *   known ──page──▶ joined                                 search ──not found──▶ start
 *                                                          search ──found at the end of a page──▶ between
 *                                                          between ──found──▶ joined
 *                                                          between ──the pages cannot overlap──▶ loose
 *   joined ──three short pages with nothing after the anchors──▶ loose
 */
import { HASH_LENGTH } from './seen';
import { spell } from './hash';
import { overlapOf, strideOf } from './page';

export type Joint =
	/** The reading begins. The page at offset 0 needs no overlap. */
	| { readonly kind: 'start' }
	/** The page must begin with a known record. Otherwise the reading begins further back. */
	| { readonly kind: 'known'; readonly back: number }
	/** The page must show one of these records, which ended the page at `from`. */
	| {
			readonly kind: 'joined';
			readonly anchors: string;
			readonly from: number;
			/** How many pages in a row have shown nothing after the anchors. */
			readonly repeats: number;
	  }
	/** No page has shown the anchors. The search alternates between the pages above and below. */
	| {
			readonly kind: 'search';
			readonly anchors: string;
			readonly above: number | 'top';
			readonly below: number | 'bottom';
			readonly asked: Side;
			readonly pages: number;
	  }
	/** The page at `low` ends with the anchors; the page at `high` does not show them. */
	| {
			readonly kind: 'between';
			readonly anchors: string;
			readonly low: number;
			readonly high: number;
	  }
	/**
	 * The next page is accepted as it is, because it cannot overlap the one before, unless it ends
	 * with the same records.
	 */
	| { readonly kind: 'loose'; readonly anchors: string; readonly repeats: number };

/** Nothing is known of the page before. */
export const LOOSE: Joint = { kind: 'loose', anchors: '', repeats: 0 };

/** Added records move the others down. Deleted records let them move up. */
type Side = 'above' | 'below';

/** Where a reading goes on. */
export interface Place {
	readonly at: number;
	readonly joint: Joint;
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
	| { readonly kind: 'apart'; readonly next: Place }
	/** The page shows the same records as the page before it, although it should show others. */
	| { readonly kind: 'stuck' };

const MAX_ANCHORS = 5;
/** After so many pages in a row without anything new, the service seems to ignore the offset. */
const MAX_REPEATS = 3;
/**
 * The most pages of a search, half of them in each direction. If it fails, the reading starts over.
 */
export const MAX_SEARCHED = 24;

export function follow(joint: Joint, view: View): Followed {
	const { offset } = view;
	switch (joint.kind) {
		case 'start':
			return { kind: 'on', next: placeAfter(view) };
		case 'loose': {
			if (lookFor(joint.anchors, view) !== 'nothingAfter' || !view.hasMore)
				return { kind: 'on', next: placeAfter(view) };
			const repeats = joint.repeats + 1;
			if (repeats >= MAX_REPEATS) return { kind: 'stuck' };
			return { kind: 'on', next: { at: offset + view.size, joint: { ...joint, repeats } } };
		}
		case 'known':
			return followKnown(joint.back, view);
		case 'joined': {
			const shown = lookFor(joint.anchors, view);
			if (shown === 'further') return { kind: 'on', next: placeAfter(view) };
			if (shown === 'nothingAfter') {
				if (!view.hasMore) return { kind: 'on', next: placeAfter(view) };
				const repeats = joint.repeats + 1;
				if (repeats >= MAX_REPEATS) return afterRepeats(joint.anchors, view);
				const next = { at: offset + strideAfter(view), joint: { ...joint, from: offset, repeats } };
				return { kind: 'on', next };
			}
			return {
				kind: 'apart',
				next: askNext({
					kind: 'search',
					anchors: joint.anchors,
					above: joint.from,
					below: placeBelow(view),
					asked: 'below',
					pages: 0,
				}),
			};
		}
		case 'search':
			return followSearch(joint, view);
		case 'between':
			return followBetween(joint, view);
	}
}

/**
 * A full page shows that the service ignores the offset. If pages are short, the service may have
 * left out the records that follow, so the reading goes on behind the whole page.
 */
const afterRepeats = (anchors: string, { offset, entries, size }: View): Followed =>
	entries.length >= size
		? { kind: 'stuck' }
		: { kind: 'on', next: { at: offset + size, joint: { kind: 'loose', anchors, repeats: 0 } } };

function followKnown(back: number, view: View): Followed {
	const first = view.entries.find((entry) => entry !== undefined);
	if (view.offset === 0 || first?.isNews === false) return { kind: 'on', next: placeAfter(view) };
	const at = Math.max(0, view.offset - back);
	return { kind: 'apart', next: { at, joint: { kind: 'known', back: 2 * back } } };
}

type Searching = Extract<Joint, { kind: 'search' }>;
type Between = Extract<Joint, { kind: 'between' }>;

function followSearch(search: Searching, view: View): Followed {
	const { offset, entries } = view;
	const { anchors } = search;
	const shown = lookFor(anchors, view);
	if (shown === 'further' || (shown === 'nothingAfter' && !view.hasMore))
		return { kind: 'on', next: placeAfter(view) };
	if (shown === 'nothingAfter') {
		const high = offset + entries.length;
		return { kind: 'apart', next: halve({ kind: 'between', anchors, low: offset, high }) };
	}
	const rest: Searching =
		search.asked === 'above'
			? { ...search, above: placeAbove(view) }
			: { ...search, below: placeBelow(view) };
	return { kind: 'apart', next: askNext(rest) };
}

/** The two sides take turns until both have come to an end. */
function askNext(search: Searching): Place {
	const sides: readonly Side[] = search.asked === 'above' ? ['below', 'above'] : ['above', 'below'];
	const pages = search.pages + 1;
	for (const side of pages > MAX_SEARCHED ? [] : sides) {
		const at = search[side];
		if (typeof at === 'number') return { at, joint: { ...search, asked: side, pages } };
	}
	return { at: 0, joint: { kind: 'start' } };
}

const placeAbove = ({ offset, size }: View): number | 'top' =>
	offset === 0 ? 'top' : Math.max(0, offset - strideOf(size));

/** Some services reject an offset past the end of a list, so the search stops there. */
const placeBelow = ({ offset, entries, hasMore }: View): number | 'bottom' =>
	hasMore ? offset + strideOf(entries.length) : 'bottom';

function followBetween(between: Between, view: View): Followed {
	const { offset } = view;
	const shown = lookFor(between.anchors, view);
	if (shown === 'further' || (shown === 'nothingAfter' && !view.hasMore))
		return { kind: 'on', next: placeAfter(view) };
	const rest = shown === 'no' ? { ...between, high: offset } : { ...between, low: offset };
	return { kind: 'apart', next: halve(rest) };
}

/** Half way between the two, until they are neighbours. */
function halve(between: Between): Place {
	const { low, high } = between;
	if (high - low > 1) return { at: Math.floor((low + high) / 2), joint: between };
	return { at: high, joint: LOOSE };
}

/** Whether a page shows one of the anchors, and records after the last of them. */
function lookFor(anchors: string, { entries }: View): 'no' | 'nothingAfter' | 'further' {
	const last = entries.findLastIndex((entry) => entry !== undefined && holds(anchors, entry.hash));
	if (last < 0) return 'no';
	return last === entries.length - 1 ? 'nothingAfter' : 'further';
}

function holds(anchors: string, hash: number): boolean {
	const key = spell(hash, HASH_LENGTH);
	for (let at = 0; at < anchors.length; at += HASH_LENGTH)
		if (anchors.startsWith(key, at)) return true;
	return false;
}

/**
 * How far to move from a page that shows nothing after the anchors. A page that is not full may be
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
	const chosen = (shared.length > 0 ? shared : places.slice(-1)).slice(-MAX_ANCHORS);
	const anchors = chosen.map((index) => spell(entries[index]?.hash ?? 0, HASH_LENGTH)).join('');
	// A page that shows hardly any records would otherwise be read again and again.
	if (length < overlapOf(size) || first === 0)
		return {
			at: offset + Math.max(length, size),
			joint: { kind: 'loose', anchors, repeats: 0 },
		};
	return { at: offset + first, joint: { kind: 'joined', anchors, from: offset, repeats: 0 } };
}
