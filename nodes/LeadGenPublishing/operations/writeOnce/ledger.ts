/**
 * n8n's "Retry On Fail" and "Retry execution" run the whole node again on all items. This is the
 * memory, kept in the node's context of the execution, of what earlier attempts came to: which
 * writes were carried out, which failed and by what answer, and which may have succeeded.
 *
 * It is stored with the execution, so it stays small. Results are packed (`packedRecords.ts`), and
 * there is a limit for all of them: beyond it the ID alone is kept, and of a result without one
 * only that there was one. Nothing is kept once every item has succeeded.
 */
import type { FailureFacts } from '../../api/failure';
import { isRecord, type JsonRecord } from '../../api/schemas';
import { addId, addItem, canPack, hasItem, idOf, type Range, type Segment } from './packedIds';
import { nothingPacked, PackedRecords, type Packed } from './packedRecords';
import { failureFrom, recordOf, shortened } from './storedFailure';

/** Bytes of results that a read could give again. */
const READABLE_RESULTS = 32_000;
/** Bytes of all results and IDs: for a batch of up to 10,000 items, and for each one of more. */
const RESULTS = 285_000;
const RESULT_OF_MANY = 28.5;
/** What is set aside for each item still to come, so that its ID is kept in any case. */
const ONE_ID = 22;
/** Bytes of failures: what each of them may take, and what all may take beyond that. */
const ONE_FAILURE = 110;
const FAILURES = 64_000;
const LONGEST_FAILURE = 8_000;

/** A write as it was sent; one that may have succeeded is repeated exactly so, or not at all. */
export interface SentRequest {
	readonly fingerprint: string;
	readonly etag?: string;
	readonly key?: string;
}

export interface FailedAttempt {
	/** The execution that got the answer. */
	readonly execution: string;
	readonly facts: FailureFacts;
	/** Set when this or an earlier attempt may have succeeded, with or without an idempotency key. */
	readonly mayHaveSucceeded?: 'keyed' | 'unkeyed';
	/** The last write that went out. */
	readonly request?: SentRequest;
	/** How often it was certainly refused: each time, a further execution makes another key. */
	readonly refusals: number;
}

export type Entry =
	| { readonly state: 'done'; readonly result: JsonRecord }
	| { readonly state: 'doneById'; readonly id: string }
	/** Its result is not to be had any more. */
	| { readonly state: 'doneOnly' }
	| ({ readonly state: 'failed' } & FailedAttempt);

interface Done {
	readonly result: JsonRecord;
	/** Whether a read gives the result again. */
	readonly readable: boolean;
	/** What the item itself gives (`itemTexts.ts`). */
	readonly given: () => readonly string[];
	/** The number of items in the batch. */
	readonly size: number;
}

interface StoredRun {
	/** Bytes of results and IDs. */
	used: number;
	results: Packed;
	ids: Segment[];
	/** IDs that are no UUIDs. */
	otherIds: Packed;
	doneOnly: Range[];
	failed: Packed;
}

interface Stored {
	seed: string;
	runs: { [run: string]: StoredRun };
}

const SLOT = 'leadGenPublishingWrites';

const emptyRun = (): StoredRun => ({
	used: 0,
	results: nothingPacked(),
	ids: [],
	otherIds: nothingPacked(),
	doneOnly: [],
	failed: nothingPacked(),
});

export class Ledger {
	private readonly results: PackedRecords;
	private readonly otherIds: PackedRecords;
	private readonly failed: PackedRecords;

	private constructor(
		private readonly context: JsonRecord,
		private readonly stored: Stored,
		private readonly run: { readonly name: string; readonly kept: StoredRun },
	) {
		this.results = new PackedRecords(run.kept.results);
		this.otherIds = new PackedRecords(run.kept.otherIds);
		this.failed = new PackedRecords(run.kept.failed);
	}

	/** `run` tells the runs of a node in a loop, and its operations, apart. */
	static open(context: JsonRecord, { seed, run }: { seed: string; run: string }): Ledger {
		const found = context[SLOT];
		const stored: Stored = isStored(found) ? found : { seed, runs: {} };
		context[SLOT] = stored;
		const kept = (stored.runs[run] ??= emptyRun());
		return new Ledger(context, stored, { name: run, kept });
	}

	get seed(): string {
		return this.stored.seed;
	}

	/** `given` is asked only where a result is made from it. */
	entry(item: number, given: () => readonly string[]): Entry | undefined {
		const { kept } = this.run;
		if (this.results.has(item)) {
			const result = this.results.get(item, given());
			return result === undefined ? { state: 'doneOnly' } : { state: 'done', result };
		}
		const id = idOf(kept.ids, item) ?? this.otherIds.get(item)?.id;
		if (typeof id === 'string') return { state: 'doneById', id };
		if (hasItem(kept.doneOnly, item)) return { state: 'doneOnly' };
		const attempt = this.failure(item);
		return attempt && { state: 'failed', ...attempt };
	}

	/** Those of this run, in the order of the items. */
	*failures(): Generator<[item: number, attempt: FailedAttempt]> {
		for (const item of this.failed.items) {
			const attempt = this.isDone(item) ? undefined : this.failure(item);
			if (attempt !== undefined) yield [item, attempt];
		}
	}

	refusals(item: number): number {
		return this.failure(item)?.refusals ?? 0;
	}

	done(item: number, { result, readable, given, size }: Done): void {
		const { kept } = this.run;
		const left = Math.max(RESULTS, RESULT_OF_MANY * size) - kept.used;
		const toCome = Math.max(0, size - item - 1);
		const room = left - ONE_ID * toCome;
		const share = Math.min(room, left / (toCome + 1));
		// What the parameters give is counted on only where there is no room for it: they may change.
		const taken = readable
			? this.results.set(item, result, { most: Math.min(room, READABLE_RESULTS - kept.used) })
			: (this.results.set(item, result, { most: share }) ??
				this.results.set(item, result, { most: room, given: given() }));
		kept.used += taken ?? this.keepId(item, result.id);
	}

	/** The ID alone; what it took. */
	private keepId(item: number, id: unknown): number {
		const { ids, doneOnly } = this.run.kept;
		if (canPack(id)) {
			addId(ids, item, id);
			return ONE_ID;
		}
		if (typeof id === 'string') return this.otherIds.set(item, { id }) ?? 0;
		addItem(doneOnly, item);
		return 0;
	}

	setFailed(item: number, attempt: FailedAttempt): void {
		const room = FAILURES + ONE_FAILURE * (this.failed.size + 1) - this.failed.bytes;
		const most = Math.min(room, LONGEST_FAILURE);
		if (this.failed.set(item, recordOf(attempt), { most }) === undefined)
			this.failed.set(item, recordOf(shortened(attempt)));
	}

	/** Nothing is left to retry: what was kept for it goes. */
	clear(): void {
		delete this.stored.runs[this.run.name];
		if (Object.keys(this.stored.runs).length === 0) delete this.context[SLOT];
	}

	private failure(item: number): FailedAttempt | undefined {
		const record = this.failed.get(item);
		return record && failureFrom(record);
	}

	private isDone(item: number): boolean {
		const { ids, doneOnly } = this.run.kept;
		return (
			this.results.has(item) ||
			idOf(ids, item) !== undefined ||
			this.otherIds.has(item) ||
			hasItem(doneOnly, item)
		);
	}
}

const isStored = (value: unknown): value is Stored =>
	isRecord(value) && typeof value.seed === 'string' && isRecord(value.runs);
