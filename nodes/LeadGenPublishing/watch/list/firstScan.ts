/**
 * Promise: what is met until the scan is finished was there before, and the scan is not finished
 * while an answer may have hidden something: it goes on at the same place in the next poll.
 */
import { readHead } from './head';
import type { Scan } from './progress';
import type { PageView } from './reader';
import type { ListSession } from './listSession';
import { hasNoOrder } from './walk';

/** A list that grows faster than it can be scanned must not be scanned for ever. */
const MAX_PASSES = 12;

/** True if it came to its end. */
export async function continueFirstScan(session: ListSession, place: Scan): Promise<boolean> {
	const { findings, progress, input } = session;
	if (place.next > 0) {
		// Records that moved up past the scan since the poll before.
		const head = await readHead(session, 'baseline', 'page');
		if (head === undefined) return false;
		place.next += head.unknown;
	}
	for (;;) {
		const unknown = findings.unknown;
		const view = await session.readNext(place, 'baseline');
		if (view === undefined) return false;
		place.pages++;
		if (findings.unknown > unknown) place.news = true;
		if (!view.more) {
			const goesOn = await listContinues(session, place, view);
			if (goesOn === undefined) return false;
			if (goesOn) continue;
			place.passes++;
			// A list that keeps no order is scanned until a pass meets nothing unknown.
			if (!hasNoOrder(place) || !place.news || place.passes >= MAX_PASSES) break;
			Object.assign(place, { next: 0, anchors: [], news: false });
		}
		if (findings.deliverables.length >= input.maxItems) return false;
	}
	if (place.pages > 1 && (await readHead(session, 'baseline', 'page')) === undefined) return false;
	delete progress.baseline;
	session.beginCheck('paced');
	return true;
}

/**
 * A list may be cut off by mistake, and nobody knows yet how long it is: where it ends after a full
 * page or several, its end is asked for twice. Undefined if it could not be asked.
 */
async function listContinues(
	session: ListSession,
	place: Scan,
	end: PageView,
): Promise<boolean | undefined> {
	if (hasNoOrder(place)) return false;
	if (place.pages === 1 && end.entries.length < end.limit) return false;
	const again = await session.input.reader.read(end.offset);
	if (again === undefined) return undefined;
	session.addPage(again, 'baseline');
	return again.more && again.entries.length > 0;
}
