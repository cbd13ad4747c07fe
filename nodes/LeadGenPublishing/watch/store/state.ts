/**
 * The stored state of the trigger. Promise: it is one JSON value, and reading it never throws,
 * whatever it contains: each list is validated by itself, and invalid parts of the rest are
 * dropped.
 */
import { isRecord } from '../../api/schemas';
import { checksum } from './checksum';
import type { ListState, Opened } from './listState';
import { isPause, type Pause } from './pauses';

const VERSION = 2;

export interface PendingFailure {
	account: string;
	kind: string;
	message: string;
}

/** As stored, for the whole trigger: one JSON value. */
export interface WatchState {
	v: number;
	/**
	 * The sequence of states that this one belongs to, and its number there. A new sequence begins
	 * when nothing is stored.
	 */
	line: string;
	turn: number;
	/** By name. Not validated yet: any of them may be damaged. */
	lists: Record<string, ListState>;
	/**
	 * The turn in which each list was last read completely: the longest waiting list goes first.
	 */
	served: Record<string, number>;
	pauses: Record<string, Pause>;
	/** Failures that no poll has reported yet. */
	owed: PendingFailure[];
	/** What the trigger stores beside the lists; see `extras.ts`. */
	extras?: unknown;
	sum: string;
}

/** The rest may be damaged while the lists, which have their own checksums, are valid. */
export type OpenedWatch = Opened<WatchState> | { kind: 'damaged'; value?: WatchState };

/** Checksum of the sequence and the lists' own checksums. */
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
 * Validates everything but the lists, which `openList` validates one by one: a damaged list must
 * not affect the others. If only the rest is damaged, it is repaired.
 */
export function openWatch(stored: unknown): OpenedWatch {
	if (stored === undefined || stored === null) return { kind: 'none' };
	if (isRecord(stored) && Object.keys(stored).length === 0) return { kind: 'none' };
	if (!isRecord(stored) || !isRecord(stored.lists)) return { kind: 'damaged' };
	const lists = Object.entries(stored.lists).map(([key, list]) => [
		key,
		isRecord(list) ? list : {},
	]);
	const state = sealWatch({
		line: typeof stored.line === 'string' ? stored.line : '',
		turn: isTurn(stored.turn) ? stored.turn : 0,
		lists: Object.fromEntries(lists) as WatchState['lists'],
		served: sound(stored.served, isTurn),
		pauses: sound(stored.pauses, isPause),
		owed: Array.isArray(stored.owed) ? stored.owed.filter(isPendingFailure) : [],
		...(stored.extras === undefined ? {} : { extras: stored.extras }),
	});
	const isSound = stored.v === VERSION && stored.sum === state.sum;
	return { kind: isSound ? 'ok' : 'damaged', value: state };
}

/** Small enough that adding one is exact. */
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
