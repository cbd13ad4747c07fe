/**
 * The first scan of a list. Promise: whatever it meets counts as existing, and it does not end
 * while an answer may have hidden records: the next poll continues at the same place.
 */
import { readHead } from './head';
import type { Scan } from '../store/progress';
import type { PageView } from './reader';
import type { ListSession } from './listSession';
import { isEndless } from './repeats';
import { hasNoOrder } from './walk';

/** So that a list that grows faster than it can be scanned is not scanned for ever. */
const MAX_PASSES = 12;

/** True if the scan is complete. */
export async function continueFirstScan(session: ListSession, place: Scan): Promise<boolean> {
	const { findings, progress, input } = session;
	if (place.next > 0) {
		// Records that have moved above the scan's place since the previous poll.
		const head = await readHead(session, 'baseline');
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
			if (isEndless(place)) progress.end = input.seen.size + findings.unknown;
			place.passes++;
			// A list without order is scanned until a pass meets no unknown record.
			if (!hasNoOrder(place) || !place.news || place.passes >= MAX_PASSES) break;
			Object.assign(place, { next: 0, anchors: [], news: false });
		}
		if (findings.deliverables.length >= input.maxItems) return false;
	}
	if (place.pages > 1 && (await readHead(session, 'baseline')) === undefined) return false;
	delete progress.baseline;
	session.beginCheck('paced');
	return true;
}

/**
 * An answer may be cut off by mistake, and the length of the list is not known yet: unless the list
 * ends on its first page, and that is not full, its end is requested twice. Undefined if the budget
 * did not allow it.
 */
async function listContinues(
	session: ListSession,
	place: Scan,
	end: PageView,
): Promise<boolean | undefined> {
	if (hasNoOrder(place) || isEndless(place)) return false;
	if (place.pages === 1 && end.entries.length < end.limit) return false;
	const again = await session.input.reader.read(end.offset);
	if (again === undefined) return undefined;
	session.addPage(again, 'baseline');
	return again.more && again.entries.length > 0;
}
