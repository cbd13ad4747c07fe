/**
 * What the trigger stores, as schemas. A stored state that does not fit them was not written by this
 * version, and counts as damaged. Pure.
 */
import * as z from 'zod/v4-mini';

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

const batch = z.object({
	at: number,
	/** How often it has been delivered. */
	times: number,
	/** By account, the hashes of the delivered records, and what was remembered of them before. */
	records: byName(z.array(z.tuple([number, z.nullable(text)]))),
});
export type Batch = Readonly<z.infer<typeof batch>>;

const mark = z.object({ process: text, batches: z.array(batch) });
export type Mark = Readonly<z.infer<typeof mark>>;

const list = z.object({
	/** How many records are known, for people who look at the state. */
	n: number,
	/** The records, as `Seen` writes them. */
	seen: text,
	progress,
	/** When it was last read, and why it is left alone for now. */
	readAt: number,
	pause: z.optional(pause),
	/** It is not watched at the moment. */
	isAway: z.optional(z.literal(true)),
});
export type StoredList = Readonly<z.infer<typeof list>>;

const rest = z.object({
	own: z.optional(own),
	mark: z.optional(mark),
	/** Failures that a later poll reports. */
	pending: z.array(z.object({ account: text, kind: text, message: text })),
	/** Words that posts have had as their status. */
	statuses: z.array(text),
	/** Short names of lists that were forgotten. */
	gone: z.array(text),
	/** A state was lost to damage: all lists that begin do so silently, or only those of own accounts. */
	lost: z.optional(z.enum(['all', 'own'])),
	/** How many polls in a row could not find out whose lists are watched. */
	unsure: z.optional(pause),
});
/** What stands beside the lists. */
export type Rest = Readonly<z.infer<typeof rest>>;

export const VERSION = 4;

export const STATE = z.object({
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
