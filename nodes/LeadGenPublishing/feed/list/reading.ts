/**
 * A reading that goes through the pages of a list: where it is, and whether it may have missed
 * records.
 */
import { follow, MAX_SEARCHED, placeAfter, type Place, type View } from './overlap';
import { overlapOf, strideOf } from './page';

export interface Reading extends Place {
	/** The place after the last record that it has read. */
	readonly reached: number;
	/** Whether a page did not overlap the one before, so that records may have been missed. */
	readonly isUnchecked: boolean;
	/** How many records it has read that were not known, or have changed. */
	readonly unknown: number;
	/** How many pages did not continue it. A search without a result counts as MAX_SEARCHED pages. */
	readonly pagesElsewhere: number;
}

export type Advanced =
	/** The page belongs to the reading, which goes on. */
	| { readonly kind: 'on'; readonly reading: Reading }
	/** The page does not continue the reading, which searches for its place elsewhere. */
	| { readonly kind: 'elsewhere'; readonly reading: Reading }
	/** The service shows the same records at every offset. */
	| { readonly kind: 'repeating' };

/** After so many searches, pages are accepted without an overlap. */
const MAX_SEARCHES = 3;

export const beginReading = (place: Place): Reading => ({
	at: place.at,
	overlap: place.overlap,
	reached: place.at,
	isUnchecked: false,
	unknown: 0,
	pagesElsewhere: 0,
});

export const atStart: Place = { at: 0, overlap: { kind: 'start' } };

export function advance(reading: Reading, view: View, found: number): Advanced {
	const followed = follow(reading.overlap, view);
	if (followed.kind === 'repeating') return followed;
	const unknown = reading.unknown + found;
	const isBroken = followed.kind === 'elsewhere' && isLost(reading, view);
	if (followed.kind === 'on' || isBroken) {
		const { at, overlap } = isBroken ? placeAfter(view) : followed.next;
		const isUnchecked = reading.isUnchecked || isBroken || reading.overlap.kind === 'unchecked';
		// A page that shows nothing after the last records may be an outdated response.
		const isRepeated = overlap.kind === 'joined' && overlap.repeats > 0;
		const reached = isRepeated ? reading.reached : view.offset + view.entries.length;
		return { kind: 'on', reading: { ...reading, at, overlap, reached, isUnchecked, unknown } };
	}
	const { at, overlap } = followed.next;
	const isInVain = overlap.kind === 'start' || overlap.kind === 'unchecked';
	const pagesElsewhere = reading.pagesElsewhere + (isInVain ? MAX_SEARCHED : 1);
	return { kind: 'elsewhere', reading: { ...reading, at, overlap, unknown, pagesElsewhere } };
}

/** Whether to give up the search. If the order changes with every request, it would never end. */
const isLost = ({ pagesElsewhere, reached }: Reading, { size }: View): boolean =>
	pagesElsewhere >= MAX_SEARCHES * MAX_SEARCHED + reached / strideOf(size);

/** The reading after records were added above it: everything that it looks for has moved down. */
export function movedDown(reading: Reading, by: number): Reading {
	const { overlap } = reading;
	if (by === 0 || reading.at === 0) return reading;
	const at = reading.at + by;
	const reached = reading.reached + by;
	switch (overlap.kind) {
		case 'joined':
			return { ...reading, at, reached, overlap: { ...overlap, from: overlap.from + by } };
		case 'search':
			return {
				...reading,
				at,
				reached,
				overlap: {
					...overlap,
					above: overlap.above === 'top' ? 'top' : overlap.above + by,
					below: overlap.below === 'bottom' ? 'bottom' : overlap.below + by,
				},
			};
		case 'between':
			return {
				...reading,
				at,
				reached,
				overlap: { ...overlap, low: overlap.low + by, high: overlap.high + by },
			};
		default:
			return { ...reading, at, reached };
	}
}

/** Whether the page ends with records that are known as they are. Then all after it count as known. */
export function endsKnown({ entries }: View): boolean {
	const last = entries.slice(-overlapOf(entries.length)).filter((entry) => entry !== undefined);
	return last.length > 0 && last.every(({ isNews }) => !isNews);
}
