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

import type { FailureFacts } from '../api/failure';
import { isRecord, type JsonRecord } from '../api/schemas';
import { without } from '../api/without';

/** A write as it was sent. One that may have succeeded is repeated unchanged, or not at all. */
export interface SentRequest {
	readonly fingerprint: string;
	readonly etag?: string;
	readonly key?: string;
	/** By what a created record can be recognised, and when the answer was lost, in ms. */
	readonly recognisedBy?: string;
	readonly lostAt?: number;
}

export interface FailedAttempt {
	/** The execution that received the answer. */
	readonly execution: string;
	readonly facts: FailureFacts;
	/** Set when this or an earlier attempt may have succeeded, with or without an idempotency key. */
	readonly mayHaveSucceeded?: 'keyed' | 'unkeyed';
	/** The last write that was sent. */
	readonly request?: SentRequest;
	/** How often it was certainly refused: after each time, a further execution uses a new key. */
	readonly refusals: number;
	/** The client that it was for; undefined for the own account. */
	readonly clientId?: string;
}

export interface Done {
	/** A hash of the account and of all parameters that decide what is sent. */
	readonly given: string;
	readonly clientId?: string;
	readonly result?: JsonRecord;
	/** Instead of the result, if there is no room for it. */
	readonly id?: string;
}

export type LedgerEntry =
	| { readonly state: 'done'; readonly done: Done }
	/** Nothing but the fact is known. */
	| { readonly state: 'doneOnly' }
	| { readonly state: 'failed'; readonly attempt: FailedAttempt }
	/** It may have succeeded, and nothing else is known of it. */
	| { readonly state: 'inDoubt' };

const IN_DOUBT = 'in doubt';

/** `client`: a place in the run's list, since many items are for the same one. */
type Row =
	| (Omit<Done, 'clientId'> & { readonly client?: number })
	| (Omit<FailedAttempt, 'clientId'> & { readonly client?: number })
	| typeof IN_DOUBT;

export interface StoredRun {
	/** The hash of the tool call that it began with. */
	readonly call?: string;
	readonly rows: { [item: string]: Row };
	/** The first and the last of consecutive items that were carried out, and have no row. */
	readonly facts: Array<[first: number, last: number]>;
	readonly clients: string[];
	bytes: number;
}

interface Stored {
	/** At random, because n8n may count its executions anew: idempotency keys are made of it. */
	readonly seed: string;
	readonly runs: { [name: string]: StoredRun };
}

const SLOT = 'leadGenPublishingWrites';
const MAX_BYTES = 1_000_000;
/** Left free for each item that is still to come, so that its ID can be kept. */
const BYTES_PER_ITEM = 85;
const MAX_TEXT = 300;

export class Ledger {
	private constructor(
		private readonly context: JsonRecord,
		private readonly stored: Stored,
		private readonly batch: { readonly name: string; readonly size: number },
	) {}

	/** `nameFor` chooses the run among those that are there; `size` is the number of items in it. */
	static open(
		context: JsonRecord,
		{
			nameFor,
			call,
			size,
		}: { nameFor: (runs: Stored['runs']) => string; call?: string; size: number },
	): Ledger {
		const found = context[SLOT];
		const stored: Stored = isStored(found) ? found : { seed: randomUUID(), runs: {} };
		context[SLOT] = stored;
		const name = nameFor(stored.runs);
		stored.runs[name] ??= { call, rows: {}, facts: [], clients: [], bytes: 0 };
		return new Ledger(context, stored, { name, size });
	}

	/** Tells apart the operations of a node, its runs in a loop, and the calls of a tool. */
	get runName(): string {
		return this.batch.name;
	}

	get seed(): string {
		return this.stored.seed;
	}

	/** A call that shares the run may have cleared it. */
	get run(): StoredRun {
		return (this.stored.runs[this.runName] ??= { rows: {}, facts: [], clients: [], bytes: 0 });
	}

