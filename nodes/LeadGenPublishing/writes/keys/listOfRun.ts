/**
 * The list of an account, read once for all items of a run. It is read a second time if records may be
 * missing, and before a creation if it may have moved while it was read.
 */
import type { JsonRecord } from '../../api/schemas';
import { readAll, readMovedList, type ListReading } from '../../item/accountRecords';
import { incompleteList, movingList } from '../../words/listWords';
import type { BoundApi } from '../../item/itemCall';
import type { RecordKind } from './keyedRecord';

export class ListOfRun {
	/** When it was read last, in ms. */
	readAt = -Infinity;
	private list: Promise<ListReading> | undefined;

	constructor(private readonly kind: RecordKind) {}

	forget(): void {
		this.list = undefined;
	}

	/** Until it is forgotten or read once more, every item gets the same reading. A failure is not kept. */
	async read(api: BoundApi): Promise<ListReading> {
		const list = this.list ?? this.begin(api, readAll(api, this.kind.resource));
		return await list.catch((error: unknown) => {
			if (this.list === list) this.list = undefined;
			throw error;
		});
	}

	/** Whether it was read once more, because it may have moved while it was read. */
	async rereadIfMoved(api: BoundApi): Promise<boolean> {
		const first = await this.read(api);
		if (first.repeated.size === 0) return false;
		void this.begin(api, readMovedList(api, { resource: this.kind.resource, first }));
		await this.read(api);
		return true;
	}

	/** Its records. Throws if it lacks some. */
	async records(api: BoundApi): Promise<readonly JsonRecord[]> {
		await this.rereadIfMoved(api);
		const { records, state } = await this.read(api);
		if (state === 'incomplete') throw incompleteList(`${this.kind.what}s`);
		if (state === 'moving') throw movingList(`${this.kind.what}s`);
		return records;
	}

	private begin(api: BoundApi, list: Promise<ListReading>): Promise<ListReading> {
		this.readAt = api.now();
		this.list = list;
		return list;
	}
}
