/**
 * Records that did not fit into the batch stay unknown. The list keeps their places, so that the next
 * poll reads on there. Pure.
 */
import { strideOf } from './page';
import type { Progress, SeenRecord } from './progress';
import { inHurry } from './scan';
import type { ListState, Part, WholeReading } from './state';

/** If more gaps than this are left, a fast check looks for their records instead. */
const MAX_GAPS = 8;

/** Keeps the places of what is left over. */
export function withLeft(
	list: ListState,
	left: readonly SeenRecord[],
	{ before, progress }: { before: ListState; progress: Progress },
): ListState {
	const { settings } = progress;
	const of = (part: Part): readonly SeenRecord[] => left.filter((one) => one.part === part);
	const placesOf = (part: Part): number[] => of(part).map(({ position }) => position);
	const tail = placesOf('tail');
	// A scan that leaves records over has not ended. It also passed the records left over at the
	// tail.
	const { scan } = progress.checkedSince === undefined ? list : before;
	const hasPassed = (place: number): boolean =>
		progress.checkedSince !== undefined || place < scan.reading.at;
	const scanned = [...placesOf('scan'), ...tail.filter(hasPassed)];
	const gaps = spaced(
		[...list.gaps, ...placesOf('head'), ...placesOf('gaps')],
		strideOf(list.size),
	);
	const kept: ListState = {
		...list,
		newAtTop: countAtTop(placesOf('head')),
		gaps: gaps.slice(0, MAX_GAPS),
		end: Math.min(list.end, ...tail),
		tailNewsAt: tail.length > 0 ? settings.now : list.tailNewsAt,
	};
	if (gaps.length > MAX_GAPS) return inHurry(kept, settings.now);
	if (scanned.length === 0) return kept;
	return {
		...kept,
		scan: { ...scan, reading: backTo(scan.reading, { places: scanned, size: list.size }) },
		first: gaps.length === 0 && tail.length === 0 ? 'scan' : kept.first,
	};
}

/**
 * What the user has asked for may be among the records that are left over. They are known, so they
 * only come while it is asked for.
 */
export function stillAsked(
	list: ListState,
	left: readonly SeenRecord[],
	before: ListState,
): ListState {
	if (left.length === 0 && list.gaps.length === 0) return list;
	return { ...list, scan: { ...list.scan, emits: before.scan.emits } };
}

/** How many of these places follow each other from the start of the list. */
function countAtTop(places: readonly number[]): number {
	const sorted = [...places].sort((one, other) => one - other);
	const broken = sorted.findIndex((place, index) => place !== index);
	return broken < 0 ? sorted.length : broken;
}

/** The scan continues with the first record that is left over. */
function backTo(
	reading: WholeReading,
	{ places, size }: { places: readonly number[]; size: number },
): WholeReading {
	const at = Math.min(...places);
	// A reading that has searched for its place knows records of other pages, so a known record proves
	// nothing.
	const isUnchecked = reading.isUnchecked || reading.pagesElsewhere > 0;
	if (at === 0) return { ...reading, at, overlap: { kind: 'start' }, isUnchecked };
	return { ...reading, at, overlap: { kind: 'known', back: strideOf(size) }, isUnchecked };
}

/** One place for each page: reading from it also finds the others. */
function spaced(places: readonly number[], stride: number): number[] {
	const kept: number[] = [];
	for (const place of [...places].sort((one, other) => one - other))
		if (place >= (kept.at(-1) ?? -Infinity) + stride) kept.push(place);
	return kept;
}