	entry(item: number): LedgerEntry | undefined {
		const { rows, facts, clients } = this.run;
		const { [item]: row } = rows;
		if (row === undefined)
			return facts.some(([first, last]) => first <= item && item <= last)
				? { state: 'doneOnly' }
				: undefined;
		if (row === IN_DOUBT) return { state: 'inDoubt' };
		const { client, ...entry } = row;
		const clientId = client === undefined ? undefined : clients[client];
		return 'facts' in entry
			? { state: 'failed', attempt: { ...entry, clientId } }
			: { state: 'done', done: { ...entry, clientId } };
	}

	/** The failures of this run, in the order of the items. */
	*failures(): Generator<[item: number, attempt: FailedAttempt]> {
		// JavaScript keeps such names in the order of their numbers.
		for (const item of Object.keys(this.run.rows).map(Number)) {
			const entry = this.entry(item);
			if (entry?.state === 'failed') yield [item, entry.attempt];
		}
	}

	refusals(item: number): number {
		const entry = this.entry(item);
		return entry?.state === 'failed' ? entry.attempt.refusals : 0;
	}

	setDone(item: number, { result, ...how }: Done & { readonly result: JsonRecord }): void {
		const { id } = result;
		const row = this.rowOf(how);
		if (this.write(item, { ...row, result }, this.reserveAfter(item))) return;
		if (typeof id === 'string' && this.write(item, { ...row, id })) return;
		this.erase(item);
		const { facts } = this.run;
		const last = facts.at(-1);
		if (last !== undefined && last[1] + 1 === item) last[1] = item;
		else facts.push([item, item]);
	}

	setFailed(item: number, attempt: FailedAttempt): void {
		const row = this.rowOf(attempt);
		const reserve = this.reserveAfter(item);
		if (this.write(item, row, reserve) || this.write(item, shortened(row), reserve)) return;
		this.erase(item);
		// One that certainly failed simply runs again.
		if (attempt.mayHaveSucceeded !== undefined) this.write(item, IN_DOUBT, -Infinity);
	}

	get isEmpty(): boolean {
		const { rows, facts } = this.run;
		return facts.length === 0 && Object.keys(rows).length === 0;
	}

	/** Deletes what was kept for retries. */
	clear(): void {
		delete this.stored.runs[this.runName];
		if (Object.keys(this.stored.runs).length === 0) delete this.context[SLOT];
	}

	private rowOf<T extends { readonly clientId?: string }>({ clientId, ...row }: T) {
		if (clientId === undefined) return row;
		const { run } = this;
		const { clients } = run;
		if (!clients.includes(clientId)) {
			clients.push(clientId);
			run.bytes += clientId.length;
		}
		return { ...row, client: clients.indexOf(clientId) };
	}

	private readonly reserveAfter = (item: number): number =>
		BYTES_PER_ITEM * (this.batch.size - item - 1);

	/** Returns false, and leaves the row as it was, if this one would not leave the reserve free. */
	private write(item: number, row: Row, reserve = 0): boolean {
		const { run } = this;
		const used = Object.values(this.stored.runs).reduce((sum, { bytes }) => sum + bytes, 0);
		const bytes = bytesOf(item, row);
		if (used - bytesOf(item, run.rows[item]) + bytes + reserve > MAX_BYTES) return false;
		this.erase(item);
		// A copy, since the nodes after this one may change what they are given.
		run.rows[item] = JSON.parse(JSON.stringify(row)) as Row;
		run.bytes += bytes;
		return true;
	}

	private erase(item: number): void {
		const { run } = this;
		run.bytes -= bytesOf(item, run.rows[item]);
		delete run.rows[item];
	}
}

const isStored = (value: unknown): value is Stored =>
	isRecord(value) && typeof value.seed === 'string' && isRecord(value.runs);

const bytesOf = (item: number, row: Row | undefined): number =>
	row === undefined ? 0 : Buffer.byteLength(JSON.stringify({ [item]: row }));

/** Without the service's details, and with truncated texts. */
function shortened<T extends { readonly facts: FailureFacts }>(row: T): T {
	const facts = without(row.facts, 'found', 'serviceDetails', 'panel');
	const texts = Object.entries(facts).flatMap(([name, value]: [string, unknown]) =>
		typeof value === 'string' ? [[name, value.slice(0, MAX_TEXT)]] : [],
	);
	return { ...row, facts: { ...facts, ...Object.fromEntries(texts) } };
}
