/**
 * Promise: what is remembered of an account leaves the state a month after it was last watched, so
 * that the state does not grow with every client that ever was. If the account comes back later,
 * what it has then counts as known: coming back never floods. Pure.
 */
import { hash53 } from './hash';
import { SeenSet } from './seen';
import { freshProgress } from './list/progress';
import { sealList } from './listState';
import { sealWatch, type WatchState } from './state';

export const FORGOTTEN_AFTER_MS = 30 * 24 * 3_600_000;
const MAX_FORGOTTEN = 2_000;
const PAGE_SIZE = 100;

export interface Departures {
	/** Since when a list has not been watched, by its name. */
	readonly away: Readonly<Record<string, number>>;
	/** Short names of lists that were forgotten, the latest last. */
	readonly forgotten: readonly string[];
}

const shortName = (key: string): string => hash53(key).toString(36);

export function forgetDepartedLists(
	state: WatchState,
	before: Departures,
	{ watched, width, now }: { watched: ReadonlySet<string>; width: number; now: number },
): { state: WatchState; departures: Departures; changed: boolean } {
	const lists = { ...state.lists };
	const away: Record<string, number> = {};
	const forgotten = new Set(before.forgotten);
	let changed = false;
	for (const key of Object.keys(lists)) {
		if (watched.has(key)) continue;
		const known = before.away[key];
		// A clock that was wrong must not keep it for years, nor drop it at once.
		const since = Math.min(known ?? now, now);
		if (now - since >= FORGOTTEN_AFTER_MS) {
			delete lists[key];
			forgotten.add(shortName(key));
			changed = true;
			continue;
		}
		away[key] = since;
		changed ||= known === undefined;
	}
	for (const key of watched) {
		changed ||= before.away[key] !== undefined;
		if (lists[key] !== undefined || !forgotten.has(shortName(key))) continue;
		lists[key] = silentNewList({ width, now });
		forgotten.delete(shortName(key));
		changed = true;
	}
	const departures = { away, forgotten: [...forgotten].slice(-MAX_FORGOTTEN) };
	return { state: changed ? sealWatch({ ...state, lists }) : state, departures, changed };
}

/** A list whose first scan delivers nothing, whatever the settings say of existing records. */
export const silentNewList = ({ width, now }: { width: number; now: number }) =>
	sealList(SeenSet.empty(width), { ...freshProgress({ now, limit: PAGE_SIZE }), quietly: true });
