/**
 * What this process has read of records one by one, where a list does not show what they are
 * recognised by. A run then reads only what is new, or looks different in the list. It is never
 * stored: n8n would save the whole static data of the node, and an older state could come back.
 */
export interface ReadRecord {
	/** How the list showed the record when it was read. */
	readonly look: string;
	readonly keys: readonly string[];
	/** Whether the read showed what the record is recognised by, if only that it is empty. */
	readonly showsKey: boolean;
	/** In ms. */
	readonly at: number;
}

/** For so long a record without a key counts as one: a person may have written a key into it since. */
const WITHOUT_KEY_MS = 10 * 60_000;
/** Of all accounts together; those used last stay. */
const MAX_RECORDS = 100_000;

export class ReadBefore {
	private readonly accounts = new Map<string, Map<string, ReadRecord>>();

	/** What is known of the account; those that its list does not name any more are forgotten. */
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

/** That of this process. */
export const READ_BEFORE = new ReadBefore();
