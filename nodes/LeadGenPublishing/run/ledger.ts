/**
 * n8n's "Retry On Fail" and "Retry execution" run the whole node again on all items. The ledger says
 * what became of each item in the attempts before: it was carried out, or it failed, and may have
 * succeeded nevertheless. It stands in the node's context of the execution, as plain JSON that n8n
 * stores, and goes once every item has succeeded.
 *
 * All runs of the node together take at most a megabyte. Where it is used up, an item that was carried
 * out keeps its ID alone, then the mere fact; a failure keeps what decides, then the mere doubt.
 */
import { randomUUID } from 'crypto';

import * as z from 'zod/v4-mini';

import type { FailureFacts } from '../api/failure';
import { isRecord, type JsonRecord, without } from '../api/schemas';
import type { SentRequest } from '../operations/define';

const failedAttempt = z.object({
	/** The execution that received the answer. */
	execution: z.string(),
	facts: z.custom<FailureFacts>(isRecord),
	/** Set when this or an earlier attempt may have succeeded, with or without an idempotency key. */
	mayHaveSucceeded: z.optional(z.enum(['keyed', 'unkeyed'])),
	/** The last write that was sent. */
	request: z.optional(z.custom<SentRequest>(isRecord)),
	/** How often it was certainly refused: after each time, a further execution uses a new key. */
	refusals: z.number(),
	/** The client that it was for; undefined for the own account. */
	clientId: z.optional(z.string()),
});
export type FailedAttempt = Readonly<z.infer<typeof failedAttempt>>;

/** An item that was carried out. Nothing of it is known if there was no room. */
const done = z.object({
	/** A hash of the account and of all parameters that decide what is sent. */
	given: z.optional(z.string()),
	clientId: z.optional(z.string()),
	result: z.optional(z.custom<JsonRecord>(isRecord)),
	/** Instead of the result. */
	id: z.optional(z.string()),
});
export type Done = Readonly<z.infer<typeof done>>;

/** A failure that may have succeeded, and of which nothing else is known. */
const IN_DOUBT = 'in doubt';
type Row = Done | FailedAttempt | typeof IN_DOUBT;

const storedRun = z.object({
	/** The hash of the tool call that it began with. */
	call: z.optional(z.string()),
	/** By the number of the item. */
	rows: z.record(z.string(), z.union([z.literal(IN_DOUBT), failedAttempt, done])),
	/** The first and the last of consecutive items that were carried out, and have no row. */
	facts: z.array(z.tuple([z.number(), z.number()])),
	bytes: z.number(),
});
export type StoredRun = z.infer<typeof storedRun>;

const STORED = z.object({
	/** At random, because n8n may count its executions anew: idempotency keys are made of it. */
	seed: z.string(),
	runs: z.record(z.string(), storedRun),
});
type Stored = z.infer<typeof STORED>;

const SLOT = 'leadGenPublishingWrites';
const MAX_BYTES = 1_000_000;
/** Left free for each item that is still to come, so that its ID can be kept. */
const BYTES_PER_ID = 85;

export class Ledger {
	private constructor(
		private readonly context: JsonRecord,
		readonly stored: Stored,
		/** Tells apart a node's operations, its runs in a loop, and the calls of a tool. */
		readonly runName: string,
		private readonly size: number,
	) {}

	/** `nameFor` chooses the run among those that are there; `size` is the number of items in it. */
	static open(
		context: JsonRecord,
		{ nameFor, size }: { nameFor: (runs: Stored['runs']) => string; size: number },
	): Ledger {
		const found = context[SLOT];
		const stored: Stored = isStored(found) ? found : { seed: randomUUID(), runs: {} };
		context[SLOT] = stored;
		return new Ledger(context, stored, nameFor(stored.runs), size);
	}

	/** Begins it, also where a call that shares it has cleared it; `call` is that of a tool. */
	run(call?: string): StoredRun {
		return (this.stored.runs[this.runName] ??= { call, rows: {}, facts: [], bytes: 0 });
	}

	entry(item: number): { done: Done } | { failed: FailedAttempt | undefined } | undefined {
		const { rows, facts } = this.run();
		const { [item]: row } = rows;
		if (row === IN_DOUBT) return { failed: undefined };
		if (row !== undefined) return 'facts' in row ? { failed: row } : { done: row };
		return facts.some(([first, last]) => first <= item && item <= last) ? { done: {} } : undefined;
	}

	failure(item: number): FailedAttempt | undefined {
		const entry = this.entry(item);
		return entry !== undefined && 'failed' in entry ? entry.failed : undefined;
	}

	setDone(item: number, { result, ...how }: Done & { readonly result: JsonRecord }): void {
		const { id } = result;
		if (this.write(item, { ...how, result }, this.reserveAfter(item))) return;
		if (typeof id === 'string' && this.write(item, { ...how, id }, 0)) return;
		this.erase(item);
		const { facts } = this.run();
		const last = facts.at(-1);
		if (last !== undefined && last[1] + 1 === item) last[1] = item;
		else facts.push([item, item]);
	}

	setFailed(item: number, attempt: FailedAttempt): void {
		const facts = without(attempt.facts, 'found', 'panel', 'serviceDetails', 'serviceMessage');
		const reserve = this.reserveAfter(item);
		if (this.write(item, attempt, reserve) || this.write(item, { ...attempt, facts }, reserve))
			return;
		// One that certainly failed simply runs again.
		if (attempt.mayHaveSucceeded === undefined) this.erase(item);
		else this.write(item, IN_DOUBT, -Infinity);
	}

	get isEmpty(): boolean {
		const { rows, facts } = this.run();
		return facts.length === 0 && Object.keys(rows).length === 0;
	}

	/** Deletes what was kept for retries. */
	clear(): void {
		delete this.stored.runs[this.runName];
		if (Object.keys(this.stored.runs).length === 0) delete this.context[SLOT];
	}

	private readonly reserveAfter = (item: number): number => BYTES_PER_ID * (this.size - item - 1);

	/** Returns false, and leaves the row as it was, if this one would not leave the reserve free. */
	private write(item: number, row: Row, reserve: number): boolean {
		const run = this.run();
		const used = Object.values(this.stored.runs).reduce((sum, { bytes }) => sum + bytes, 0);
		const added = bytesOf(item, row);
		if (used - bytesOf(item, run.rows[item]) + added + reserve > MAX_BYTES) return false;
		this.erase(item);
		// A copy, since the nodes after this one may change what they are given.
		run.rows[item] = JSON.parse(JSON.stringify(row)) as Row;
		run.bytes += added;
		return true;
	}

	private erase(item: number): void {
		const run = this.run();
		run.bytes -= bytesOf(item, run.rows[item]);
		delete run.rows[item];
	}
}

/** What is stored is used itself: a call of a tool knows its run by the object. */
const isStored = (value: unknown): value is Stored => STORED.safeParse(value).success;

const bytesOf = (item: number, row: Row | undefined): number =>
	row === undefined ? 0 : Buffer.byteLength(JSON.stringify({ [item]: row }));
