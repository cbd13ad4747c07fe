/** A reading that goes through pages of a list: where it is, and whether it may have left out records. */
import { follow, MAX_SEARCHED, placeAfter, type Place, type View } from './joint';
import { overlapOf, strideOf } from './page';

export interface Reading extends Place {
	/** The place after the last record that it has read. */
	readonly reached: number;
	/** A page did not overlap the one before, so records may have been left out. */
	readonly isLoose: boolean;
	/** How many records it has met that were not known. */
	readonly unknown: number;
	/** How many pages did not continue it. A search that found nothing counts as a full one. */
	readonly astray: number;
}

export type Advanced =
	/** The page belongs to the reading, which goes on. */
	| { readonly kind: 'on'; readonly reading: Reading }
	/** The page does not continue the reading, which looks for its place elsewhere. */
	| { readonly kind: 'apart'; readonly reading: Reading }
	/** The service shows the same records at every offset. */
	| { readonly kind: 'stuck' };

/** After so many searches, the pages of this list do not overlap, and are taken as they come. */
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
		// A page that shows nothing after the anchors may be an older answer.
		const isRepeated = joint.kind === 'joined' && joint.repeats > 0;
		const reached = isRepeated ? reading.reached : view.offset + view.entries.length;
		return { kind: 'on', reading: { ...reading, at, joint, reached, isLoose, unknown } };
	}
	const { at, joint } = followed.next;
	const isInVain = joint.kind === 'start' || joint.kind === 'loose';
	const astray = reading.astray + (isInVain ? MAX_SEARCHED : 1);
	return { kind: 'apart', reading: { ...reading, at, joint, unknown, astray } };
}

/** A list in a new order at every request would lead it to and fro for ever. */
const isLost = ({ astray, reached }: Reading, { size }: View): boolean =>
	astray >= MAX_SEARCHES * MAX_SEARCHED + reached / strideOf(size);

/** Records were added above: what the reading looks for stands further down. */
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

/** Whether the page ends with known records: what follows them was known before, too. */
export function endsKnown({ entries }: View): boolean {
	const last = entries.slice(-overlapOf(entries.length)).filter((entry) => entry !== undefined);
	return last.length > 0 && last.every(({ isUnknown }) => !isUnknown);
}
