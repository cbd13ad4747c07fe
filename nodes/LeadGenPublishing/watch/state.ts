/**
 * Promise: a stored state is either exactly what was written, in a version we know, or refused.
 * Never half believed: a damaged memory that is trusted delivers everything again, or nothing.
 */
import { createHash } from 'crypto';

import { SeenSet, type SeenText } from './seen';

const VERSION = 1;

/** A place in a list that moves under us: where to read on, and the records read just before. */
export interface Place {
	next: number;
	/** Hashes of the last records read. Their place tells how far the list has shifted. */
	anchors: number[];
	/** How often the thread was lost for good, so that reading began again at the head. */
	restarts: number;
}

/** The first scan. */
export interface Scan extends Place {
	pages: number;
	/** Complete passes so far, and whether the present one met anything unknown. */
	passes: number;
	news: boolean;
}

export interface Check extends Place {
	/** When this check began (ms). */
	since: number;
	/** Pages read by this check. */
	pages: number;
	/** `dig`: new records may lie below `next`, read on until known ones. `full`: read it all. */
	urgent?: 'dig' | 'full';
	/** It did not begin at the head: its end is not the end of a complete check. */
	partial?: boolean;
	/** It met a record that neither end showed. */
	odd?: boolean;
}

export interface Progress {
	/** Where the list ended when last seen. */
	end: number;
	/** Page size that the service really gives. */
	limit: number;
	/** Records at the head that the last poll met and left for this one. */
	waiting?: number;
	/** Present until the first scan is finished. */
	baseline?: Scan;
	check: Check;
	/** The first scan follows damage: what it meets was delivered before, whatever the settings. */
	quietly?: boolean;
	/** The last complete check met something that neither end showed: look harder. */
	eager?: boolean;
}

/** As stored, per list. */
export interface ListState extends SeenText {
	v: number;
	progress: Progress;
	/** Of `set` alone: most polls leave it as it was, and it is the long part. */
	setSum: string;
	/** Of all the rest, `setSum` included. */
	sum: string;
}

export interface Owed {
	account: string;
	kind: string;
	message: string;
}

export interface Pause {
	failures: number;
	until: number;
}

/** As stored, for the whole trigger: one JSON value. */
export interface WatchState {
	v: number;
	/** Which sequence of states this one belongs to, and its number there. */
	line: string;
	turn: number;
	lists: Record<string, ListState>;
	/** Turn in which each list was last read to the end: who waited longest goes first. */
	served: Record<string, number>;
	pauses: Record<string, Pause>;
	/** Failures that no poll has shown yet. */
	owed: Owed[];
	/** What n8n's side of the trigger keeps beside the lists; see `extras.ts`. */
	extras?: unknown;
	sum: string;
}

const checksum = (...parts: string[]): string => {
	const hash = createHash('sha1');
	for (const part of parts) hash.update(part).update('\n');
	return hash.digest('base64url').slice(0, 12);
};

export const freshPlace = (): Place => ({ next: 0, anchors: [], restarts: 0 });

export const freshCheck = (since: number): Check => ({ ...freshPlace(), since, pages: 0 });

export function freshProgress({ now, limit }: { now: number; limit: number }): Progress {
	const baseline = { ...freshPlace(), pages: 0, passes: 0, news: false };
	return { end: 0, limit, baseline, check: freshCheck(now) };
}

const listSum = ({ n, w, v, setSum, progress }: Omit<ListState, 'sum'>): string =>
	checksum(JSON.stringify([v, n, w, setSum, progress]));

/** `before`: the state that `seen` was opened from, if it was not changed since. */
export function sealList(seen: SeenSet, progress: Progress, before?: ListState): ListState {
	const text = seen.toText();
	const setSum = before?.set === text.set ? before.setSum : checksum(text.set);
	const state = { v: VERSION, ...text, setSum, progress };
	return { ...state, sum: listSum(state) };
}

