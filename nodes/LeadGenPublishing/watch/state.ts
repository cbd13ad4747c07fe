/**
 * What the trigger remembers, as one JSON value that n8n keeps, under one seal: what does not fit it
 * is not what this version has written, and counts as damaged. Opening it never throws. Pure.
 */
import { createHash } from 'crypto';

import { isRecord, without } from '../api/schemas';
import { freshProgress } from './list';
import { Seen } from './seen';
import { STATE, VERSION, type Rest, type State, type StoredList } from './stored';

/** One list. */
export interface RememberedList extends Omit<StoredList, 'n' | 'seen'> {
	readonly seen: Seen;
}

/** A state's place among those before and after it: its sequence, and its number there. */
export type Version = Pick<State, 'line' | 'turn'>;

export type Lists = ReadonlyMap<string, RememberedList>;

export const EMPTY_REST: Rest = { pending: [], statuses: [], gone: [] };

/** Shows damage and says nothing of what it was made of. */
const sumOf = (state: Omit<State, 'sum'>): string =>
	createHash('sha256').update(JSON.stringify(state)).digest('base64url').slice(0, 12);

export function seal(
	{ line, turn, scope, rest }: Pick<State, 'line' | 'turn' | 'scope' | 'rest'>,
	remembered: Lists,
): State {
	const stored = [...remembered].map(([account, { seen, ...list }]): [string, StoredList] => [
		account,
		{ n: seen.size, ...list, seen: seen.text },
	]);
	const lists = Object.fromEntries(stored);
	const state: Omit<State, 'sum'> = { v: VERSION, line, turn, scope, rest, lists };
	return { ...state, sum: sumOf(state) };
}

/** What is stored; undefined if there is none, or none that can be used. */
export function openState(stored: unknown): { state: State | undefined; isDamaged: boolean } {
	if (stored === undefined || stored === null) return { state: undefined, isDamaged: false };
	if (!isRecord(stored)) return { state: undefined, isDamaged: true };
	// n8n wraps what it keeps in proxies.
	const plain: unknown = JSON.parse(JSON.stringify(stored));
	const isSound = isState(plain) && plain.sum === sumOf(without(plain, 'sum'));
	return isSound ? { state: plain, isDamaged: false } : { state: undefined, isDamaged: true };
}

/** The value itself is used, not a copy of the parts that are known: the sum is that of the whole. */
const isState = (value: unknown): value is State => STATE.safeParse(value).success;

export function openLists(state: State | undefined, scope: string, width: number): Lists {
	const lists = state?.scope === scope ? Object.entries(state.lists) : [];
	return new Map(
		lists.map(([account, list]) => [
			account,
			{ ...without(list, 'n'), seen: new Seen(list.seen, width) },
		]),
	);
}

/** If it is silent, what is in it now may have been delivered before, so nothing of it is. */
export const freshList = (width: number, now: number, silent?: true): RememberedList => ({
	...{ seen: new Seen('', width), progress: freshProgress(now, silent), readAt: now },
});
