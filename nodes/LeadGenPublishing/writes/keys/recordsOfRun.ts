/**
 * The records of an account by their keys, read once for all items of a run. If the list does not
 * show enough of a record, that record is read individually, unless this process has read it before.
 * A list that may lack records never proves that a record does not exist.
 */
import type { InputError } from '../../words/inputError';
import type { JsonRecord } from '../../api/schemas';
import {
	incompleteList,
	movingList,
	notAllRead,
	readAll,
	readEach,
	readMovedList,
	readOne,
	type ListReading,
} from '../../item/accountRecords';
import type { BoundApi } from '../../item/itemCall';
import { keysInList, type KeysInList, type Listed } from './keysInList';
import { keptKeysOf } from './keptKeys';
import {
	holdsHidden,
	READ_MEMORY,
	readingOf,
	stillHolds,
	type ReadMemory,
	type ReadRecord,
} from './readMemory';
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

/** A list that was read, and what is known about its keys. */
interface Reading {
	/** Reads of single records of this process, by ID. */
	readonly known: Map<string, ReadRecord>;
	readonly keys: KeysInList;
}

export class RecordsOfRun {
	/** When the list was read last, in ms. */
	readAt = -Infinity;
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
	/** Records that this run has read one by one. Undefined for those that are gone. */
	private readonly details = new Map<string, JsonRecord | undefined>();
	/** Reads of single records of this process, by ID. */
	private known: Map<string, ReadRecord> | undefined;
	private list: Promise<ListReading> | undefined;
	private reading: Promise<Reading> | undefined;

	constructor(
		private readonly kind: RecordKind,
		/** The keys of all items of the run. Their records are read together. */
		private readonly keysOfRun: ReadonlySet<string> = new Set(),
		private readonly memory: ReadMemory = READ_MEMORY,
	) {}

	async find(
		api: BoundApi,
		wanted: KeyedRecord,
		{ fresh = false }: { fresh?: boolean } = {},
	): Promise<Finding> {
		if (fresh) this.forgetList();
		const found = await this.findInList(api, wanted, fresh);
		if (found !== undefined) return { kind: 'found', existing: found };
		// Before a creation, a list that has moved is read once more.
		if (await this.rereadMoved(api)) {
			const moved = await this.findInList(api, wanted, fresh);
			if (moved !== undefined) return { kind: 'found', existing: moved };
		}
		const { doubt } = (await this.read(api)).keys;
		return doubt === undefined ? { kind: 'absent' } : { kind: 'uncertain', doubt };
	}

	/**
	 * To be called when this run has changed the record, because the list and earlier reads are then
	 * outdated, also for other runs of this process.
	 */
	wasChanged(key: string, { id }: JsonRecord): void {
		this.changed.add(key);
		this.details.delete(String(id));
		this.known?.delete(String(id));
	}

	/** Whether a read no longer finds a record of the list. Then it does not count as found again. */
	async isGone(api: BoundApi, record: JsonRecord): Promise<boolean> {
		this.details.delete(String(record.id));
		return (await this.whole(api, record)) === undefined;
	}

