/**
 * What the trigger remembers, as one JSON value that n8n keeps, under one checksum. A value that does
 * not match its checksum was not written by this version, and counts as damaged. Opening it never
 * throws. Pure.
 */
import * as z from 'zod/v4-mini';

import { canonical } from '../../api/identifiers';
import { without, type JsonRecord } from '../../api/schemas';
import { digestOf } from '../list/hash';
import type { ListState } from '../list/state';
import type { Pause } from '../reports/pauses';

/** The most records of one list that are remembered. */
export const MAX_RECORDS = 500_000;

/** One list, and whether it is watched and read at the moment. */
export interface RememberedList {
	readonly list: ListState;
	readonly readAt: number;
	/** Why it is not read for now. Undefined if it is read. */
	readonly pause?: Pause;
	/** Since when it is no longer watched. */
	readonly awaySince?: number;
}
export type Lists = ReadonlyMap<string, RememberedList>;

const number = z.number();
const text = z.string();
const byName = <Schema extends z.ZodMiniType>(schema: Schema) => z.record(text, schema);

const own = z.object({
	/** A digest of the key and its URL. */
	credential: text,
	/** The name of the account's list: `own`, or `own2` and so on for further accounts. */
	account: text,
	/** Who the accounts are, by account, as far as the service names them. */
	owners: byName(text),
});
export type OwnAccount = Readonly<z.infer<typeof own>>;

const lastBatch = z.object({
	process: text,
	/**
	 * By account: the hashes of delivered records, what was remembered of them before, how often each
	 * was delivered, and when.
	 */
	records: byName(z.array(z.tuple([number, z.nullable(text), number, number]))),
});
export type LastBatch = Readonly<z.infer<typeof lastBatch>>;

const pause = z.object({
	failures: number,
	first: number,
	since: number,
	ms: number,
	of: z.enum(['list', 'laterPages']),
	cause: text,
});

const rest = z.object({
	own: z.optional(own),
	lastBatch: z.optional(lastBatch),
	/** Failures that a later poll reports. */
	pending: z.array(z.object({ account: text, kind: text, message: text, cause: z.optional(text) })),
	/** A poll with items has postponed its report, so the next one reports in any case. */
	reportsNext: z.optional(z.literal(true)),
	/** Words that records have had as their status. */
	statuses: z.array(text),
	/** A state was lost to damage, and it is not yet known which lists it had. */
	lost: z.optional(z.literal(true)),
	/** The clients were listed completely, so a client without a list has joined since. */
	hasListed: z.optional(z.literal(true)),
	/** How many polls in a row could not find out whose lists are watched. */
	unsure: z.optional(pause),
	/** Which records the user has asked for that were never delivered: all, or those since a time. */
	emits: z.optional(
		z.custom<number | 'all'>((value) => value === 'all' || typeof value === 'number'),
	),
});
/** Memory of the trigger in addition to the lists. */
export type Rest = Readonly<z.infer<typeof rest>>;
export const EMPTY_REST: Rest = { pending: [], statuses: [] };

export const STATE_VERSION = 8;

/** Most pauses are of the whole list, so this is not stored. */
const PACKED_PAUSE = z.object({ ...pause.shape, of: z.optional(pause.shape.of) });

/** The stored form of a list. Values that are usual are left out. */
const optional = z.optional(number);
const PACKED = z.looseObject({
	seen: z.optional(text),
	end: optional,
	size: optional,
	polls: optional,
	tailNewsAt: optional,
	newAtTop: optional,
	gaps: z.optional(z.array(number)),
	changingFields: z.optional(z.array(z.looseObject({ name: text }))),
	scan: z.looseObject({
		kind: z.enum(['first', 'check']),
		reading: z.looseObject({ since: number }),
	}),
	day: z.looseObject({ since: number }),
	readAt: number,
	pause: z.optional(PACKED_PAUSE),
	awaySince: optional,
});

const STATE = z.object({
	v: z.literal(STATE_VERSION),
	/** The sequence of states that this one belongs to, and its number there. */
	sequence: text,
	pollNumber: number,
	/** The process that made it. */
	by: text,
	event: text,
	/** What the service is asked for. Another query shows another list. */
	queryName: text,
	/** The filters that decide what is delivered. */
	filtersName: text,
	/** By account. */
	lists: byName(z.custom<JsonRecord>((value) => PACKED.safeParse(value).success)),
	rest,
	sum: text,
});
export type State = Readonly<z.infer<typeof STATE>>;

/**
 * A checksum that reveals damage. The order of fields does not matter, because MySQL sorts them.
 */
export const sumOf = (value: unknown): string => digestOf(canonical(value), 12);

export type Opened =
	| { readonly kind: 'none' }
	| { readonly kind: 'sound'; readonly state: State }
	| { readonly kind: 'damaged' };

/**
 * Returns the value itself, not a copy of its known parts, because the checksum covers the whole
 * value.
 */
export function openState(stored: unknown): Opened {
	if (stored === undefined) return { kind: 'none' };
	// n8n wraps stored values in proxies.
	const plain: unknown = JSON.parse(JSON.stringify(stored));
	const isSound = isState(plain) && plain.sum === sumOf(without(plain, 'sum'));
	return isSound ? { kind: 'sound', state: plain } : { kind: 'damaged' };
}

const isState = (value: unknown): value is State => STATE.safeParse(value).success;
