/**
 * Promise: what is met until the scan is finished was there before, and the scan is not finished
 * while an answer may have hidden something: it goes on at the same place in the next poll.
 */
import { lookAtHead } from './head';
import type { Scan } from './progress';
import type { PageView } from './reader';
import type { Session } from './session';
import { keepsNoOrder } from './walk';

/** A list that grows faster than it can be scanned must not be scanned for ever. */
const MOST_PASSES = 12;

/** True if it came to its end. */
export async function scan(session: Session, place: Scan): Promise<boolean> {
	const { notes, progress, input } = session;
	if (place.next > 0) {
		// Records that moved up past the scan since the poll before.
		const head = await lookAtHead(session, 'baseline', 'page');
		if (head === undefined) return false;
		place.next += head.unknown;
	}
	for (;;) {
		const unknown = notes.unknown;
		const view = await session.step(place, 'baseline');
		if (view === undefined) return false;
		place.pages++;
		if (notes.unknown > unknown) place.news = true;
		if (!view.more) {
			const goesOn = await listGoesOn(session, place, view);
			if (goesOn === undefined) return false;
			if (goesOn) continue;
			place.passes++;
			// A list that keeps no order is scanned until a pass meets nothing unknown.
			if (!keepsNoOrder(place) || !place.news || place.passes >= MOST_PASSES) break;
			Object.assign(place, { next: 0, anchors: [], news: false });
		}
		if (notes.finds.length >= input.maxItems) return false;
	}
	if (place.pages > 1 && (await lookAtHead(session, 'baseline', 'page')) === undefined)
		return false;
	delete progress.baseline;
	session.beginCheck('paced');
	return true;
}

/**
 * A list may be cut off by mistake, and nobody knows yet how long it is: where it ends after a full
 * page or several, its end is asked for twice. Undefined if it could not be asked.
 */
async function listGoesOn(
	session: Session,
	place: Scan,
	end: PageView,
): Promise<boolean | undefined> {
	if (keepsNoOrder(place)) return false;
	if (place.pages === 1 && end.entries.length < end.limit) return false;
	const again = await session.input.reader.read(end.offset);
	if (again === undefined) return undefined;
	session.note(again, 'baseline');
	return again.more && again.entries.length > 0;
}
