/**
 * Whether the service keeps the unique keys of an account's records, as far as this process knows.
 * `trial.ts` finds out. What is found out about a lost key holds for a day.
 */
import { keyFrom } from '../../api/identifiers';
import type { RecordKind } from './keyedRecord';
import { Turns } from './turns';

const DAY_MS = 24 * 60 * 60_000;

/**
 * What this process knows about the keys of an account.
 *
 * @doubt notesKept
 */
export class KeptKeys {
	/** The longest fields that were seen with their key. */
	private upTo = -Infinity;
	private lost: { readonly from: number; readonly at: number; readonly id: unknown } | undefined;

	isKnownFor(length: number): boolean {
		return length <= this.upTo;
	}

	/** A record with fields of this length has its key. A loss stays known: it may be of some keys only. */
	saw(length: number): void {
		this.upTo = Math.max(this.upTo, length);
	}

	/** `cutTo`: the length up to which the service keeps the fields. 0 if it has not just cut them off. */
	sawLost(
		{ length, cutTo }: { length: number; cutTo: number },
		lost: { id: unknown; at: number },
	): void {
		// Fields of this length were seen with their key, but now it is lost. So nothing is known.
		if (length <= this.upTo) this.upTo = -Infinity;
		const from = Math.max(this.upTo, cutTo) + 1;
		this.lost = { ...lost, from: Math.min(from, this.lost?.from ?? Infinity) };
	}

	/** The ID of the record that has lost its key, if fields of this length would lose it too. */
	lostBy(length: number, now: number): { readonly id: unknown } | undefined {
		const { lost } = this;
		const holds = lost !== undefined && now >= lost.at && now - lost.at < DAY_MS;
		return holds && length >= lost.from ? lost : undefined;
	}
}

/** The items of an account that find out take turns. */
export const KEPT_KEYS = new Turns(() => new KeptKeys());

export const nameOfAccount = (accountId: string, { resource }: RecordKind): string =>
	keyFrom(accountId, resource);

export const keptKeysOf = (accountId: string, kind: RecordKind): KeptKeys =>
	KEPT_KEYS.memoryOf(nameOfAccount(accountId, kind));
