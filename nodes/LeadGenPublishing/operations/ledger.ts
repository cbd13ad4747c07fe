/**
 * n8n's "Retry On Fail" and "Retry Execution" run the whole node again on all items. This is the
 * memory, kept in the node's context of the execution, of which writes an earlier try has already
 * carried out (they are not sent again), which it left open (they are not sent again either),
 * and which were certainly refused (they may be).
 *
 * It is stored with the execution, so it stays small: whole results up to a budget, beyond that
 * the ID alone, and nothing at all once every item has succeeded.
 */
import { isRecord, type JsonRecord } from '../api/schemas';

const BUDGET = 64_000;

export type Entry =
	| { readonly state: 'done'; readonly result: JsonRecord }
	| { readonly state: 'doneById'; readonly id: string }
	| { readonly state: 'open'; readonly message: string }
	| { readonly state: 'refused'; readonly times: number }
	/** Sent with an idempotency key, fate unknown: to be repeated with exactly that key. */
	| { readonly state: 'unsettled'; readonly times: number };

interface Stored {
	seed: string;
	used: number;
	entries: { [key: string]: Entry };
}

const SLOT = 'leadGenPublishingWrites';

export class Ledger {
	private constructor(
		private readonly context: JsonRecord,
		private readonly stored: Stored,
	) {}

	static open(context: JsonRecord, seed: string): Ledger {
		const found = context[SLOT];
		const stored: Stored = isStored(found) ? found : { seed, used: 0, entries: {} };
		context[SLOT] = stored;
		return new Ledger(context, stored);
	}

	get seed(): string {
		return this.stored.seed;
	}

	entry(key: string): Entry | undefined {
		return this.stored.entries[key];
	}

	refusals(key: string): number {
		const entry = this.entry(key);
		return entry?.state === 'refused' || entry?.state === 'unsettled' ? entry.times : 0;
	}

	done(key: string, result: JsonRecord): void {
		const size = JSON.stringify(result).length;
		const { id } = result;
		if (this.stored.used + size <= BUDGET || typeof id !== 'string') {
			this.stored.used += size;
			this.stored.entries[key] = { state: 'done', result: structuredClone(result) };
		} else {
			this.stored.entries[key] = { state: 'doneById', id };
		}
	}

	open(key: string, message: string): void {
		this.stored.entries[key] = { state: 'open', message };
	}

	unsettled(key: string): void {
		this.stored.entries[key] = { state: 'unsettled', times: this.refusals(key) };
	}

	/** A later refusal does not tell what an unsettled try did, so its key stays. */
	refused(key: string): void {
		if (this.entry(key)?.state === 'unsettled') return;
		this.stored.entries[key] = { state: 'refused', times: this.refusals(key) + 1 };
	}

	/** Nothing is left to retry: what was kept for it goes. */
	clear(prefix: string): void {
		for (const key of Object.keys(this.stored.entries)) {
			if (key.startsWith(prefix)) delete this.stored.entries[key];
		}
		this.stored.used = Object.values(this.stored.entries)
			.map((entry) => (entry.state === 'done' ? JSON.stringify(entry.result).length : 0))
			.reduce((sum, size) => sum + size, 0);
		if (Object.keys(this.stored.entries).length === 0) delete this.context[SLOT];
	}
}

const isStored = (value: unknown): value is Stored =>
	isRecord(value) &&
	typeof value.seed === 'string' &&
	typeof value.used === 'number' &&
	isRecord(value.entries);