	/** The list, as it shows its records. Throws if it lacks some. */
	async listed(api: BoundApi): Promise<readonly JsonRecord[]> {
		await this.rereadMoved(api);
		const { records, state } = await this.readList(api);
		if (state === 'incomplete') throw incompleteList(`${this.kind.what}s`);
		if (state === 'moving') throw movingList(`${this.kind.what}s`);
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

	private async findInList(
		api: BoundApi,
		wanted: KeyedRecord,
		fresh: boolean,
	): Promise<Existing | undefined> {
		const reading = await this.read(api);
		const { byKey } = reading.keys;
		const marked = (byKey.get(wanted.key) ?? []).filter(({ shown }) => !this.isKnownGone(shown));
		for (const [at, listed] of marked.entries()) {
			const record = await this.recordFor(wanted, { api, reading, listed, fresh });
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
			reading,
			listed: { shown, isShown },
			fresh,
		}: { api: BoundApi; reading: Reading; listed: Listed; fresh: boolean },
	): Promise<JsonRecord | undefined> {
		const isAsListed = !this.changed.has(wanted.key);
		const isEnough = isAsListed && wanted.isEnough(shown);
		if (isShown && isEnough) return shown;
		const now = api.now();
		const read = reading.known.get(String(shown.id));
		if (isAsListed && !fresh && stillHolds(read, { listed: shown, now })) {
			const remembered = { ...shown, ...read.more };
			const isSame = wanted.isEnough(remembered);
			if (isSame && (isEnough || holdsHidden(read, now))) return remembered;
			if (isSame) await this.readRowsOfRun(api, reading, shown);
		}
		if (fresh) this.details.delete(String(shown.id));
		return await this.whole(api, shown);
	}

	/** Reads this record, and those of the other items whose hidden fields were read long ago. */
	private async readRowsOfRun(api: BoundApi, reading: Reading, own: JsonRecord): Promise<void> {
		const ofRun = [...this.keysOfRun].flatMap((key) => reading.keys.byKey.get(key) ?? []);
		const isOld = ({ id }: JsonRecord): boolean => {
			const read = reading.known.get(String(id));
			return read !== undefined && !holdsHidden(read, api.now());
		};
		const others = ofRun.map(({ shown }) => shown).filter((shown) => shown !== own);
		await this.readListed(api, { known: reading.known, listed: [own, ...others].filter(isOld) });
	}

	/** Reads records of the list one by one, and remembers what they show. Returns how many are left. */
	private async readListed(
		api: BoundApi,
		{ known, listed }: { known: Map<string, ReadRecord>; listed: readonly JsonRecord[] },
	): Promise<number> {
		const byId = new Map(listed.map((one) => [String(one.id), one]));
		const ids = [...byId.keys()];
		return await readEach(api, { resource: this.kind.resource, ids }, (id, record) => {
			this.remember(known, { id, listed: byId.get(id) ?? {}, record, now: api.now() });
		});
	}

	/** For this run, and for later runs of this process. */
	private remember(
		known: Map<string, ReadRecord>,
		{
			id,
			...read
		}: { id: string; listed: JsonRecord; record: JsonRecord | undefined; now: number },
	): void {
		this.details.set(id, read.record);
		known.set(id, readingOf(this.kind, read));
	}

	private isKnownGone({ id }: JsonRecord): boolean {
		return typeof id === 'string' && this.details.has(id) && this.details.get(id) === undefined;
	}

	/** A record that does not show its keys may carry any. */
	private carriesNot(record: JsonRecord, { key }: KeyedRecord): boolean {
		return shownKeysOf(this.kind, record) === 'whole' && !this.kind.keysOf(record).includes(key);
	}

	private async whole(api: BoundApi, listed: JsonRecord): Promise<JsonRecord | undefined> {
		const { id } = listed;
		if (typeof id !== 'string') return listed;
		if (!this.details.has(id)) {
			const record = await readOne(api, this.kind.resource, id);
			const { known } = await this.read(api);
			this.remember(known, { id, listed, record, now: api.now() });
		}
		return this.details.get(id);
	}

	private forgetList(): void {
		this.list = undefined;
		this.reading = undefined;
	}

	/** A failure is not kept. */
	private async readList(api: BoundApi): Promise<ListReading> {
		if (this.list === undefined) {
			this.readAt = api.now();
			this.list = readAll(api, this.kind.resource);
		}
		const { list } = this;
		return await list.catch((error: unknown) => {
			if (this.list === list) this.list = undefined;
			throw error;
		});
	}

	/** Whether the list was read once more, because it may have moved while it was read. */
	private async rereadMoved(api: BoundApi): Promise<boolean> {
		const first = await this.readList(api);
		if (first.repeated.size === 0) return false;
		this.forgetList();
		this.readAt = api.now();
		this.list = readMovedList(api, { resource: this.kind.resource, first });
		await this.readList(api);
		return true;
	}

	private async read(api: BoundApi): Promise<Reading> {
		const reading = (this.reading ??= this.readKeys(api));
		return await reading.catch((error: unknown) => {
			if (this.reading === reading) this.reading = undefined;
			throw error;
		});
	}

	private async readKeys(api: BoundApi): Promise<Reading> {
		const { kind } = this;
		const list = await this.readList(api);
		const ids = new Set(list.records.map(({ id }) => String(id)));
		const known = this.memory.ofAccount(`${api.accountId} ${kind.resource}`, ids);
		this.known = known;
		const keys = await keysInList(list, {
			kind,
			known,
			now: api.now,
			readEach: async (listed) => await this.readListed(api, { known, listed }),
		});
		this.listShowsKeys = keys.showsKeys;
		keptKeysOf(api.accountId, kind).saw(keys.longestKept);
		return { known, keys };
	}
}
