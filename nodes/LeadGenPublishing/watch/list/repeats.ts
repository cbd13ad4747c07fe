/**
 * Lists that repeat their pages: the service cuts offsets down to whole pages, or announces more
 * behind its last page for ever. Promise: such a list costs a reading a few pages. It is read page
 * by page from where it got stuck, which is enough for whole pages; if that shows nothing new
 * either, it is taken to end there.
 */
import type { Place, Progress } from '../store/progress';
import type { PageView } from './reader';

/** Pages in a row that may bring nothing new: until the list counts as repeating; page by page. */
const MAX_IDLE = 5;
const MAX_IDLE_IN_PAGES = 2;
/** Places in a list for each record that is known of it, and pages beyond that. */
const MAX_TIMES_THE_LIST = 2;
const EXTRA_PAGES = 20;

/** The reading of this place was ended, as the list would not have ended by itself. */
export const isEndless = ({ inPages, idle }: Place): boolean =>
	inPages === true && idle !== undefined;

export class RepeatedPages {
	/** What this poll has met on the way to each place, since the reading began there. */
	private readonly met = new WeakMap<Place, Set<number>>();

	/** Counts the page that was read for a place: whether its list counts as repeating now. */
	countPage(
		place: Place,
		{
			before,
			view,
			progress,
			known,
		}: { before: Place; view: PageView; progress: Progress; known: number },
	): boolean {
		const isIdle = this.isIdle(place, before, view);
		const idle = isIdle && view.more ? (place.idle ?? 0) + 1 : 0;
		if (idle > 0) place.idle = idle;
		else delete place.idle;
		if (!view.more) return false;
		const most = place.inPages ? MAX_IDLE_IN_PAGES : progress.repeats ? 0 : MAX_IDLE;
		const end = MAX_TIMES_THE_LIST * Math.max(progress.end, known) + EXTRA_PAGES * view.limit;
		if (idle <= most && view.offset <= end) return false;
		if (place.inPages) place.idle ??= 1;
		else {
			place.inPages = true;
			delete place.idle;
			place.next -= place.next % view.limit;
		}
		return true;
	}

	/** It ends as the page before it did, or holds nothing that was not met on the way. */
	private isIdle(place: Place, before: Place, { entries }: PageView): boolean {
		const begins = before.next === 0 || place.restarts > before.restarts;
		const met = (begins ? undefined : this.met.get(place)) ?? new Set<number>();
		this.met.set(place, met);
		const isIdle =
			entries.at(-1)?.hash === before.anchors.at(-1) || entries.every(({ hash }) => met.has(hash));
		for (const { hash } of entries) met.add(hash);
		return isIdle;
	}
}
