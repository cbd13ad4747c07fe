/**
 * Promise: walking a list from page to page passes over no record, though others are inserted and
 * deleted between two pages, as long as the records that stay keep their order.
 *
 * Each page begins with the last record of the page before. If it does not, the list has moved:
 * look around for any of the last records read, and failing that begin again at the head. A list
 * that loses us again and again keeps no order; it is then read plainly, and said to be so.
 */
import { isBlank, type PageReader, type PageView } from './reader';
import type { Place } from './state';

const ANCHORS = 8;
const LOST_FOR_GOOD = 3;
/** A service that filters after it has cut its pages gives empty ones in a row. */
const MOST_BLANKS = 20;
/** Where to look for the thread, in pages from where it should be. Deletions first: they hide. */
const AROUND = [0, -1, 1, -2, 2, -3];

export const keepsNoOrder = (place: Place): boolean => place.restarts >= LOST_FOR_GOOD;

const holdsAnchor = (view: PageView, anchors: readonly number[]): boolean =>
	view.entries.some(({ hash }) => anchors.includes(hash));

/** Moves on by one page; `see` gets every page that was read, the ones while searching too. */
export async function step(
	place: Place,
	reader: PageReader,
	see: (view: PageView) => void,
): Promise<PageView | undefined> {
	const view = await findThread(place, reader, see);
	if (view === undefined) return undefined;
	const beyond = isBlank(view) ? await skipBlank(view, reader, see) : view;
	if (beyond === undefined) return undefined;
	place.next = beyond.offset + (beyond.more ? beyond.limit : beyond.entries.length);
	if (beyond.more && beyond.entries.length < beyond.limit) {
		// The page holds less than it reaches over (a service that filters after paging): its last
		// record need not stand at its end, so the next page cannot be expected to begin with it.
		place.anchors = [];
		return beyond;
	}
	const hashes = beyond.entries.map(({ hash }) => hash);
	place.anchors = [...place.anchors, ...hashes.slice(-ANCHORS)].slice(-ANCHORS);
	return beyond;
}

/** Where the next step reads first. */
export const nextOffset = (place: Place): number =>
	place.anchors.length === 0 || keepsNoOrder(place) ? place.next : Math.max(0, place.next - 1);

async function findThread(
	place: Place,
	reader: PageReader,
	see: (view: PageView) => void,
): Promise<PageView | undefined> {
	if (place.anchors.length === 0 || keepsNoOrder(place)) {
		const view = await reader.read(place.next);
		if (view !== undefined) see(view);
		return view;
	}
	const expected = nextOffset(place);
	let stride = 0;
	for (const pages of AROUND) {
		const offset = Math.max(0, expected + pages * stride);
		const view = await reader.read(offset);
		if (view === undefined) {
			// Cut short while searching: the next poll searches further up, so that it gets anywhere.
			if (stride > 0) place.next = Math.max(0, place.next - stride);
			return undefined;
		}
		see(view);
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
	return await findThread(place, reader, see);
}

/** Behind empty pages more may follow; so many in a row are the end, whatever they announce. */
async function skipBlank(
	blank: PageView,
	reader: PageReader,
	see: (view: PageView) => void,
): Promise<PageView | undefined> {
	let last = blank;
	for (let blanks = 1; blanks < MOST_BLANKS; blanks++) {
		const view = await reader.read(last.offset + last.limit);
		if (view === undefined) return undefined;
		see(view);
		if (!isBlank(view)) return view;
		last = view;
	}
	return { ...blank, more: false };
}
