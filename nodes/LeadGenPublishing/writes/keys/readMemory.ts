/**
 * What this process knows about records that it has read one by one, because their list does not show
 * everything. It holds for a day, as long as the list shows the record as it did then. This is never
 * stored: n8n would save the whole static data of the node, and an older state could come back.
 */
import { createHash } from 'crypto';

import { isRecord, type JsonRecord } from '../../api/schemas';
import { isSameValue } from '../../records/storedValue';
import { lengthOfFields, shownKeysOf, type RecordKind, type ShownKeys } from './keyedRecord';

export interface ReadRecord {
	/** How the list showed the record when it was read. */
	readonly look: string;
	readonly keys: readonly string[];
	/** How much the read showed of them. A record that is gone hides none. */
	readonly shown: ShownKeys;
	/** How long the fields were that hold the keys. */
	readonly length: number;
	/** Fields of a record with a key that the list does not show, or shows in another way. */
	readonly more: JsonRecord;
	/** In ms. */
	readonly at: number;
}

const DAY_MS = 24 * 60 * 60_000;
/** A field that the list hides may have been changed by a person, so it is read more often. */
const HIDDEN_FIELDS_MS = 60 * 60_000;
/** For all accounts together. The accounts that were used last stay. */
const MAX_RECORDS = 100_000;
/** The fields of a record that are kept, as JSON. */
const MAX_CHARACTERS = 20_000;

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

/** What to remember of a read. `record` is undefined if it is gone. */
export function readingOf(
	kind: RecordKind,
	{ listed, record, now }: { listed: JsonRecord; record: JsonRecord | undefined; now: number },
): ReadRecord {
	const look = lookOf(listed);
	if (record === undefined) return { look, keys: [], shown: 'whole', length: 0, more: {}, at: now };
	const keys = kind.keysOf(record);
	return {
		look,
		keys,
		shown: shownKeysOf(kind, record),
		length: lengthOfFields(kind, record),
		more: keys.length === 0 ? {} : hiddenIn(listed, record),
		at: now,
	};
}

/** What a read shows in addition to the list. Too much is not kept, so it is read again. */
function hiddenIn(listed: JsonRecord, record: JsonRecord): JsonRecord {
	const hidden = Object.fromEntries(
		Object.entries(record).filter(
			([name, value]) => !(name in listed) || !isSameValue(listed[name], value, name),
		),
	);
	return JSON.stringify(hidden).length > MAX_CHARACTERS ? {} : hidden;
}

/** Whether what was read then still holds. */
export const stillHolds = (
	read: ReadRecord | undefined,
	{ listed, now }: { listed: JsonRecord; now: number },
): read is ReadRecord => isYoung(read, { now, ms: DAY_MS }) && read.look === lookOf(listed);

/** Whether that also goes for fields that the list does not show. */
export const holdsHidden = (read: ReadRecord, now: number): boolean =>
	isYoung(read, { now, ms: HIDDEN_FIELDS_MS });

/** The clock may have been set back. */
const isYoung = (
	read: ReadRecord | undefined,
	{ now, ms }: { now: number; ms: number },
): read is ReadRecord => read !== undefined && now >= read.at && now - read.at < ms;

const looks = new WeakMap<JsonRecord, string>();

/** How a list shows what people can change in a record. */
function lookOf(listed: JsonRecord): string {
	const known = looks.get(listed);
	if (known !== undefined) return known;
	const shown = Object.entries(listed).filter(([, value]) => !isCount(value));
	const look = createHash('sha256').update(JSON.stringify(shown)).digest('base64').slice(0, 16);
	looks.set(listed, look);
	return look;
}

/** Counters, such as likes, change all the time. No field that people set is a number. */
const isCount = (value: unknown): boolean =>
	typeof value === 'number' || (isRecord(value) && Object.values(value).some(isCount));

/** The memory of this process. */
export const READ_MEMORY = new ReadMemory();
