/**
 * The records of an account by their keys, read once for all items of a run. If the list does not
 * show the key of a record, that record is read individually. A list that may lack records never
 * proves that a record does not exist.
 */
import type { InputError } from '../../words/inputError';
import type { JsonRecord } from '../../api/schemas';
import { incompleteList, notAllRead, readAll, readEach, readOne } from '../../item/accountRecords';
import type { BoundApi } from '../../item/itemCall';
import { keysInList, type KeysInList } from './keysInList';
import { READ_MEMORY, type ReadMemory } from './readMemory';
import {
	asExisting,
	shownKeysOf,
	type Existing,
	type RecordKind,
	type KeyedRecord,
} from './keyedRecord';

export type Finding =
	| { readonly kind: 'found'; readonly existing: Existing }
	| { readonly kind: 'absent' }
	/** Not found, but it may exist nevertheless. */
	| { readonly kind: 'uncertain'; readonly doubt: InputError };

export class RecordsOfRun {
	/** When the list was read last, in ms. */
	readAt = -Infinity;
	/** What this run has created, by key: a list may show it only after a while. */
	readonly created = new Map<string, JsonRecord>();
	/** The keys of the records that this run has changed. */
	readonly changed = new Set<string>();
	/** The keys of the records that its dry runs would create. */
	readonly planned = new Set<string>();
	/** The keys for which an item of this run has returned a record. */
	readonly returned = new Set<string>();
	/** Records that this run has read one by one. Undefined for those that are gone. */
	private readonly details = new Map<string, JsonRecord | undefined>();

	constructor(
		private readonly kind: RecordKind,
		private readonly memory: ReadMemory = READ_MEMORY,
	) {}

	async find(
		api: BoundApi,
		wanted: KeyedRecord,
		{ fresh = false }: { fresh?: boolean } = {},
	): Promise<Finding> {
		const { byKey, doubt } = await this.read(api, fresh);
		const marked = (byKey.get(wanted.key) ?? []).filter(({ shown }) => !this.isKnownGone(shown));
		for (const [at, { shown, isShown }] of marked.entries()) {
			// A list may show a summary, which cannot be compared with the item.
			const isAsListed = !this.changed.has(wanted.key);
			const isEnough = isShown && isAsListed && wanted.isEnough(shown);
			const record = isEnough ? shown : await this.whole(api, shown);
			if (record === undefined || (!isShown && this.carriesNot(record, wanted.key))) continue;
			const existing = asExisting(wanted, record, marked.length - at - 1);
			return { kind: 'found', existing };
		}
		return doubt === undefined ? { kind: 'absent' } : { kind: 'uncertain', doubt };
	}

	/**
	 * To be called when this run has changed the record, because the list and earlier reads are then
	 * outdated.
	 */
	wasChanged(key: string, { id }: JsonRecord): void {
		this.changed.add(key);
		this.details.delete(String(id));
	}

	/** Whether a read no longer finds a record of the list. Then it does not count as found again. */
	async isGone(api: BoundApi, record: JsonRecord): Promise<boolean> {
		this.details.delete(String(record.id));
		return (await this.whole(api, record)) === undefined;
	}

	/** The list, as it shows its records. Throws if it lacks some. */
	async listed(api: BoundApi): Promise<readonly JsonRecord[]> {
		const { records, isComplete } = await this.list(api, false);
		if (!isComplete) throw incompleteList(`${this.kind.what}s`);
		return records;
	}

	/** All records. Those that do not show the needed fields in the list are read one by one. */
	async showing(
		api: BoundApi,
		shows: (record: JsonRecord) => boolean,
	): Promise<readonly JsonRecord[]> {
		const records = await this.listed(api);
		const isEnough = (record: JsonRecord): boolean =>
			typeof record.id !== 'string' || shows(record);
		const ids = records.filter((record) => !isEnough(record)).map(({ id }) => String(id));
		return [...records.filter(isEnough), ...(await this.wholes(api, ids))];
	}

	/** The records with these IDs. Throws if not all can be read in time. */
	async wholes(api: BoundApi, ids: readonly string[]): Promise<JsonRecord[]> {
		const unread = ids.filter((id) => !this.details.has(id));
		const { resource, what } = this.kind;
		const left = await readEach(api, { resource, ids: unread }, (id, record) =>
			this.details.set(id, record),
		);
		if (left > 0)
			throw notAllRead(`${what}s`, {
				why: `The list of ${what}s does not show all of their fields`,
				left,
				of: unread.length,
			});
		return ids.map((id) => this.details.get(id)).filter((record) => record !== undefined);
	}

	private isKnownGone({ id }: JsonRecord): boolean {
		return typeof id === 'string' && this.details.has(id) && this.details.get(id) === undefined;
	}

	/** A record that does not show its keys may carry any. */
	private carriesNot(record: JsonRecord, key: string): boolean {
		return shownKeysOf(this.kind, record) === 'whole' && !this.carries(record, key);
	}

	private carries(record: JsonRecord, key: string): boolean {
		return this.kind.keysOf(record).includes(key);
	}

	private async whole(api: BoundApi, listed: JsonRecord): Promise<JsonRecord | undefined> {
		const { id } = listed;
		if (typeof id !== 'string') return listed;
		if (!this.details.has(id)) this.details.set(id, await readOne(api, this.kind.resource, id));
		return this.details.get(id);
	}

	private list: (api: BoundApi, fresh: boolean) => ReturnType<typeof readAll> = keepingLast(
		async (api) => {
			this.readAt = api.now();
			return await readAll(api, this.kind.resource);
		},
	);

	private read: (api: BoundApi, fresh: boolean) => Promise<KeysInList> = keepingLast(
		async (api, fresh) => {
			const { kind, memory, details } = this;
			return await keysInList(await this.list(api, fresh), { api, kind, memory, details });
		},
	);
}

/** Repeats the last result, unless a fresh one is requested. A failure is not kept. */
function keepingLast<T>(
	make: (api: BoundApi, fresh: boolean) => Promise<T>,
): (api: BoundApi, fresh: boolean) => Promise<T> {
	let last: Promise<T> | undefined;
	return async (api, fresh) => {
		const made = (!fresh && last) || make(api, fresh);
		last = made;
		return await made.catch((error: unknown) => {
			if (last === made) last = undefined;
			throw error;
		});
	};
}
