/**
 * The states of a node's items, kept as plain JSON in its execution context, because n8n's "Retry
 * On Fail" and "Retry execution" run the whole node again. They are deleted once every item has
 * succeeded.
 *
 * A row is small: for a completed item, only the ID of its record is kept, and the record is read
 * again. The process that completed it still has the record itself. `keptRow.ts` bounds all rows in sum.
 */
import { randomUUID } from 'crypto';

import { isRecord, type JsonRecord } from '../../api/schemas';
import type { ItemState } from './itemState';
import { fittingRow, sizeOf, type Row } from './keptRow';

export interface StoredRun {
	/** The hash of the tool call that it began with. */
	readonly call?: string;
	/** By the number of the item. */
	readonly rows: Record<string, Row>;
}

interface Stored {
	readonly version: typeof VERSION;
	/** Random, because n8n may reuse execution numbers. Idempotency keys are made from it. */
	readonly seed: string;
	readonly runs: Record<string, StoredRun>;
}

const SLOT = 'leadGenPublishingWrites';
const VERSION = 1;

/** The results of this process, by run and item. */
const results = new WeakMap<StoredRun, Map<number, JsonRecord>>();

export class Ledger {
	/** Of all rows of the node, in characters. */
	private size: number;

	private constructor(
		private readonly context: JsonRecord,
		private readonly stored: Stored,
		/** Distinguishes a node's operations, its runs in a loop, and the calls of a tool. */
		readonly runName: string,
	) {
		this.size = sizeOf(stored);
	}

	/** `nameFor` chooses the name of the run, given the stored ones. */
	static open(context: JsonRecord, nameFor: (runs: Stored['runs']) => string): Ledger {
		const found = context[SLOT];
		const stored: Stored = isStored(found)
			? found
			: { version: VERSION, seed: randomUUID(), runs: {} };
		context[SLOT] = stored;
		return new Ledger(context, stored, nameFor(stored.runs));
	}

	get seed(): string {
		return this.stored.seed;
	}

	/**
	 * The current run. It begins if it does not exist, or if a call that shares it has cleared it.
	 * `call` is the hash of a tool call.
	 */
	run(call?: string): StoredRun {
		return (this.stored.runs[this.runName] ??= { call, rows: {} });
	}

	state(item: number): ItemState {
		return this.run().rows[item] ?? { kind: 'untouched' };
	}

	/** How often the item was finally rejected. */
	refusals(item: number): number {
		const state = this.state(item);
		return 'refusals' in state ? state.refusals : 0;
	}

	set(item: number, row: Row): void {
		const { rows } = this.run();
		const others = this.size - sizeOf(rows[item]);
		const kept = fittingRow(row, others);
		rows[item] = kept;
		this.size = others + sizeOf(kept);
	}

	/** Keeps the result of an item, as long as this process knows the execution. */
	remember(item: number, result: JsonRecord): void {
		const run = this.run();
		const known = results.get(run) ?? new Map<number, JsonRecord>();
		results.set(run, known.set(item, result));
	}

	remembered(item: number): JsonRecord | undefined {
		return results.get(this.run())?.get(item);
	}

	get isEmpty(): boolean {
		return Object.keys(this.run().rows).length === 0;
	}

	/** Deletes what was kept for retries. */
	clear(): void {
		delete this.stored.runs[this.runName];
		if (Object.keys(this.stored.runs).length === 0) delete this.context[SLOT];
	}
}

/** Whether an attempt of this node has left a state of any item. */
export function hasStates({ [SLOT]: stored }: JsonRecord): boolean {
	return (
		isStored(stored) && Object.values(stored.runs).some(({ rows }) => Object.keys(rows).length > 0)
	);
}

/** The stored object itself is used, because a tool call recognizes its run by object identity. */
const isStored = (value: unknown): value is Stored =>
	isRecord(value) &&
	value.version === VERSION &&
	typeof value.seed === 'string' &&
	isRecord(value.runs);
