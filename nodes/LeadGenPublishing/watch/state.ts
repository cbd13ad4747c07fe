/**
 * Promise: the trigger's whole state is one JSON value, and whatever it has become outside is read
 * without an error: each list is judged by itself, and of the rest what cannot have been written
 * by us is dropped.
 */
import { isRecord } from './isRecord';
import { checksum } from './checksum';
import type { ListState, Opened } from './listState';
import { isPause, type Pause } from './turns/pauses';

const VERSION = 2;

export interface PendingFailure {
	account: string;
	kind: string;
	message: string;
}

/** As stored, for the whole trigger: one JSON value. */
export interface WatchState {
	v: number;
	/** Which sequence of states this one belongs to, and its number there. */
	line: string;
	turn: number;
	/** By name. Closed: any of them may be damaged. */
	lists: Record<string, ListState>;
	/** Turn in which each list was last read to the end: who waited longest goes first. */
	served: Record<string, number>;
	pauses: Record<string, Pause>;
	/** Failures that no poll has shown yet. */
	owed: PendingFailure[];
	/** What n8n's side of the trigger keeps beside the lists; see `extras.ts`. */
	extras?: unknown;
	sum: string;
}

/** A damaged frame may still hold lists, which carry checksums of their own. */
type OpenedWatch = Opened<WatchState> | { kind: 'damaged'; value?: WatchState };

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
	if (!isRecord(stored) || !isRecord(stored.lists)) return { kind: 'damaged' };
	const lists = Object.entries(stored.lists).map(([key, list]) => [
		key,
		isRecord(list) ? list : {},
	]);
	const turn = isTurn(stored.turn) ? stored.turn : 0;
	const state: WatchState = {
		v: VERSION,
		line: typeof stored.line === 'string' ? stored.line : '',
		turn,
		lists: Object.fromEntries(lists) as WatchState['lists'],
		served: sound(stored.served, isTurn),
		pauses: sound(stored.pauses, isPause),
		owed: Array.isArray(stored.owed) ? stored.owed.filter(isPendingFailure) : [],
		...(stored.extras === undefined ? {} : { extras: stored.extras }),
		sum: typeof stored.sum === 'string' ? stored.sum : '',
	};
	if (stored.v === VERSION && state.sum === watchSum(state)) return { kind: 'ok', value: state };
	return { kind: 'damaged', value: sealWatch(state) };
}

/** Far from where adding one changes nothing any more. */
const isTurn = (value: unknown): value is number =>
	Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) < 2 ** 52;

const sound = <T>(entries: unknown, is: (entry: unknown) => entry is T): Record<string, T> =>
	Object.fromEntries(
		Object.entries(isRecord(entries) ? entries : {}).filter((pair): pair is [string, T] =>
			is(pair[1]),
		),
	);

export const isPendingFailure = (entry: unknown): entry is PendingFailure =>
	isRecord(entry) &&
	[entry.account, entry.kind, entry.message].every((text) => typeof text === 'string');
