/**
 * What the trigger remembers, as one JSON value that n8n keeps, under one seal: what does not fit it
 * is not what this version has written, and counts as damaged. Opening it never throws. Pure.
 */
import * as z from 'zod/v4-mini';

import { canonical } from '../api/identifiers';
import { MAX_PAGE } from '../api/pages';
import { without } from '../api/schemas';
import { digestOf } from './hash';
import { Seen } from './seen';

const number = z.number();
const text = z.string();
const byName = <Schema extends z.ZodMiniType>(schema: Schema) => z.record(text, schema);

const end = z.enum(['head', 'tail', 'both']);
export type Ends = z.infer<typeof end>;

const progress = z.object({
	/** How many records the list had, and how many a page holds. */
	end: number,
	limit: number,
	/** The walk: the offset where it goes on, when it began, and how many pages it has read. */
	at: number,
	since: number,
	pages: number,
	/** The first walk: through the list, then from the head again down to what it has met. */
	first: z.optional(z.enum(['list', 'head'])),
	/** The first walk delivers nothing, whatever the settings. */
	silent: z.optional(z.literal(true)),
	/** The last poll had no time for the walk, so this one begins with it. */
	waits: z.optional(z.boolean()),
	/** The first walk has met a page that need not show a record of the next one. */
	afterThin: z.optional(z.boolean()),
	/** Since when records appear that neither end shows: walks are fast until one finds none. */
	scattered: z.optional(number),
	/** The ends at which new records have appeared, and those since the walk began. */
	grows: z.optional(end),
	grewLately: z.optional(end),
	/** The hash of the last record. */
	last: z.optional(number),
	/** How many polls in a row have met an answer that may hide records. */
	doubts: z.optional(number),
	/** The service refuses offsets from here on. */
	reach: z.optional(number),
});
/** What is remembered of a list beside its records. */
export type Progress = z.infer<typeof progress>;

const pause = z.object({
	/** Failures in a row, and when the first of them happened (ms). */
	failures: number,
	first: number,
	/** When the pause began, and how long it lasts (ms). */
	since: number,
	ms: number,
});
export type Pause = Readonly<z.infer<typeof pause>>;

const own = z.object({
	/** A digest of the key and its address. */
	credential: text,
	/** The name of the account's list: `own`, or `own2` and so on for further accounts. */
	account: text,
	/** Who the accounts are, by account, as far as the service names them. */
	owners: byName(text),
});
export type OwnAccount = Readonly<z.infer<typeof own>>;

const mark = z.object({
	process: text,
	/**
	 * By account: the hashes of delivered records, what was remembered of them before, how often each
	 * was delivered, and when.
	 */
	records: byName(z.array(z.tuple([number, z.nullable(text), number, number]))),
});
export type Mark = Readonly<z.infer<typeof mark>>;

const list = z.object({
	/** The records, as `Seen` writes them. */
	seen: text,
	progress,
	/** When it was last read, and why it is left alone for now. */
	readAt: number,
	pause: z.optional(pause),
	/** It is not watched at the moment. */
	isAway: z.optional(z.literal(true)),
});

/** One list. */
export interface RememberedList extends Omit<Readonly<z.infer<typeof list>>, 'seen'> {
	readonly seen: Seen;
}
export type Lists = ReadonlyMap<string, RememberedList>;

const rest = z.object({
	own: z.optional(own),
	mark: z.optional(mark),
	/** Failures that a later poll reports. */
	pending: z.array(z.object({ account: text, kind: text, message: text })),
	/** Words that posts have had as their status. */
	statuses: z.array(text),
	/** Short names of lists that were forgotten. */
	gone: z.array(text),
	/** A state was lost to damage, and it is not yet known which lists it had. */
	lost: z.optional(z.literal(true)),
	/** How many polls in a row could not find out whose lists are watched. */
	unsure: z.optional(pause),
});
/** What stands beside the lists. */
export type Rest = Readonly<z.infer<typeof rest>>;
export const EMPTY_REST: Rest = { pending: [], statuses: [], gone: [] };

const VERSION = 4;

const STATE = z.object({
	v: z.literal(VERSION),
	/** The sequence of states that this one belongs to, and its number there. */
	line: text,
	turn: number,
	/** Another event or other filters mean other lists. */
	scope: text,
	/** By account. */
	lists: byName(list),
	rest,
	sum: text,
});
export type State = Readonly<z.infer<typeof STATE>>;

/** Shows damage, in whatever order the database gives back the fields (MySQL sorts them). */
const sumOf = (state: Omit<State, 'sum'>): string => digestOf(canonical(state), 12);

export function seal(parts: Pick<State, 'line' | 'turn' | 'scope' | 'rest'>, lists: Lists): State {
	const stored = [...lists].map(([account, { seen, ...list }]) => {
		return [account, { ...list, seen: seen.text }] as const;
	});
	const state = { v: VERSION, ...parts, lists: Object.fromEntries(stored) } as const;
	return { ...state, sum: sumOf(state) };
}

/** What is stored; undefined if there is none, or none that can be used. */
export function openState(stored: unknown): { state: State | undefined; isDamaged: boolean } {
	if (stored === undefined) return { state: undefined, isDamaged: false };
	// n8n wraps what it keeps in proxies.
	const plain: unknown = JSON.parse(JSON.stringify(stored));
	const isSound = isState(plain) && plain.sum === sumOf(without(plain, 'sum'));
	return { state: isSound ? plain : undefined, isDamaged: !isSound };
}

/** The value itself is used, not a copy of the parts that are known: the sum is that of the whole. */
const isState = (value: unknown): value is State => STATE.safeParse(value).success;

export function openLists(state: State | undefined, scope: string, width: number): Lists {
	const lists = state?.scope === scope ? Object.entries(state.lists) : [];
	return new Map(
		lists.map(([account, list]) => [account, { ...list, seen: new Seen(list.seen, width) }]),
	);
}

/** If it is silent, what is in it now may have been delivered before, so nothing of it is. */
export const freshList = (width: number, now: number, silent?: true): RememberedList => ({
	seen: new Seen('', width),
	progress: { end: 0, limit: MAX_PAGE, at: 0, since: now, pages: 0, first: 'list', silent },
	readAt: now,
});
