/** A list as the service might keep it: in an undocumented order, and changing at any time. */
import type { JsonRecord } from '../../../nodes/LeadGenPublishing/api/schemas';
import type { Page as ListPage } from '../../../nodes/LeadGenPublishing/api/pages';

import type { Chance } from '../random';

export const ORDERS = ['newest', 'oldest', 'updated', 'uuid', 'shuffled', 'chaos'] as const;
export type Order = (typeof ORDERS)[number];

/** Orders in which a scan of several pages may miss records. */
export const MOVES: ReadonlySet<Order> = new Set(['updated', 'chaos']);

export interface Row {
	id: string;
	/** The compared content; every change increases it. */
	version: number;
	intent: boolean;
	rank: number;
	/** The record has a field that is nested so deep. */
	depth?: number;
	/** It takes a place in the list, but is not shown. */
	hidden?: true;
	/** It is shown as something that is not a record. */
	unreadable?: unknown;
}

/** Values nested so deep that a function that calls itself at every level overflows the stack. */
const NESTED = new Map(
	[2_000, 100_000].map((depth) => [
		depth,
		JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`) as unknown,
	]),
);
const UNREADABLE: readonly unknown[] = [
	...[null, 'text', 7, [], {}, { id: null }, { id: '' }, { id: { value: 1 } }],
	...[...NESTED.values()].flatMap((nested) => [nested, { name: nested }, { id: nested }]),
];
const DEPTHS = [...NESTED.keys()];

export class ServiceError extends Error {
	constructor(readonly kind: string) {
		super(kind);
	}
}

export class SimulatedList {
	rows: Row[] = [];
	requests = 0;
	/** Every page is empty and announces more. */
	blank = false;
	private faultsInARow = 0;
	private answered: ListPage | undefined;
	/** Records that any page has shown. */
	readonly shown = new Set<string>();
	private readonly ever = new Map<string, Row>();

	constructor(
		private readonly chance: Chance,
		readonly shape: {
			order: Order;
			cap: number;
			faults: number;
			thin?: boolean;
			strange?: boolean;
			reach?: number;
		},
	) {}

	insert(id: string, intent = true): Row {
		const { thin, strange } = this.shape;
		if (thin && this.chance.happens(0.4)) this.place({ ...this.row(), hidden: true });
		if (strange && this.chance.happens(0.2))
			this.place({ ...this.row(), unreadable: this.chance.pick(UNREADABLE) });
		const row = this.row(id, intent);
		if (strange && this.chance.happens(0.2)) row.depth = this.chance.pick(DEPTHS);
		this.ever.set(id, row);
		return this.place(row);
	}

	private row(id = this.chance.uuid(), intent = true): Row {
		const rank = this.shape.order === 'uuid' ? parseInt(id.slice(0, 8), 16) : this.chance.next();
		return { id, version: 1, intent, rank };
	}

	private place(row: Row): Row {
		const { order } = this.shape;
		const { rank } = row;
		if (order === 'newest' || order === 'updated') this.rows.unshift(row);
		else if (order === 'uuid' || order === 'shuffled') {
			let from = 0;
			let to = this.rows.length;
			while (from < to) {
				const middle = (from + to) >>> 1;
				if ((this.rows[middle]?.rank ?? 0) < rank) from = middle + 1;
				else to = middle;
			}
			this.rows.splice(from, 0, row);
		} else this.rows.push(row);
		return row;
	}

	everHeld(id: string): boolean {
		return this.ever.has(id);
	}

	/** Undefined if the removed entry is not a record. */
	remove(): string | undefined {
		return this.rows.splice(this.chance.below(this.rows.length), 1).flatMap(idsOf)[0];
	}

	/** Removes half of the records, wherever they stand, or a third from one end. */
	removeInBulk(): string[] {
		const { rows, chance } = this;
		const third = Math.ceil(rows.length / 3);
		const how = chance.pick(['half', 'head', 'tail'] as const);
		const stays = (index: number): boolean => {
			if (how === 'half') return chance.happens(0.5);
			return how === 'head' ? index >= third : index < rows.length - third;
		};
		const gone: Row[] = [];
		this.rows = rows.filter((row, index) => stays(index) || (gone.push(row), false));
		return gone.flatMap(idsOf);
	}

	/** Whether a reader whose offsets are partly rejected can have read it at its place. */
	isWithinReach(id: string): boolean {
		const { order, reach = Infinity } = this.shape;
		if (this.rows.length <= reach) return true;
		return order !== 'chaos' && this.rows.findIndex((row) => row.id === id) <= reach;
	}

	touch(change: (row: Row) => void): Row | undefined {
		const index = this.chance.below(this.rows.length);
		const row = this.rows[index];
		if (row === undefined || idsOf(row).length === 0) return undefined;
		change(row);
		if (this.shape.order === 'updated') {
			this.rows.splice(index, 1);
			this.rows.unshift(row);
		}
		return row;
	}

	/**
	 * Never more than two wrong answers in a row: a service that only gives wrong answers cannot be
	 * read.
	 */
	answer({ offset, limit: asked }: { offset: number; limit: number }): ListPage {
		this.requests++;
		const { reach = Infinity } = this.shape;
		if (offset > reach) throw new ServiceError('bad_request');
		if (this.blank) return { records: [], limit: asked, hasMore: true };
		const page = this.truth(offset, Math.min(asked, this.shape.cap));
		if (this.faultsInARow < 2 && this.chance.happens(this.shape.faults)) {
			this.faultsInARow++;
			const fault = this.chance.pick(['500', '429', 'truncated', 'repeated', 'empty'] as const);
			if (fault === 'repeated' && this.answered !== undefined) return this.again(this.answered);
			if (fault === 'empty') return { ...page, records: [], hasMore: true };
			throw new ServiceError(fault);
		}
		this.faultsInARow = 0;
		this.answered = page;
		for (const record of page.records)
			if (typeof record?.id === 'string') this.shown.add(record.id);
		return page;
	}

	/** So that an old answer is not repeated to a process that never learned its records. */
	forgetAnswer(): void {
		this.answered = undefined;
	}

	/** The same answer for another offset, with the current content of its records. */
	private again(page: ListPage): ListPage {
		const now = (record: JsonRecord): JsonRecord => {
			const row = typeof record?.id === 'string' ? this.ever.get(record.id) : undefined;
			return row === undefined ? record : this.render(row);
		};
		return { ...page, records: page.records.map(now) };
	}

	private truth(offset: number, limit: number): ListPage {
		const rows = this.shape.order === 'chaos' ? this.chance.shuffled(this.rows) : this.rows;
		const here = rows.slice(offset, offset + limit).filter(({ hidden }) => hidden !== true);
		const records = here.map((row) => this.render(row));
		return { records, limit, offset, hasMore: offset + limit < rows.length };
	}

	private render({ id, version, intent, depth, unreadable }: Row): JsonRecord {
		if (unreadable !== undefined) return unreadable as JsonRecord;
		const nested = depth === undefined ? {} : { emails: NESTED.get(depth) };
		return { id, name: `v${version}`, has_intent: intent, version, ...nested };
	}
}

const idsOf = ({ id, hidden, unreadable }: Row): string[] =>
	hidden === true || unreadable !== undefined ? [] : [id];
