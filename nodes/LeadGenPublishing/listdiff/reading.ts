/** A reading that goes through pages of a list: where it is, and whether it may have left out records. */
import { follow, type Place, type View } from './joint';
import { overlapOf } from './page';

export interface Reading extends Place {
	/** A page did not overlap the one before, so records may have been left out. */
	readonly isLoose: boolean;
	/** How many records it has met that were not known. */
	readonly unknown: number;
	/** How often it had to begin again because the list had moved. */
	readonly restarts: number;
}

export type Advanced =
	/** The page belongs to the reading, which goes on. */
	| { readonly kind: 'on'; readonly reading: Reading }
	/** The page does not continue the reading, which looks for its place elsewhere. */
	| { readonly kind: 'apart'; readonly reading: Reading }
	/** The service shows the same records at every offset. */
	| { readonly kind: 'stuck' };

/** A list that is in another order at every request would never let a reading get on. */
const MAX_RESTARTS = 2;

export const beginReading = (place: Place): Reading => ({
	at: place.at,
	joint: place.joint,
	isLoose: false,
	unknown: 0,
	restarts: 0,
});

export const atStart: Place = { at: 0, joint: { kind: 'start' } };

export function advance(reading: Reading, view: View, found: number): Advanced {
	const followed = follow(reading.joint, view);
	if (followed.kind === 'stuck') return followed;
	const unknown = reading.unknown + found;
	if (followed.kind === 'on') {
		const isLoose = reading.isLoose || reading.joint.kind === 'loose';
		return { kind: 'on', reading: { ...reading, ...followed.next, isLoose, unknown } };
	}
	const isRestart = followed.next.joint.kind === 'start';
	if (!isRestart)
		return { kind: 'apart', reading: { ...reading, ...followed.next, unknown } };
	const restarts = reading.restarts + 1;
	const next: Place =
		restarts > MAX_RESTARTS ? { at: reading.at, joint: { kind: 'loose' } } : followed.next;
	return { kind: 'apart', reading: { ...reading, ...next, unknown, restarts } };
}

/** Records were added above: what the reading looks for stands further down. */
export function movedDown(reading: Reading, by: number): Reading {
	const { joint } = reading;
	if (by === 0 || reading.at === 0) return reading;
	const at = reading.at + by;
	switch (joint.kind) {
		case 'joined':
			return { ...reading, at, joint: { ...joint, from: joint.from + by } };
		case 'search':
			return { ...reading, at, joint: { ...joint, low: joint.low + by, high: joint.high + by } };
		default:
			return { ...reading, at };
	}
}

/** Whether the page ends with known records: what follows them was known before, too. */
export function endsKnown({ entries }: View): boolean {
	const last = entries.slice(-overlapOf(entries.length)).filter((entry) => entry !== undefined);
	return last.length > 0 && last.every(({ isUnknown }) => !isUnknown);
}