/** A damaged frame may still hold lists, which carry checksums of their own. */
type OpenedWatch = Opened<WatchState> | { kind: 'damaged'; value?: WatchState };

export type Opened<T> = { kind: 'ok'; value: T } | { kind: 'none' } | { kind: 'damaged' };

const isRecord = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** Opens one list. `width` is what its event keeps per record; another width is another event. */
export function openList(
	stored: ListState | undefined,
	width: number,
): Opened<{ seen: SeenSet; progress: Progress }> {
	if (stored === undefined) return { kind: 'none' };
	const sound =
		isRecord(stored) &&
		stored.v === VERSION &&
		stored.w === width &&
		typeof stored.set === 'string' &&
		isRecord(stored.progress) &&
		stored.sum === listSum(stored) &&
		stored.setSum === checksum(stored.set);
	if (!sound) return { kind: 'damaged' };
	const { n, w, set, progress } = stored;
	return { kind: 'ok', value: { seen: new SeenSet({ n, w, set }), progress } };
}

/** Over everything but the lists themselves, which carry their own. */
const watchSum = (state: Omit<WatchState, 'sum'>): string => {
	const { lists, ...rest } = state;
	const sums = Object.entries(lists).map(([key, list]) => [key, list.sum]);
	return checksum(JSON.stringify([rest.v, rest.line, rest.turn]), JSON.stringify(sums));
};

export function sealWatch(state: Omit<WatchState, 'sum' | 'v'>): WatchState {
	const whole = { ...state, v: VERSION };
	return { ...whole, sum: watchSum(whole) };
}

export const emptyWatch = (line: string): WatchState =>
	sealWatch({ line, turn: 0, lists: {}, served: {}, pauses: {}, owed: [] });

/**
 * Opens the whole. Lists stay closed here: one damaged list must not take the others with it, so a
 * broken frame around readable lists is repaired and each list judged on its own.
 */
export function openWatch(stored: unknown): OpenedWatch {
	if (stored === undefined || stored === null) return { kind: 'none' };
	if (isRecord(stored) && Object.keys(stored).length === 0) return { kind: 'none' };
	if (!isRecord(stored) || stored.v !== VERSION || !isRecord(stored.lists)) {
		return { kind: 'damaged' };
	}
	const lists = Object.entries(stored.lists).map(([key, list]) => [
		key,
		isRecord(list) ? list : {},
	]);
	const state = {
		...stored,
		...conveniences(stored),
		lists: Object.fromEntries(lists) as WatchState['lists'],
	} as WatchState;
	if (state.sum === watchSum(state)) return { kind: 'ok', value: state };
	const line = typeof stored.line === 'string' ? stored.line : '';
	const turn = Number.isSafeInteger(stored.turn) ? state.turn : 0;
	return { kind: 'damaged', value: sealWatch({ ...state, line, turn }) };
}

/** Turns, pauses and debts hold no record: what is wrong with them is dropped, not the lists. */
function conveniences({
	served,
	pauses,
	owed,
}: Record<string, unknown>): Pick<WatchState, 'served' | 'pauses' | 'owed'> {
	return {
		served: sound(served, (turn): turn is number => Number.isFinite(turn)),
		pauses: sound(
			pauses,
			(pause): pause is Pause =>
				isRecord(pause) && Number.isFinite(pause.failures) && Number.isFinite(pause.until),
		),
		owed: Array.isArray(owed) ? owed.filter(isOwed) : [],
	};
}

const sound = <T>(entries: unknown, is: (entry: unknown) => entry is T): Record<string, T> =>
	Object.fromEntries(
		Object.entries(isRecord(entries) ? entries : {}).filter((pair): pair is [string, T] =>
			is(pair[1]),
		),
	);

export const isOwed = (entry: unknown): entry is Owed =>
	isRecord(entry) &&
	[entry.account, entry.kind, entry.message].every((text) => typeof text === 'string');
