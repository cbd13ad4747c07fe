// One account's records of one kind, in every order a list might be served in.

export const ORDERS = ['newest', 'oldest', 'uuid'] as const;
export type Order = (typeof ORDERS)[number];

export interface Identified {
	id: string;
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
	private readonly records: T[] = [];
	private readonly byId = new Map<string, T>();
	/** What is filtered or sorted stays so until something changes. */
	private readonly views = new Map<string, T[]>();

	get size(): number {
		return this.records.length;
	}

	add(record: T): T {
		this.views.clear();
		this.records.push(record);
		this.byId.set(record.id, record);
		return record;
	}

	get(id: string): T | undefined {
		return this.byId.get(id);
	}

	patch(id: string, change: Partial<T>): T {
		const record = this.byId.get(id);
		if (!record) throw new Error(`no record ${id}`);
		this.views.clear();
		return Object.assign(record, change);
	}

	remove(id: string): boolean {
		const record = this.byId.get(id);
		if (!record) return false;
		this.views.clear();
		this.records.splice(this.records.indexOf(record), 1);
		return this.byId.delete(id);
	}

	/** The record at a place counted from the oldest; negative counts from the newest. */
	at(place: number): T | undefined {
		return this.records.at(place);
	}

	toArray(): T[] {
		return [...this.records];
	}

	page({ order, offset, limit, filter }: PageRequest<T>): { records: T[]; total: number } {
		const all = this.view(order === 'uuid', filter);
		const total = all.length;
		const [from, to] = [Math.min(offset, total), Math.min(offset + limit, total)];
		const records =
			order === 'newest' ? all.slice(total - to, total - from).reverse() : all.slice(from, to);
		return { records, total };
	}

	private view(sorted: boolean, filter: Filter<T> | undefined): T[] {
		if (!sorted && !filter) return this.records;
		const name = `${sorted} ${filter?.name}`;
		const known = this.views.get(name);
		if (known) return known;
		const view = this.records.filter((record) => filter?.keeps(record) ?? true);
		if (sorted) view.sort((one, other) => (one.id < other.id ? -1 : 1));
		this.views.set(name, view);
		return view;
	}
}
