/**
 * What the trigger remembers, as one JSON value that n8n keeps. Its checksums show whether it is what
 * this version has written: one for each list, so that damage to one costs no other its memory, and
 * one for the rest. Whatever is stored, opening it never throws. Pure.
 */
import { createHash } from 'crypto';

import { isRecord, without, type JsonRecord } from '../api/schemas';
import { freshProgress, type Progress } from './list';
import type { OwnAccount } from './ownAccount';
import type { Pause } from './reports';
import type { Mark } from './redelivery';
import { Seen } from './seen';

const VERSION = 3;

/** As stored. */
interface StoredList {
	/** How many records are known, for people who look at the state. */
	readonly n: number;
	readonly seen: string;
	/** The characters of the value beside each of them. */
	readonly width: number;
	readonly progress: Progress;
	/** When it was last read, and why it is left alone for now. */
	readonly readAt: number;
	readonly pause?: Pause;
	readonly sum: string;
}

/** One list, opened. */
export interface RememberedList {
	readonly seen: Seen;
	readonly progress: Progress;
	readonly readAt: number;
	readonly pause?: Pause;
}

/** A failure that a later poll reports. */
export interface PendingFailure {
	readonly account: string;
	readonly kind: string;
	readonly message: string;
}

/** What stands beside the lists. */
export interface Rest {
	readonly own?: OwnAccount;
	readonly mark?: Mark;
	readonly pending: readonly PendingFailure[];
	/** Words that posts have had as their status. */
	readonly statuses: readonly string[];
	/** For how long (ms) each list has not been watched, and when that was last counted. */
	readonly away: Readonly<Record<string, number>>;
	readonly countedAt: number;
	/** Short names of lists that were forgotten since. */
	readonly gone: readonly string[];
	/** Something was lost, and the lists that it was about are not known yet. */
	readonly isIncomplete?: true;
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
	readonly lists: Readonly<Record<string, StoredList>>;
	readonly rest: Rest;
	readonly sum: string;
}

export const emptyRest = (now: number): Rest => ({
	...{ pending: [], statuses: [], away: {}, countedAt: now, gone: [] },
});

/** Shows damage and says nothing of what it was made of. */
const digest = (text: string): string =>
	createHash('sha256').update(text).digest('base64url').slice(0, 12);

const sumOfList = (name: string, { seen, ...list }: Omit<StoredList, 'sum'>): string =>
	digest(`${name}\n${JSON.stringify(list)}\n${seen}`);

const sumOfState = ({ lists, ...state }: Omit<State, 'sum'>): string =>
	digest(
		JSON.stringify([
			state,
			Object.entries(lists)
				.map(([name, { sum }]) => [name, sum])
				.sort(),
		]),
	);

function sealList(name: string, { seen, ...list }: RememberedList, width: number): StoredList {
	const stored = { n: seen.size, width, ...list, seen: seen.text };
	return { ...stored, sum: sumOfList(name, stored) };
}

/** Lists that have not changed keep their seals. */
export function seal(
	version: Version,
	rest: Rest,
	{
		lists,
		before,
		width,
	}: { lists: ReadonlyMap<string, RememberedList>; before: Opened; width: number },
): State {
	const sealed = Object.fromEntries(
		[...lists].map(([name, list]) => [
			name,
			before.lists.get(name) === list && !before.damaged.includes(name)
				? (before.stored[name] as StoredList)
				: sealList(name, list, width),
		]),
	);
	const state = { v: VERSION, line: version.line, turn: version.turn, lists: sealed, rest };
	return { ...state, sum: sumOfState(state) };
}

export interface Opened {
	readonly lists: ReadonlyMap<string, RememberedList>;
	readonly stored: Readonly<Record<string, unknown>>;
	readonly rest: Rest;
	/** Names of lists whose memory was damaged. */
	readonly damaged: readonly string[];
}

/** The lists of a scope: another event or other filters begin with nothing. */
export function openLists(
	state: State | undefined,
	{ scope, width, now }: { scope: string; width: number; now: number },
): Opened {
	const lists = new Map<string, RememberedList>();
	const damaged: string[] = [];
	for (const [name, list] of Object.entries(state?.lists ?? {})) {
		if (!name.startsWith(`${scope}.`)) continue;
		if (!isSoundList(name, list) || list.width !== width) {
			damaged.push(name);
			lists.set(name, silentList(width, now));
			continue;
		}
		const { seen, progress, readAt, pause } = list;
		lists.set(name, {
			...{ seen: new Seen(seen, width), progress, readAt },
			...(pause === undefined ? {} : { pause }),
		});
	}
	return { lists, stored: state?.lists ?? {}, rest: state?.rest ?? emptyRest(now), damaged };
}

const areNumbers = (values: JsonRecord, names: readonly string[]): boolean =>
	names.every((name) => Number.isFinite(values[name]));

/** A seal alone does not say that every field is there: another version may have set it. */
const isSoundList = (name: string, list: unknown): list is StoredList =>
	isRecord(list) &&
	typeof list.seen === 'string' &&
	areNumbers(list, ['width', 'readAt']) &&
	isRecord(list.progress) &&
	areNumbers(list.progress, ['end', 'limit', 'at', 'since', 'pages']) &&
	list.sum === sumOfList(name, without(list, 'sum') as unknown as StoredList);

const isSoundRest = (rest: unknown): rest is Rest =>
	isRecord(rest) &&
	[rest.pending, rest.statuses, rest.gone].every(Array.isArray) &&
	areNumbers(rest, ['countedAt']) &&
	isRecord(rest.away);

export const freshList = (width: number, now: number): RememberedList => ({
	...{ seen: new Seen('', width), progress: freshProgress(now), readAt: now },
});

/** What is in it now may have been delivered before, so nothing of it is. */
export const silentList = (width: number, now: number): RememberedList => ({
	...freshList(width, now),
	progress: freshProgress(now, true),
});

/**
 * What is stored, as far as it can be used; undefined if there is none. The lists are checked one by
 * one when they are opened, so if only the rest is damaged, they stay.
 */
export function openState(
	stored: unknown,
	now: number,
): { state: State | undefined; isDamaged: boolean } {
	if (stored === undefined || stored === null) return { state: undefined, isDamaged: false };
	if (!isRecord(stored) || !isRecord(stored.lists)) return { state: undefined, isDamaged: true };
	const { sum, ...state } = stored as unknown as State;
	const isSound =
		state.v === VERSION &&
		isSoundRest(state.rest) &&
		Object.values(state.lists).every(isRecord) &&
		sum === sumOfState(state);
	if (isSound) return { state: { ...state, sum }, isDamaged: false };
	const { line, turn, lists } = state;
	const isNumbered = typeof line === 'string' && Number.isSafeInteger(turn) && turn >= 0;
	return {
		state: {
			...{ v: VERSION, line: isNumbered ? line : '', turn: isNumbered ? turn : 0, sum: '' },
			lists: lists,
			rest: { ...emptyRest(now), isIncomplete: true },
		},
		isDamaged: true,
	};
}
