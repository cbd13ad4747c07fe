/**
 * A reading that goes through the pages of a list: where it is, and whether it may have missed
 * records.
 */
import { follow, MAX_SEARCHED, placeAfter, type Place, type View } from './joint';
import { overlapOf, strideOf } from './page';

export interface Reading extends Place {
	/** The place after the last record that it has read. */
	readonly reached: number;
	/** Whether a page did not overlap the one before, so that records may have been missed. */
	readonly isLoose: boolean;
	/** How many records it has met that were not known, or have changed. */
	readonly unknown: number;
	/** How many pages did not continue it. A search without a result counts as MAX_SEARCHED pages. */
	readonly astray: number;
}

export type Advanced =
	/** The page belongs to the reading, which goes on. */
	| { readonly kind: 'on'; readonly reading: Reading }
	/** The page does not continue the reading, which searches for its place elsewhere. */
	| { readonly kind: 'apart'; readonly reading: Reading }
	/** The service shows the same records at every offset. */
	| { readonly kind: 'stuck' };

/** After so many searches, pages are accepted without an overlap. */
const MAX_SEARCHES = 3;

export const beginReading = (place: Place): Reading => ({
	at: place.at,
	joint: place.joint,
	reached: place.at,
	isLoose: false,
	unknown: 0,
	astray: 0,
});

export const atStart: Place = { at: 0, joint: { kind: 'start' } };

export function advance(reading: Reading, view: View, found: number): Advanced {
	const followed = follow(reading.joint, view);
	if (followed.kind === 'stuck') return followed;
	const unknown = reading.unknown + found;
	const isBroken = followed.kind === 'apart' && isLost(reading, view);
	if (followed.kind === 'on' || isBroken) {
		const { at, joint } = isBroken ? placeAfter(view) : followed.next;
		const isLoose = reading.isLoose || isBroken || reading.joint.kind === 'loose';
		// A page that shows nothing after the anchors may be an outdated response.
		const isRepeated = joint.kind === 'joined' && joint.repeats > 0;
		const reached = isRepeated ? reading.reached : view.offset + view.entries.length;
		return { kind: 'on', reading: { ...reading, at, joint, reached, isLoose, unknown } };
	}
	const { at, joint } = followed.next;
	const isInVain = joint.kind === 'start' || joint.kind === 'loose';
	const astray = reading.astray + (isInVain ? MAX_SEARCHED : 1);
	return { kind: 'apart', reading: { ...reading, at, joint, unknown, astray } };
}

/** Whether to give up the search. If the order changes with every request, it would never end. */
const isLost = ({ astray, reached }: Reading, { size }: View): boolean =>
	astray >= MAX_SEARCHES * MAX_SEARCHED + reached / strideOf(size);

/** The reading after records were added above it: everything that it looks for has moved down. */
export function movedDown(reading: Reading, by: number): Reading {
	const { joint } = reading;
	if (by === 0 || reading.at === 0) return reading;
	const at = reading.at + by;
	const reached = reading.reached + by;
	switch (joint.kind) {
		case 'joined':
			return { ...reading, at, reached, joint: { ...joint, from: joint.from + by } };
		case 'search':
			return {
				...reading,
				at,
				reached,
				joint: {
					...joint,
					above: joint.above === 'top' ? 'top' : joint.above + by,
					below: joint.below === 'bottom' ? 'bottom' : joint.below + by,
				},
			};
		case 'between':
			return {
				...reading,
				at,
				reached,
				joint: { ...joint, low: joint.low + by, high: joint.high + by },
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
