// One account's records of one kind, in every order a list might be served in. Records made in bulk
// exist only as a number until somebody reads them.

export const ORDERS = ['newest', 'oldest', 'uuid'] as const;
export type Order = (typeof ORDERS)[number];

export interface Identified {
	id: string;
}

/** Builds the record of an index, and tells its id without building it. */
export interface Maker<T> {
	record: (index: number) => T;
	id: (index: number) => string;
}

interface Slot<T> {
	id: string;
	record: T | null;
	make?: () => T;
}

export interface Filter<T> {
	name: string;
	keeps: (record: T) => boolean;
}

export interface PageRequest<T> {
	order: Order;
	offset: number;
	limit: number;
	filter?: Filter<T>;
}

export class RecordList<T extends Identified> {
	/** From the oldest to the newest. */
	private slots: Slot<T>[] = [];
	private readonly byId = new Map<string, Slot<T>>();
	/** What is filtered or sorted stays so until something changes. */
	private readonly views = new Map<string, Slot<T>[]>();

	get size(): number {
		return this.slots.length;
	}

	add(record: T): T {
		this.append({ id: record.id, record });
		return record;
	}

	/** Adds `count` records that `maker` builds when, and each time that, they are read. */
	addMany(count: number, maker: Maker<T>): void {
		for (let index = 0; index < count; index++)
			this.append({ id: maker.id(index), record: null, make: () => maker.record(index) });
	}

	get(id: string): T | undefined {
		const slot = this.byId.get(id);
		return slot && read(slot);
	}

	patch(id: string, change: Partial<T>): T {
		const slot = this.byId.get(id);
		if (!slot) throw new Error(`no record ${id}`);
		this.views.clear();
		slot.record = Object.assign(read(slot), change);
		return slot.record;
	}

	remove(id: string): boolean {
		const slot = this.byId.get(id);
		if (!slot) return false;
		this.views.clear();
		this.slots.splice(this.slots.indexOf(slot), 1);
		return this.byId.delete(id);
	}

	/** The record at a place counted from the oldest; negative counts from the newest. */
	at(place: number): T | undefined {
		const slot = this.slots.at(place);
		return slot && read(slot);
	}

	toArray(): T[] {
		return this.slots.map(read);
	}

	page({ order, offset, limit, filter }: PageRequest<T>): { records: T[]; total: number } {
		const slots = this.view(order === 'uuid', filter);
		const [from, to] = [offset, Math.min(offset + limit, slots.length)];
		const shown =
			order === 'newest'
				? slots.slice(Math.max(0, slots.length - to), Math.max(0, slots.length - from)).reverse()
				: slots.slice(from, to);
		return { records: shown.map(read), total: slots.length };
	}

	private append(slot: Slot<T>): void {
		this.views.clear();
		this.slots.push(slot);
		this.byId.set(slot.id, slot);
	}

	private view(sorted: boolean, filter: Filter<T> | undefined): Slot<T>[] {
		if (!sorted && !filter) return this.slots;
		const name = `${sorted} ${filter?.name}`;
		const known = this.views.get(name);
		if (known) return known;
		const view = this.slots.filter((slot) => filter?.keeps(read(slot)) ?? true);
		if (sorted) view.sort((one, other) => (one.id < other.id ? -1 : 1));
		this.views.set(name, view);
		return view;
	}
}

function read<T>({ record, make }: Slot<T>): T {
	const found = record ?? make?.();
	if (!found) throw new Error('an empty slot');
	return found;
}
