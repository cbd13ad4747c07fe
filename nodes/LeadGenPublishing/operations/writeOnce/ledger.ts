/**
 * n8n's "Retry On Fail" and "Retry execution" run the whole node again on all items. This is the
 * memory, kept in the node's context of the execution, of what earlier attempts came to: which
 * writes were carried out, which failed and by what answer, and which may have succeeded.
 *
 * It is stored with the execution, so it stays small: whole results up to a budget, beyond that the
 * packed ID alone where the result can be had again by it, or nothing but the item's number where
 * the parameters give it. What nothing else can give again is kept whole. Nothing is kept once every
 * item has succeeded.
 */
import type { FailureFacts } from '../../api/failure';
import { isRecord, type JsonRecord } from '../../api/schemas';
import { addId, addItem, canPack, hasItem, idOf, type Range, type Segment } from './packedIds';

/** Characters of whole results that a read could give again. */
const BUDGET = 32_000;
/** Characters of the service's details that are kept of one failure, and of all. */
const DETAILS_OF_ONE = 8_000;
const DETAILS_OF_ALL = 64_000;

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
	| { readonly state: 'doneByInput' }
	| ({ readonly state: 'failed' } & FailedAttempt);

/** How a result can be had again: by its ID, from the parameters, or not at all. */
export type Recall = 'id' | 'input' | 'none';

type Answer = Omit<FailureFacts, 'requestId'>;
type StoredFailure = Omit<FailedAttempt, 'facts'> & { answer: number; requestId?: string };

interface StoredRun {
	used: number;
	usedByDetails: number;
	ids: Segment[];
	done: Range[];
	results: { [item: string]: JsonRecord };
	failed: { [item: string]: StoredFailure };
	/** The facts of failures, but for the request ID: many items may get one answer. */
	answers: Answer[];
}

interface Stored {
	seed: string;
	runs: { [run: string]: StoredRun };
}

const SLOT = 'leadGenPublishingWrites';

const emptyRun = (): StoredRun => ({
	used: 0,
	usedByDetails: 0,
	ids: [],
	done: [],
	results: {},
	failed: {},
	answers: [],
});

export class Ledger {
	private readonly answerIndex: Map<string, number>;

	private constructor(
		private readonly context: JsonRecord,
		private readonly stored: Stored,
		private readonly run: { readonly name: string; readonly kept: StoredRun },
	) {
		this.answerIndex = new Map(
			run.kept.answers.map((answer, index) => [JSON.stringify(answer), index]),
		);
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

	entry(item: number): Entry | undefined {
		const { kept } = this.run;
		const result = kept.results[item];
		if (result !== undefined) return { state: 'done', result };
		const failed = kept.failed[item];
		if (failed !== undefined) return { state: 'failed', ...this.restored(failed) };
		if (hasItem(kept.done, item)) return { state: 'doneByInput' };
		const id = idOf(kept.ids, item);
		return id === undefined ? undefined : { state: 'doneById', id };
	}

	/** Those of this run, in the order of the items. */
	failures(): Array<[item: number, attempt: FailedAttempt]> {
		return Object.entries(this.run.kept.failed).map(([item, failed]) => [
			Number(item),
			this.restored(failed),
		]);
	}

	refusals(item: number): number {
		return this.run.kept.failed[item]?.refusals ?? 0;
	}

	done(item: number, result: JsonRecord, recall: Recall): void {
		const { kept } = this.run;
		delete kept.failed[item];
		if (recall === 'input') return addItem(kept.done, item);
		const { id } = result;
		const size = JSON.stringify(result).length;
		if (recall === 'id' && canPack(id) && kept.used + size > BUDGET)
			return addId(kept.ids, item, id);
		if (recall === 'id') kept.used += size;
		kept.results[item] = structuredClone(result);
	}

	failed(item: number, { facts, ...attempt }: FailedAttempt): void {
		const { requestId, ...answer } = facts;
		this.run.kept.failed[item] = { ...attempt, answer: this.indexOf(answer), requestId };
	}

	/** Nothing is left to retry: what was kept for it goes. */
	clear(): void {
		delete this.stored.runs[this.run.name];
		if (Object.keys(this.stored.runs).length === 0) delete this.context[SLOT];
	}

	private restored({ answer, requestId, ...attempt }: StoredFailure): FailedAttempt {
		const facts = this.run.kept.answers[answer] ?? UNKNOWN_FACTS;
		return { ...attempt, facts: requestId === undefined ? facts : { ...facts, requestId } };
	}

	private indexOf(answer: Answer): number {
		const { kept } = this.run;
		const text = JSON.stringify(answer);
		const known = this.answerIndex.get(text);
		if (known !== undefined) return known;
		const details = JSON.stringify(answer.serviceDetails ?? {}).length;
		if (
			answer.serviceDetails !== SHORTENED &&
			(details > DETAILS_OF_ONE || kept.usedByDetails + details > DETAILS_OF_ALL)
		)
			return this.indexOf({ ...answer, serviceDetails: SHORTENED });
		kept.usedByDetails += answer.serviceDetails === SHORTENED ? 0 : details;
		// A copy, and only what JSON keeps: it is stored with the execution.
		const index = kept.answers.push(JSON.parse(text) as Answer) - 1;
		this.answerIndex.set(text, index);
		return index;
	}
}

const SHORTENED = { shortened: true };

/** For what nobody should meet: a stored failure without its answer. */
const UNKNOWN_FACTS: FailureFacts = {
	kind: 'unreachable',
	endpoint: 'post.get',
	agency: false,
	retryable: false,
	attempts: 1,
	uncertain: true,
};

const isStored = (value: unknown): value is Stored =>
	isRecord(value) && typeof value.seed === 'string' && isRecord(value.runs);
