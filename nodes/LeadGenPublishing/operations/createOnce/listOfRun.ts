/**
 * The records of an account, read once for all items of a run and kept up to date by the run's own
 * writes. A list that may have left out records is read twice before it is believed.
 */
import type { EndpointName } from '../../api/endpoints';
import type { JsonRecord } from '../../api/schemas';
import type { BoundApi } from '../define';

export interface RecordIndex {
	/** `isOwn`: the answer to a creation of this run, which may show more than the list. */
	add(record: JsonRecord, isOwn: boolean): void;
}

export class ListOfRun<Index extends RecordIndex> {
	readonly id = Symbol('list of a run');
	/** The number of the last reading (`turns.ts`). */
	readAt = NaN;
	private reading: Promise<Index> | undefined;
	/** The IDs in that index. */
	private listed: ReadonlySet<unknown> = new Set();
	/**
	 * Records that this run has created, by what they are recognised by: a list may show them only
	 * after a while, and the answer to a creation may show less than was sent.
	 */
	private readonly own = new Map<string, JsonRecord>();

	constructor(
		private readonly name: EndpointName,
		private readonly emptyIndex: () => Index,
	) {}

	async read(api: BoundApi, readAt: number): Promise<Index> {
		this.readAt = readAt;
		const reading = this.readAll(api);
		this.reading = reading;
		reading.catch(() => {
			// The next item reads again.
			if (this.reading === reading) this.reading = undefined;
		});
		return await reading;
	}

	/** The index of the last reading; undefined if there is none. */
	async index(): Promise<Index | undefined> {
		return await this.reading;
	}

	async add(record: JsonRecord, identity: string): Promise<void> {
		this.own.set(identity, record);
		const index = await this.reading;
		// After a lost answer, it was found in the list itself.
		if (!this.listed.has(record.id)) index?.add(record, true);
	}

	created(identity: string): JsonRecord | undefined {
		return this.own.get(identity);
	}

	private async readAll(api: BoundApi): Promise<Index> {
		const first = await api.list(this.name);
		const records = first.isComplete
			? first.records
			: [...first.records, ...(await api.list(this.name)).records];
		const index = this.emptyIndex();
		const listed = new Set<unknown>();
		for (const [at, record] of [...records, ...this.own.values()].entries()) {
			if (listed.has(record.id)) continue;
			if (record.id !== undefined) listed.add(record.id);
			index.add(record, at >= records.length);
		}
		this.listed = listed;
		return index;
	}
}
