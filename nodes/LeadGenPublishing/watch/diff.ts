/**
 * Promise: every record of every page that was read is judged, whatever the page was read for, and
 * at most once per poll. What is delivered is remembered as delivered, what is left over stays
 * unknown, and what is merely learned (a first scan, a record that no filter lets through) is
 * remembered without being delivered.
 */
import { happenedAt, type JsonRecord, type ListRules } from './events';
import type { PageView } from './reader';
import type { SeenSet } from './seen';

/** Which way of reading met a record first. */
export type Source = 'head' | 'tail' | 'check' | 'baseline';

export interface Find {
	hash: number;
	record: JsonRecord;
	source: Source;
	position: number;
	/** What to remember once it is delivered. */
	value: number;
	/** What was remembered before; undefined if the record was never met. */
	former: number | undefined;
}

export interface Learning {
	/** The first scan: what is met was there before. */
	quiet: boolean;
}

const PASSED = 1;
const HELD = 0;

export class Notes {
	readonly finds: Find[] = [];
	/** Remembered without delivery. */
	readonly learned = new Map<number, number>();
	/** Ids never met before this poll, and those of them that the head showed first. */
	unknown = 0;
	unknownAtHead = 0;
	/** The whole list was read at once, and its news stood at its end. */
	grewAtEnd = false;
	private readonly met = new Map<number, boolean>();

	constructor(
		private readonly seen: SeenSet,
		private readonly rules: ListRules,
		private readonly learning: Learning,
	) {}

	/** True if the record was news when this poll began. */
	isFresh(hash: number): boolean {
		return this.met.get(hash) === true;
	}

	take(view: PageView, source: Source): void {
		view.entries.forEach(({ hash, record, nameless }, index) => {
			if (nameless === true || this.met.has(hash)) return;
			const known = this.seen.get(hash);
			if (known === undefined) {
				this.unknown++;
				if (source === 'head') this.unknownAtHead++;
			}
			const find = { hash, record, source, position: view.offset + index, former: known };
			this.met.set(hash, this.judge(find, known));
		});
	}

	private judge(find: Omit<Find, 'value'>, known: number | undefined): boolean {
		const { rules } = this;
		if (rules.kind === 'new') {
			if (known === PASSED || (known !== undefined && rules.width === 0)) return false;
			const passes = rules.matches(find.record);
			const value = passes && rules.width > 0 ? PASSED : HELD;
			if (passes && !this.learning.quiet) this.finds.push({ ...find, value });
			else if (known !== value) this.learned.set(find.hash, value);
			return known === undefined || passes;
		}
		const value = rules.fingerprint(find.record);
		if (known === value) return false;
		const met = known !== undefined || rules.tellsFirst(find.record);
		const counts = met && rules.matches(find.record);
		if (counts && !this.learning.quiet) this.finds.push({ ...find, value });
		else this.learned.set(find.hash, value);
		return true;
	}
}

export interface Settled {
	delivered: Find[];
	left: Find[];
	changes: Map<number, number>;
	/** Unknown records at the head that stay unknown. */
	waiting: number;
}

/**
 * Chooses what this poll delivers. What is left over must be met again without a search, so the
 * choice goes by place: at the head the deepest first, at the tail the shallowest first, and the
 * rest stays in one piece at its end of the list.
 */
export function settle(notes: Notes, rules: ListRules, quota: number): Settled {
	const of = (source: Source): Find[] => notes.finds.filter((find) => find.source === source);
	const upwards = (left: Find, right: Find): number => left.position - right.position;
	const inTurn = [
		...of('baseline').sort(upwards),
		...of('check').sort(upwards),
		...of('tail').sort(upwards),
		...of('head').sort((left, right) => (notes.grewAtEnd ? 1 : -1) * upwards(left, right)),
	];
	const delivered = inTurn.slice(0, quota);
	const left = inTurn.slice(quota);
	// Among records that are left, one that no filter lets through would look like the end of the
	// news: it is left, too.
	const changes = left.length > 0 ? new Map<number, number>() : new Map(notes.learned);
	for (const { hash, value } of delivered) changes.set(hash, value);
	const taken = delivered.filter(
		({ source, former }) => source === 'head' && former === undefined,
	).length;
	const waiting = left.length > 0 ? Math.max(0, notes.unknownAtHead - taken) : 0;
	return { delivered: oldestFirst(delivered, rules), left, changes, waiting };
}

/** By the records' own time where all of them tell it; else by place, as chosen. */
function oldestFirst(finds: Find[], rules: ListRules): Find[] {
	const timed = finds.map((find) => ({ find, at: happenedAt(rules.kind, find.record) }));
	if (timed.some(({ at }) => at === undefined)) return finds;
	return timed.sort((left, right) => (left.at ?? 0) - (right.at ?? 0)).map(({ find }) => find);
}
