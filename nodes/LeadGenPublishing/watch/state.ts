/**
 * What the trigger remembers, as one JSON value that n8n keeps, under one seal: what does not fit it
 * is not what this version has written, and counts as damaged. Opening it never throws. Pure.
 */
import { createHash } from 'crypto';

import { isRecord, without } from '../api/schemas';
import { freshProgress, type Progress } from './list';
import type { OwnAccount } from './ownAccount';
import type { Mark } from './redelivery';
import type { ListFailure, Pause } from './reports';
import { Seen } from './seen';

const VERSION = 4;

/** One list. */
export interface RememberedList {
	readonly seen: Seen;
	readonly progress: Progress;
	/** When it was last read, and why it is left alone for now. */
	readonly readAt: number;
	readonly pause?: Pause;
	/** It is not watched at the moment. */
	readonly isAway?: true;
}

interface StoredList extends Omit<RememberedList, 'seen'> {
	/** How many records are known, for people who look at the state. */
	readonly n: number;
	readonly seen: string;
}

/** What stands beside the lists. */
export interface Rest {
	readonly own?: OwnAccount;
	readonly mark?: Mark;
	/** Failures that a later poll reports. */
	readonly pending: ReadonlyArray<Pick<ListFailure, 'account' | 'kind' | 'message'>>;
	/** Words that posts have had as their status. */
	readonly statuses: readonly string[];
	/** Short names of lists that were forgotten. */
	readonly gone: readonly string[];
	/** A state was lost to damage: all lists that begin do so silently, or only those of own accounts. */
	readonly lost?: 'all' | 'own';
	/** How many polls in a row could not find out whose lists are watched. */
	readonly unsure?: Pause;
}

/** A state's place among those before and after it: its sequence, and its number there. */
export interface Version {
	readonly line: string;
	readonly turn: number;
}

export interface State extends Version {
	readonly v: number;
	/** Another event or other filters mean other lists. */
	readonly scope: string;
	/** By account. */
	readonly lists: Readonly<Record<string, StoredList>>;
	readonly rest: Rest;
	readonly sum: string;
}

export type Lists = ReadonlyMap<string, RememberedList>;

export const EMPTY_REST: Rest = { pending: [], statuses: [], gone: [] };

/** Shows damage and says nothing of what it was made of. */
const sumOf = (state: Omit<State, 'sum'>): string =>
	createHash('sha256').update(JSON.stringify(state)).digest('base64url').slice(0, 12);

export function seal(
	{ line, turn, scope, rest }: Pick<State, 'line' | 'turn' | 'scope' | 'rest'>,
	lists: Lists,
): State {
	const stored = [...lists].map(([account, { seen, ...list }]): [string, StoredList] => [
		account,
		{ n: seen.size, ...list, seen: seen.text },
	]);
	const state = { v: VERSION, line, turn, scope, rest, lists: Object.fromEntries(stored) };
	return { ...state, sum: sumOf(state) };
}

/** What is stored; undefined if there is none, or none that can be used. */
export function openState(stored: unknown): { state: State | undefined; isDamaged: boolean } {
	if (stored === undefined || stored === null) return { state: undefined, isDamaged: false };
	if (!isRecord(stored)) return { state: undefined, isDamaged: true };
	// n8n wraps what it keeps in proxies.
	const { sum, ...state } = JSON.parse(JSON.stringify(stored)) as State;
	return state.v === VERSION && sum === sumOf(state)
		? { state: { ...state, sum }, isDamaged: false }
		: { state: undefined, isDamaged: true };
}

export function openLists(state: State | undefined, scope: string, width: number): Lists {
	const lists = state?.scope === scope ? Object.entries(state.lists) : [];
	return new Map(
		lists.map(([account, list]) => [
			account,
			{ ...without(list, 'n'), seen: new Seen(list.seen, width) },
		]),
	);
}

export const freshList = (width: number, now: number): RememberedList => ({
	...{ seen: new Seen('', width), progress: freshProgress(now), readAt: now },
});

/** What is in it now may have been delivered before, so nothing of it is. */
export const silentList = (width: number, now: number): RememberedList => ({
	...freshList(width, now),
	progress: freshProgress(now, true),
});
