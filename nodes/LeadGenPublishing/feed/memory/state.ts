/**
 * What the trigger remembers, as one JSON value that n8n keeps, under one checksum. A value that does
 * not match its checksum was not written by this version, and counts as damaged. Opening it never
 * throws. Pure.
 */
import * as z from '../../vendor/zod';

import { canonical } from '../../api/identifiers';
import { isRecord, without, type JsonRecord } from '../../api/schemas';
import { digestOf } from '../list/hash';
import { Seen } from '../list/seen';
import { freshList, type ListState } from '../list/state';
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

const mark = z.object({
	process: text,
	/**
	 * By account: the hashes of delivered records, what was remembered of them before, how often each
	 * was delivered, and when.
	 */
	records: byName(z.array(z.tuple([number, z.nullable(text), number, number]))),
});
export type Mark = Readonly<z.infer<typeof mark>>;

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
	mark: z.optional(mark),
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

const VERSION = 7;

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
	restless: z.optional(z.array(z.looseObject({ name: text }))),
	scan: z.looseObject({
		kind: z.enum(['first', 'check']),
		pass: z.looseObject({ since: number }),
	}),
	generation: z.looseObject({ since: number }),
	readAt: number,
	pause: z.optional(PACKED_PAUSE),
	awaySince: optional,
});

const STATE = z.object({
	v: z.literal(VERSION),
	/** The sequence of states that this one belongs to, and its number there. */
	line: text,
	serial: number,
	/** The process that made it. */
	by: text,
	event: text,
	/** What the service is asked for. Another query shows another list. */
	query: text,
	/** The filters that decide what is delivered. */
	scope: text,
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

export function packState(
	parts: Pick<State, 'line' | 'serial' | 'by' | 'event' | 'query' | 'scope' | 'rest'>,
	lists: Lists,
): State {
	const packed = [...lists].map(([account, one]) => [account, pack(one)] as const);
	const { line, serial, by, event, query, scope, rest: others } = parts;
	const state = {
		v: VERSION,
		line,
		serial,
		by,
		event,
		query,
		scope,
		rest: others,
		lists: Object.fromEntries(packed),
	} as const;
	return { ...state, sum: sumOf(state) };
}

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

/** The lists as they were stored, with so many characters for each value. */
export const openLists = (state: State | undefined, width: number): Lists =>
	new Map(
		Object.entries(state?.lists ?? {}).map(([account, packed]) => [account, unpack(packed, width)]),
	);

/**
 * Hundreds of clients may have a list each, so values that are as in a usual list are not stored.
 */
function pack({ list, readAt, pause: rests, awaySince }: RememberedList): JsonRecord {
	const plain = { ...list, seen: list.seen.text };
	const paused = rests?.of === 'list' ? without(rests, 'of') : rests;
	return withoutUsual({ ...plain, readAt, pause: paused, awaySince }, usualOf(list));
}

function unpack(packed: JsonRecord, width: number): RememberedList {
	const { readAt, pause: rests, awaySince, seen, ...list } = packed;
	const scan = isRecord(list.scan) ? list.scan : {};
	const whole = withUsual(list, usualOf({ scan: scan as Pick<ListState['scan'], 'kind'> }));
	return {
		list: { ...whole, seen: new Seen(String(seen ?? ''), width) } as unknown as ListState,
		readAt: Number(readAt),
		pause: isRecord(rests) ? ({ of: 'list', ...rests } as unknown as Pause) : undefined,
		awaySince: awaySince as number | undefined,
	};
}

/** The usual list: nothing is known about its ends, and no reading is in progress. */
function usualOf({
	scan,
}: {
	scan: Pick<ListState['scan'], 'kind'> & { existing?: unknown };
}): JsonRecord {
	const { scan: first, ...usual } = freshList(
		{ width: 0, now: 0 },
		{ after: 'unset', emits: 'nothing' },
	);
	// A list that has only been read for a day was usually read to its end.
	const isFirstDay = isRecord(scan.existing) && scan.existing.kind === 'firstDay';
	const existing = isFirstDay
		? { kind: 'firstDay', readTo: 'end', isDoubtful: false }
		: { kind: 'none' };
	const check = { kind: 'check', pass: first.pass, pace: 'usual', existing, emits: 'nothing' };
	return { ...usual, seen: '', scan: scan.kind === 'first' ? first : check };
}

function withoutUsual(value: JsonRecord, usual: JsonRecord): JsonRecord {
	const kept = Object.entries(value).flatMap(([name, one]): Array<[string, unknown]> => {
		const other = usual[name];
		// `kind` is always stored, because it says which fields a union's arm has.
		const isUsual = name !== 'kind' && areSame(one, other);
		if (one === undefined || isUsual) return [];
		return [[name, areAlike(one, other) ? withoutUsual(asRecord(one), asRecord(other)) : one]];
	});
	return Object.fromEntries(kept);
}

function withUsual(packed: JsonRecord, usual: JsonRecord): JsonRecord {
	const names = new Set([...Object.keys(usual), ...Object.keys(packed)]);
	const all = [...names].map((name): [string, unknown] => {
		const one = packed[name];
		const other = usual[name];
		if (one === undefined) return [name, other];
		return [name, areAlike(one, other) ? withUsual(asRecord(one), asRecord(other)) : one];
	});
	return Object.fromEntries(all);
}

const areSame = (one: unknown, other: unknown): boolean =>
	typeof one === 'object' ? canonical(one) === canonical(other) : one === other;

/** Only objects of the same kind have the same fields. */
const areAlike = (one: unknown, other: unknown): boolean =>
	isRecord(one) && isRecord(other) && one.kind === other.kind;

const asRecord = (value: unknown): JsonRecord => (isRecord(value) ? value : {});
