// One account's records of one kind, in every order a list might be served in. A page costs its own
// length, not the list's: each order in use is kept sorted, and records made in bulk exist only as
// a number until somebody reads them.

import { mix, permutation } from './random';

export const ORDERS = ['newest', 'oldest', 'updated', 'uuid', 'stable', 'shuffle'] as const;
export type Order = (typeof ORDERS)[number];

export interface Identified {
	id: string;
}

interface Slot<T> {
	seq: number;
	touched: number;
	record: T | null;
	maker: Maker<T> | null;
	index: number;
}

/** Builds the record of an index, and tells its id without building it. */
export interface Maker<T> {
	record: (index: number) => T;
	id: (index: number) => string;
}

export interface Filter<T> {
	name: string;
	keeps: (record: T) => boolean;
}

type Compare<T> = (a: Slot<T>, b: Slot<T>) => number;
type Key = 'seq' | 'touched' | 'id' | 'mixed';

const KEY_OF_ORDER: Record<Order, Key> = {
	newest: 'seq',
	oldest: 'seq',
	updated: 'touched',
	uuid: 'id',
	stable: 'mixed',
	shuffle: 'seq',
};

interface View<T> {
	slots: Slot<T>[];
	compare: Compare<T>;
	keeps: (slot: Slot<T>) => boolean;
}

export interface PageRequest<T> {
	order: Order;
	offset: number;
	limit: number;
	filter?: Filter<T>;
	/** Only `shuffle` looks at it. */
	seed?: number;
}

export class RecordList<T extends Identified> {
	private next = 1;
	private readonly views = new Map<string, View<T>>();
	private readonly all: View<T>;
	private byId: Map<string, Slot<T>> | null = new Map();

	constructor() {
		this.all = { slots: [], compare: (a, b) => a.seq - b.seq, keeps: () => true };
		this.views.set('seq|', this.all);
	}

	get size(): number {
		return this.all.slots.length;
	}

	add(record: T): T {
		const seq = this.next++;
		this.insert({ seq, touched: seq, record, maker: null, index: 0 });
		return record;
	}

	/** Adds `count` records that `maker` builds when, and each time that, they are read. */
	addMany(count: number, maker: Maker<T>): void {
		const fresh: Slot<T>[] = [];
		for (let index = 0; index < count; index++) {
			const seq = this.next++;
			fresh.push({ seq, touched: seq, record: null, maker, index });
		}
		this.all.slots = this.all.slots.concat(fresh);
		this.views.clear();
		this.views.set('seq|', this.all);
		this.byId = null;
	}

	get(id: string): T | undefined {
		const slot = this.slot(id);
		return slot && this.read(slot);
	}

	patch(id: string, change: Partial<T>): T {
		const slot = this.slot(id);
		if (!slot) throw new Error(`no record ${id}`);
		const record = this.read(slot);
		for (const view of this.views.values()) if (view !== this.all) take(view, slot);
		slot.record = Object.assign(record, change);
		slot.maker = null;
		slot.touched = this.next++;
		for (const view of this.views.values()) if (view !== this.all) put(view, slot);
		return slot.record;
	}

	remove(id: string): boolean {
		const slot = this.slot(id);
		if (!slot) return false;
		for (const view of this.views.values()) take(view, slot);
		this.byId?.delete(id);
		return true;
	}

	/** The record at a place counted from the oldest; negative counts from the newest. */
	at(place: number): T | undefined {
		const slot = this.all.slots.at(place);
		return slot && this.read(slot);
	}

	toArray(): T[] {
		return this.all.slots.map((slot) => this.read(slot));
	}

	page(request: PageRequest<T>): { records: T[]; total: number } {
		const { order, offset, limit } = request;
		const { slots } = this.view(KEY_OF_ORDER[order], request.filter);
		const total = slots.length;
		const shuffled = order === 'shuffle' ? permutation(total, request.seed ?? 0) : null;
		const backwards = order === 'newest' || order === 'updated';
		const records: T[] = [];
		for (let place = offset; place < Math.min(offset + limit, total); place++) {
			const index = shuffled ? shuffled(place) : backwards ? total - 1 - place : place;
			const slot = slots[index];
			if (slot) records.push(this.read(slot));
		}
		return { records, total };
	}

	private read(slot: Slot<T>): T {
		const record = slot.record ?? slot.maker?.record(slot.index);
		if (!record) throw new Error('an empty slot');
		return record;
	}

	private idOf(slot: Slot<T>): string {
		return slot.record?.id ?? slot.maker?.id(slot.index) ?? this.read(slot).id;
	}

	private slot(id: string): Slot<T> | undefined {
		this.byId ??= new Map(this.all.slots.map((slot) => [this.idOf(slot), slot]));
		return this.byId.get(id);
	}

	private insert(slot: Slot<T>): void {
		for (const view of this.views.values()) put(view, slot);
		this.byId?.set(this.idOf(slot), slot);
	}

	private view(key: Key, filter: Filter<T> | undefined): View<T> {
		const name = `${key}|${filter?.name ?? ''}`;
		const known = this.views.get(name);
		if (known) return known;
		const keeps = (slot: Slot<T>) => filter?.keeps(this.read(slot)) ?? true;
		const slots = filter ? this.all.slots.filter(keeps) : this.all.slots.slice();
		const compare = this.comparer(key);
		if (key === 'id') sortBy(slots, (slot) => this.idOf(slot));
		else if (key === 'mixed') sortBy(slots, (slot) => mix(77, slot.seq));
		else if (key === 'touched') slots.sort(compare);
		const view: View<T> = { slots, compare, keeps };
		this.views.set(name, view);
		return view;
	}

	private comparer(key: Key): Compare<T> {
		if (key === 'touched') return (a, b) => a.touched - b.touched;
		if (key === 'mixed') return (a, b) => mix(77, a.seq) - mix(77, b.seq) || a.seq - b.seq;
		if (key === 'seq') return (a, b) => a.seq - b.seq;
		return (a, b) => {
			const [x, y] = [this.idOf(a), this.idOf(b)];
			return x < y ? -1 : x > y ? 1 : 0;
		};
	}
}

/** Computes each key once: keys are dearer than comparisons. */
function sortBy<T, K extends string | number>(slots: T[], keyOf: (slot: T) => K): void {
	const keyed = slots.map((slot) => ({ slot, key: keyOf(slot) }));
	keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
	keyed.forEach(({ slot }, index) => (slots[index] = slot));
}

function position<T>(view: View<T>, slot: Slot<T>): number {
	let low = 0;
	let high = view.slots.length;
	while (low < high) {
		const middle = (low + high) >>> 1;
		const there = view.slots[middle];
		if (there && view.compare(there, slot) < 0) low = middle + 1;
		else high = middle;
	}
	return low;
}

function put<T>(view: View<T>, slot: Slot<T>): void {
	if (view.keeps(slot)) view.slots.splice(position(view, slot), 0, slot);
}

function take<T>(view: View<T>, slot: Slot<T>): void {
	const place = position(view, slot);
	if (view.slots[place] === slot) view.slots.splice(place, 1);
}
