/**
 * The records of an account by their keys, for all items of a run. If the list does not show enough of a
 * record, that record is read individually, unless this process has read it before. A list that may lack
 * records never proves that a record does not exist.
 */
import type { InputError } from '../../words/inputError';
import type { JsonRecord } from '../../api/schemas';
import type { ListReading } from '../../item/accountRecords';
import type { BoundApi } from '../../item/itemCall';
import { keysInList, type KeysInList, type Listed } from './keysInList';
import { keptKeysOf } from './keptKeys';
import { ListOfRun } from './listOfRun';
import { holdsHidden, READ_MEMORY, stillHolds, type ReadMemory } from './readMemory';
import { ReadsOfRun } from './readsOfRun';
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
	readonly list: ListOfRun;
	/** Whether the list shows the fields of the key for any record. */
	listShowsKeys = false;
	/** What this run has created, by key: a list may show it only after a while. */
	readonly created = new Map<string, JsonRecord>();
	/** The keys of the records that this run has changed. */
	readonly changed = new Set<string>();
	/** The keys of the records that its dry runs would create. */
	readonly planned = new Set<string>();
	/** The keys for which an item of this run has returned a record. */
	readonly returned = new Set<string>();
	private readonly reads: ReadsOfRun;
	/** The keys of the records in the list that was read last. */
	private keys: { readonly of: ListReading; readonly found: Promise<KeysInList> } | undefined;

	constructor(
		private readonly kind: RecordKind,
		/** The keys of all items of the run. Their records are read together. */
		private readonly keysOfRun: ReadonlySet<string> = new Set(),
		memory: ReadMemory = READ_MEMORY,
	) {
		this.list = new ListOfRun(kind);
		this.reads = new ReadsOfRun(kind, this.list, memory);
	}

	async find(
		api: BoundApi,
		wanted: KeyedRecord,
		{ fresh = false }: { fresh?: boolean } = {},
	): Promise<Finding> {
		if (fresh) this.list.forget();
		const found = await this.findInList(api, wanted, fresh);
		if (found !== undefined) return { kind: 'found', existing: found };
		// Before a creation, a list that has moved is read once more.
		if (await this.list.rereadIfMoved(api)) {
			const moved = await this.findInList(api, wanted, fresh);
			if (moved !== undefined) return { kind: 'found', existing: moved };
		}
		const { doubt } = await this.keysOfList(api);
		return doubt === undefined ? { kind: 'absent' } : { kind: 'uncertain', doubt };
	}

	/**
	 * To be called when this run has changed the record, because the list and earlier reads are then
	 * outdated, also for other runs of this process.
	 */
	wasChanged(key: string, record: JsonRecord): void {
		this.changed.add(key);
		this.reads.forgetForAll(record);
	}

	/** Whether a read no longer finds a record of the list. Then it does not count as found again. */
	async isGone(api: BoundApi, record: JsonRecord): Promise<boolean> {
		this.reads.forget(record);
		return (await this.reads.one(api, record)) === undefined;
	}

	/** All records. Those that do not show the needed fields in the list are read one by one. */
	async showing(
		api: BoundApi,
		shows: (record: JsonRecord) => boolean,
	): Promise<readonly JsonRecord[]> {
		return await this.showingOf(api, await this.list.records(api), shows);
	}

	/** The same of some records of the list. */
	async showingOf(
		api: BoundApi,
		listed: readonly JsonRecord[],
		shows: (record: JsonRecord) => boolean,
	): Promise<JsonRecord[]> {
		const isEnough = (record: JsonRecord): boolean =>
			typeof record.id !== 'string' || shows(record);
		const hiding = listed.filter((record) => !isEnough(record));
		return [...listed.filter(isEnough), ...(await this.reads.all(api, hiding))];
	}

	private async findInList(
		api: BoundApi,
		wanted: KeyedRecord,
		fresh: boolean,
	): Promise<Existing | undefined> {
		const { byKey } = await this.keysOfList(api);
		const marked = (byKey.get(wanted.key) ?? []).filter(
			({ shown }) => !this.reads.isKnownGone(shown),
		);
		for (const [at, listed] of marked.entries()) {
			const record = await this.recordFor(wanted, { api, byKey, listed, fresh });
			const isOther = record !== undefined && !listed.isShown && this.carriesNot(record, wanted);
			if (record !== undefined && !isOther)
				return asExisting(wanted, record, marked.length - at - 1);
		}
		return undefined;
	}

	/**
	 * The record, as far as it has to be known. A list may show a summary, which cannot be compared
	 * with the item. If nothing differs, what was read of it before is enough. A record that differs
	 * is read again, because it may be changed.
	 */
	private async recordFor(
		wanted: KeyedRecord,
		{
			api,
			byKey,
			listed: { shown, isShown },
			fresh,
		}: { api: BoundApi; byKey: KeysInList['byKey']; listed: Listed; fresh: boolean },
	): Promise<JsonRecord | undefined> {
		const isAsListed = !this.changed.has(wanted.key);
		const isEnough = isAsListed && wanted.isEnough(shown);
		if (isShown && isEnough) return shown;
		const now = api.now();
		const read = (await this.reads.known(api)).get(String(shown.id));
		if (isAsListed && !fresh && stillHolds(read, { listed: shown, now })) {
			const remembered = { ...shown, ...read.more };
			const isSame = wanted.isEnough(remembered);
			if (isSame && (isEnough || holdsHidden(read, now))) return remembered;
			if (isSame) await this.readRowsOfRun(api, byKey, shown);
		}
		if (fresh) this.reads.forget(shown);
		return await this.reads.one(api, shown);
	}

	/** Reads this record, and those of the other items whose hidden fields were read long ago. */
	private async readRowsOfRun(
		api: BoundApi,
		byKey: KeysInList['byKey'],
		own: JsonRecord,
	): Promise<void> {
		const known = await this.reads.known(api);
		const ofRun = [...this.keysOfRun].flatMap((key) => byKey.get(key) ?? []);
		const isOld = ({ id }: JsonRecord): boolean => {
			const read = known.get(String(id));
			return read !== undefined && !holdsHidden(read, api.now());
		};
		const others = ofRun.map(({ shown }) => shown).filter((shown) => shown !== own);
		await this.reads.again(api, [own, ...others].filter(isOld));
	}

	/** A record that does not show its keys may carry any. */
	private carriesNot(record: JsonRecord, { key }: KeyedRecord): boolean {
		return shownKeysOf(this.kind, record) === 'whole' && !this.kind.keysOf(record).includes(key);
	}

	/** A failure is not kept. */
	private async keysOfList(api: BoundApi): Promise<KeysInList> {
		const list = await this.list.read(api);
		const keys = this.keys?.of === list ? this.keys : { of: list, found: this.findKeys(api, list) };
		this.keys = keys;
		return await keys.found.catch((error: unknown) => {
			if (this.keys === keys) this.keys = undefined;
			throw error;
		});
	}

	private async findKeys(api: BoundApi, list: ListReading): Promise<KeysInList> {
		const { kind } = this;
		const keys = await keysInList(list, {
			kind,
			known: await this.reads.known(api),
			now: api.now,
			readEach: async (listed) => await this.reads.again(api, listed),
		});
		this.listShowsKeys = keys.showsKeys;
		keptKeysOf(api.accountId, kind).saw(keys.longestKept);
		return keys;
	}
}
