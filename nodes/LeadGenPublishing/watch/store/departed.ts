/**
 * Forgets lists that are not watched any more. Promise: what is remembered of an account leaves the
 * state 30 days after the account was last watched, and at once if it has no list, so that the state
 * does not grow with every former client. If the account comes back later, its records at that time
 * count as known, so that they are not all delivered. Pure.
 */
import { hash53 } from './hash';
import { silentNewList } from './listState';
import { sealWatch, type WatchState } from './state';

export const FORGOTTEN_AFTER_MS = 30 * 24 * 3_600_000;
const MAX_FORGOTTEN = 2_000;
/** What passes between two polls counts as no more than this: the clock may have been set. */
const MAX_BETWEEN_POLLS_MS = 7 * 24 * 3_600_000;

export interface Departures {
	/** Since when each list has not been watched (ms), by its name. */
	readonly away: Readonly<Record<string, number>>;
	/** The time of the poll that this was written by, if a list is away. */
	readonly at?: number;
	/** Short names of forgotten lists, the latest last. */
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
	const { at = now } = before;
	const countsAs = Math.min(Math.max(0, now - at), MAX_BETWEEN_POLLS_MS);
	let changed = false;
	for (const key of Object.keys(lists)) {
		if (watched.has(key)) continue;
		const known = before.away[key];
		// A clock that was wrong must neither keep a list for years nor drop it at once.
		const since = known === undefined ? now : Math.min(known + now - at - countsAs, now);
		if (now - since >= FORGOTTEN_AFTER_MS) {
			delete lists[key];
			forgotten.add(shortName(key));
			changed = true;
			continue;
		}
		away[key] = since;
		changed ||= known === undefined;
	}
	const withoutDeparted = <T>(entries: Readonly<Record<string, T>>): Record<string, T> => {
		const kept = Object.entries(entries).filter(([key]) => watched.has(key) || key in lists);
		changed ||= kept.length < Object.keys(entries).length;
		return Object.fromEntries(kept);
	};
	for (const key of watched) {
		changed ||= before.away[key] !== undefined;
		if (lists[key] !== undefined || !forgotten.has(shortName(key))) continue;
		lists[key] = silentNewList(width, now);
		forgotten.delete(shortName(key));
		changed = true;
	}
	const departures = {
		away,
		...(Object.keys(away).length > 0 ? { at: now } : {}),
		forgotten: [...forgotten].slice(-MAX_FORGOTTEN),
	};
	const [served, pauses] = [withoutDeparted(state.served), withoutDeparted(state.pauses)];
	return { state: sealWatch({ ...state, lists, served, pauses }), departures, changed };
}
