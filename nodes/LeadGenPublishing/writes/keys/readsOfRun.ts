/**
 * Records that a run reads one by one, each once, because their list does not show enough of them. What a
 * read shows is remembered for later runs of this process, too.
 */
import type { JsonRecord } from '../../api/schemas';
import { readEach, readOne, type ListReading } from '../../item/accountRecords';
import { notAllRead } from '../../words/listWords';
import type { BoundApi } from '../../item/itemCall';
import type { RecordKind } from './keyedRecord';
import type { ListOfRun } from './listOfRun';
import { readingOf, type ReadMemory, type ReadRecord } from './readMemory';

export class ReadsOfRun {
	/** Undefined for those that are gone. */
	private readonly details = new Map<string, JsonRecord | undefined>();
	private remembered:
		{ readonly of: ListReading; readonly known: Map<string, ReadRecord> } | undefined;

	constructor(
		private readonly kind: RecordKind,
		private readonly list: ListOfRun,
		private readonly memory: ReadMemory,
	) {}

	/** What this process knows of the records of the list, by ID. */
	async known(api: BoundApi): Promise<Map<string, ReadRecord>> {
		const list = await this.list.read(api);
		if (this.remembered?.of !== list) {
			const ids = new Set(list.records.map(({ id }) => String(id)));
			const known = this.memory.ofAccount(`${api.accountId} ${this.kind.resource}`, ids);
			this.remembered = { of: list, known };
		}
		return this.remembered.known;
	}

	/** To be called if a record may have changed since it was read. */
	forget({ id }: JsonRecord): void {
		this.details.delete(String(id));
	}

	/** To be called when this run has changed a record: other runs must not use what was read either. */
	forgetForAll({ id }: JsonRecord): void {
		this.forget({ id });
		this.remembered?.known.delete(String(id));
	}

	isKnownGone({ id }: JsonRecord): boolean {
		return typeof id === 'string' && this.details.has(id) && this.details.get(id) === undefined;
	}

	/** The whole record. Undefined if it is gone. */
	async one(api: BoundApi, listed: JsonRecord): Promise<JsonRecord | undefined> {
		const { id } = listed;
		if (typeof id !== 'string') return listed;
		if (!this.details.has(id)) {
			const record = await readOne(api, this.kind.resource, id);
			this.note(await this.known(api), { id, listed, record, now: api.now() });
		}
		return this.details.get(id);
	}

	/** Reads these records again, several at a time. Returns how many are left. */
	async again(api: BoundApi, listed: readonly JsonRecord[]): Promise<number> {
		const known = await this.known(api);
		const byId = new Map(listed.map((one) => [String(one.id), one]));
		const { resource } = this.kind;
		return await readEach(api, { resource, ids: [...byId.keys()] }, (id, record) =>
			this.note(known, { id, listed: byId.get(id) ?? {}, record, now: api.now() }),
		);
	}

	/**
	 * The whole records. Throws if not all can be read in time. What an earlier run has read is not used: a
	 * field that the list does not show may have changed since, and a time that is taken, or a text, must
	 * not be missed.
	 */
	async all(api: BoundApi, listed: readonly JsonRecord[]): Promise<JsonRecord[]> {
		const unread = listed.filter(({ id }) => !this.details.has(String(id)));
		const left = await this.again(api, unread);
		const what = `${this.kind.what}s`;
		if (left > 0) {
			const why = `The list of ${what} does not show all of their fields`;
			throw notAllRead(what, { why, left, of: unread.length });
		}
		return listed
			.map(({ id }) => this.details.get(String(id)))
			.filter((record) => record !== undefined);
	}

	private note(
		known: Map<string, ReadRecord>,
		{
			id,
			...read
		}: { id: string; listed: JsonRecord; record: JsonRecord | undefined; now: number },
	): void {
		this.details.set(id, read.record);
		known.set(id, readingOf(this.kind, read));
	}
}
