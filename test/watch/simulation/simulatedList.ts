/** A list as the service might keep it: in an undocumented order, and changing at any time. */
import type { JsonRecord } from '../../../nodes/LeadGenPublishing/api/schemas';
import type { ListPage } from '../../../nodes/LeadGenPublishing/watch/list/reader';

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
}

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
	private readonly ever = new Map<string, Row>();

	constructor(
		private readonly chance: Chance,
		readonly shape: { order: Order; cap: number; faults: number; dated?: boolean },
	) {}

	insert(id: string, intent = true): Row {
		const rank = this.shape.order === 'uuid' ? parseInt(id.slice(0, 8), 16) : this.chance.next();
		const row = { id, version: 1, intent, rank };
		this.ever.set(id, row);
		const { order } = this.shape;
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

	remove(): string | undefined {
		return this.rows.splice(this.chance.below(this.rows.length), 1)[0]?.id;
	}

	touch(change: (row: Row) => void): Row | undefined {
		const index = this.chance.below(this.rows.length);
		const row = this.rows[index];
		if (row === undefined) return undefined;
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
		return page;
	}

	/** So that an old answer is not repeated to a process that never learned its records. */
	forgetAnswer(): void {
		this.answered = undefined;
	}

	/** The same answer for another offset, with the current content of its records. */
	private again(page: ListPage): ListPage {
		const now = (record: JsonRecord): JsonRecord => {
			const row = this.ever.get(String(record.id));
			return row === undefined ? record : this.render(row);
		};
		return { ...page, records: page.records.map(now) };
	}

	private truth(offset: number, limit: number): ListPage {
		const rows = this.shape.order === 'chaos' ? this.shuffle() : this.rows;
		const records = rows.slice(offset, offset + limit).map((row) => this.render(row));
		return { records, limit, offset, hasMore: offset + limit < rows.length };
	}

	private shuffle(): Row[] {
		const rows = [...this.rows];
		for (let index = rows.length - 1; index > 0; index--) {
			const other = this.chance.below(index + 1);
			const row = rows[index] as Row;
			rows[index] = rows[other] as Row;
			rows[other] = row;
		}
		return rows;
	}

	private render(row: Row): JsonRecord {
		return { id: row.id, name: `v${row.version}`, has_intent: row.intent, version: row.version };
	}
}
