/**
 * n8n's "Retry On Fail" and "Retry execution" run the whole node again on all items. The ledger keeps
 * the outcomes of earlier attempts in the node's context of the execution: which writes were carried
 * out, which failed and with which answer, and which may have succeeded.
 *
 * It is stored with the execution, so it has to be small. Results are packed (`packedRecords.ts`), up
 * to a limit for all of them. Beyond it only the ID is kept, or the fact that there was a result. The
 * ledger is deleted once every item has succeeded.
 */
import { isRecord, type JsonRecord } from '../../api/schemas';
import type { FailedAttempt, LedgerEntry } from './entries';
import { addId, addItem, canPack, hasItem, idOf, type Range, type Segment } from './packedIds';
import { emptyPacked, PackedRecords, type Packed } from './packedRecords';
import { failureFrom, recordOf, shortened } from './storedFailure';
import { keepRunOf, runOfCall, type ToolCall } from './toolCall';

/** Limit for the results that a read could also return, in bytes. */
const MAX_READABLE_BYTES = 32_000;
/** Limit for all results and IDs: in total for up to 10,000 items, and per item for more. */
const MAX_RESULT_BYTES = 289_000;
const RESULT_BYTES_PER_ITEM = 28.9;
/** Reserved for each remaining item, so that its ID can always be kept. */
const ID_BYTES = 22;
/** Limit for failures: per failure, and what all of them may take in addition. */
const FAILURE_BYTES_PER_ITEM = 110;
const EXTRA_FAILURE_BYTES = 64_000;
const MAX_FAILURE_BYTES = 8_000;

interface Done {
	readonly result: JsonRecord;
	/** Whether a read can return the result again. */
	readonly readable: boolean;
	/** The texts that the item contains (`itemTexts.ts`). */
	readonly itemTexts: () => readonly string[];
	/** The number of items in the batch. */
	readonly size: number;
}

interface StoredRun {
	/** Bytes of results and IDs. */
	used: number;
	results: Packed;
	ids: Segment[];
	/** IDs that are not UUIDs. */
	otherIds: Packed;
	doneOnly: Range[];
	failed: Packed;
	/** The hash of the tool call that it began with. */
	call?: string;
}

interface Stored {
	seed: string;
	runs: { [run: string]: StoredRun };
}

const SLOT = 'leadGenPublishingWrites';

const emptyRun = (): StoredRun => ({
	used: 0,
	results: emptyPacked(),
	ids: [],
	otherIds: emptyPacked(),
	doneOnly: [],
	failed: emptyPacked(),
});

/** Calls that share a run may overlap; each row is written as its difference from the last one. */
const ledgers = new WeakMap<StoredRun, Ledger>();

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

	/** `run` distinguishes the operations of a node, and its runs in a loop. */
	static open(
		context: JsonRecord,
		{ seed, run, call }: { seed: string; run: string; call?: ToolCall },
	): Ledger {
		const found = context[SLOT];
		const stored: Stored = isStored(found) ? found : { seed, runs: {} };
		context[SLOT] = stored;
		const { runs } = stored;
		const name = call === undefined ? run : runOfCall(runs, run, call);
		const kept = (runs[name] ??= { ...emptyRun(), call: call?.hash });
		const ledger = (call && ledgers.get(kept)) ?? new Ledger(context, stored, { name, kept });
		if (call !== undefined) {
			keepRunOf(call, kept);
			ledgers.set(kept, ledger);
		}
		return ledger;
	}

	get runName(): string {
		return this.run.name;
	}

	get seed(): string {
		return this.stored.seed;
	}

	/** Calls `itemTexts` only if a result is stored. */
	entry(item: number, itemTexts: () => readonly string[]): LedgerEntry | undefined {
		const { kept } = this.run;
		if (this.results.has(item)) {
			const result = this.results.get(item, itemTexts());
			if (result !== undefined) return { state: 'done', result };
			const id = this.results.idOf(item);
			return id === undefined ? { state: 'doneOnly' } : { state: 'doneById', id };
		}
		const id = idOf(kept.ids, item) ?? this.otherIds.get(item)?.id;
		if (typeof id === 'string') return { state: 'doneById', id };
		if (hasItem(kept.doneOnly, item)) return { state: 'doneOnly' };
		const attempt = this.failure(item);
		return attempt && { state: 'failed', ...attempt };
	}

	/** The failures of this run, in the order of the items. */
	*failures(): Generator<[item: number, attempt: FailedAttempt]> {
		for (const item of this.failed.items) {
			const attempt = this.isDone(item) ? undefined : this.failure(item);
			if (attempt !== undefined) yield [item, attempt];
		}
	}

	refusals(item: number): number {
		return this.failure(item)?.refusals ?? 0;
	}

	setDone(item: number, { result, readable, itemTexts, size }: Done): void {
		const { kept } = this.run;
		const left = Math.max(MAX_RESULT_BYTES, RESULT_BYTES_PER_ITEM * size) - kept.used;
		const remaining = size - item - 1;
		const room = left - ID_BYTES * remaining;
		const share = left / (remaining + 1);
		// References to the item's texts are a last resort, because the parameters may change.
		const written =
			readable && typeof result.id === 'string'
				? this.results.set(item, result, { maxBytes: MAX_READABLE_BYTES - kept.used })
				: (this.results.set(item, result, { maxBytes: share }) ??
					this.results.set(item, result, { maxBytes: room, itemTexts: itemTexts() }));
		kept.used += written ?? this.keepId(item, result.id);
	}

	/** Keeps only the ID; returns the bytes written. */
	private keepId(item: number, id: unknown): number {
		const { ids, doneOnly } = this.run.kept;
		if (canPack(id)) {
			addId(ids, item, id);
			return ID_BYTES;
		}
		const { bytes } = this.otherIds;
		if (typeof id === 'string') this.otherIds.set(item, { id });
		else addItem(doneOnly, item);
		return this.otherIds.bytes - bytes;
	}

	setFailed(item: number, attempt: FailedAttempt): void {
		const room =
			EXTRA_FAILURE_BYTES + FAILURE_BYTES_PER_ITEM * (this.failed.size + 1) - this.failed.bytes;
		const maxBytes = Math.min(room, MAX_FAILURE_BYTES);
		if (this.failed.set(item, recordOf(attempt), { maxBytes }) === undefined)
			this.failed.set(item, recordOf(shortened(attempt)));
	}

	get isEmpty(): boolean {
		const { ids, doneOnly } = this.run.kept;
		return (
			[this.results, this.otherIds, this.failed].every(({ size }) => size === 0) &&
			ids.length + doneOnly.length === 0
		);
	}

	/** Deletes what was kept for retries. */
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
