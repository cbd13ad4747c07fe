/**
 * What this process knows about records that it has read one by one, because their list does not
 * show their keys. A run then only reads records that are new or look different in the list. This
 * is never stored: n8n would save the whole static data of the node, and an older state could come
 * back.
 */
import type { ShownKeys } from './keyedRecord';

export interface ReadRecord {
	/** How the list showed the record when it was read. */
	readonly look: string;
	readonly keys: readonly string[];
	/** How much the read showed of them. A record that is gone hides none. */
	readonly shown: ShownKeys;
	/** In ms. */
	readonly at: number;
}

/** How long a record without a key counts as such. A person may write a key into it later. */
const WITHOUT_KEY_MS = 10 * 60_000;
/** For all accounts together. The accounts that were used last stay. */
const MAX_RECORDS = 100_000;

/** @doubt notesInLists */
export class ReadMemory {
	private readonly accounts = new Map<string, Map<string, ReadRecord>>();

	/** The known records of the account. Records that its list no longer names are forgotten. */
	ofAccount(account: string, ids: ReadonlySet<string>): Map<string, ReadRecord> {
		const known = this.accounts.get(account) ?? new Map<string, ReadRecord>();
		for (const id of known.keys()) if (!ids.has(id)) known.delete(id);
		// The map keeps the order of insertion, so the accounts used longest ago come first.
		this.accounts.delete(account);
		this.accounts.set(account, known);
		this.forgetOldest();
		return known;
	}

	private forgetOldest(): void {
		let count = 0;
		for (const { size } of this.accounts.values()) count += size;
		for (const [account, { size }] of this.accounts) {
			if (count <= MAX_RECORDS || this.accounts.size === 1) return;
			this.accounts.delete(account);
			count -= size;
		}
	}
}

/** Whether what was read then still holds. A record with a key is read again before it is used. */
export const stillHolds = (
	read: ReadRecord | undefined,
	{ look, now }: { look: string; now: number },
): boolean =>
	read?.look === look &&
	(read.keys.length > 0 || (now >= read.at && now - read.at < WITHOUT_KEY_MS));

/** The memory of this process. */
export const READ_MEMORY = new ReadMemory();
