/**
 * Promise: every record of every page that was read is judged, whatever the page was read for, and
 * at most once per poll. What is delivered is remembered as delivered, what is left over stays
 * unknown, and what is merely learned (a first scan, a record that no filter lets through) is
 * remembered without being delivered.
 */
import { happenedAt, type JsonRecord, type ListRules } from '../events';
import type { PageView } from './reader';
import type { SeenSet } from '../seen';

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

interface Met {
	/** Never met before this poll. */
	unknown: boolean;
	/** Its kind of news when this poll began: unknown, changed, or passing the filters at last. */
	fresh: boolean;
}

const PASSED = 1;
const HELD = 0;

export class Notes {
	readonly finds: Find[] = [];
	/** Remembered without delivery: what to remember, by hash. */
	readonly learned = new Map<number, number>();
	/** Ids never met before this poll, by where they were met first. */
	readonly unknownFrom: Record<Source, number> = { head: 0, tail: 0, check: 0, baseline: 0 };
	/** The whole list was read at once, and its news stood at its end. */
	grewAtEnd = false;
	private readonly met = new Map<number, Met>();

	constructor(
		private readonly seen: SeenSet,
		private readonly rules: ListRules,
		private readonly learning: Learning,
	) {}

	get unknown(): number {
		const { head, tail, check, baseline } = this.unknownFrom;
		return head + tail + check + baseline;
	}

	wasMet(hash: number): boolean {
		return this.met.has(hash);
	}

	/** True if the record was news when this poll began. */
	isFresh(hash: number): boolean {
		return this.met.get(hash)?.fresh === true;
	}

	/** True if the record had never been met when this poll began. */
	isUnknown(hash: number): boolean {
		return this.met.get(hash)?.unknown === true;
	}

	take(view: PageView, source: Source): void {
		view.entries.forEach(({ hash, record, nameless }, index) => {
			if (nameless === true || this.met.has(hash)) return;
			const known = this.seen.get(hash);
			const unknown = known === undefined;
			if (unknown) this.unknownFrom[source]++;
			const find = { hash, record, source, position: view.offset + index, former: known };
			this.met.set(hash, { unknown, fresh: this.judge(find, known) });
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
	/** The memory has no room for all of what is left. */
	full: boolean;
	changes: Map<number, number>;
	/** Unknown records at the head that stay unknown. */
	waiting: number;
}

/**
 * Chooses what this poll delivers. What is left over must be met again without a search, so the
 * choice goes by place: at the head the deepest first, at the tail the shallowest first, and the
 * rest stays in one piece at its end of the list.
 */
export function settle(
	notes: Notes,
	rules: ListRules,
	{ quota, room }: { quota: number; room: number },
): Settled {
	const of = (source: Source): Find[] => notes.finds.filter((find) => find.source === source);
	const upwards = (left: Find, right: Find): number => left.position - right.position;
	const inTurn = [
		...of('baseline').sort(upwards),
		...of('check').sort(upwards),
		...of('tail').sort(upwards),
		...of('head').sort((left, right) => (notes.grewAtEnd ? 1 : -1) * upwards(left, right)),
	];
	const fitting = howManyFit(inTurn, room);
	const delivered = inTurn.slice(0, Math.min(quota, fitting));
	const left = inTurn.slice(delivered.length);
	const roomLeft = room - delivered.filter(isUnknown).length;
	// Among records that are left, one that no filter lets through would look like the end of the
	// news: it is left, too.
	const changes = left.length > 0 ? new Map<number, number>() : learnable(notes, roomLeft);
	const full = left.length > 0 ? fitting < inTurn.length : changes.size < notes.learned.size;
	for (const { hash, value } of delivered) changes.set(hash, value);
	const taken = delivered.filter((find) => find.source === 'head' && isUnknown(find)).length;
	const waiting = left.length > 0 ? Math.max(0, notes.unknownFrom.head - taken) : 0;
	return { delivered: oldestFirst(delivered, rules), left, full, changes, waiting };
}

/** It takes room in the memory. */
const isUnknown = ({ former }: Find): boolean => former === undefined;

/** In turn, until the first one that would need more room than there is. */
function howManyFit(finds: readonly Find[], room: number): number {
	let left = room;
	const unfit = finds.findIndex((find) => isUnknown(find) && left-- <= 0);
	return unfit < 0 ? finds.length : unfit;
}

function learnable(notes: Notes, room: number): Map<number, number> {
	let left = room;
	return new Map([...notes.learned].filter(([hash]) => !notes.isUnknown(hash) || left-- > 0));
}

/** By the records' own time where all of them tell it; else by place, as chosen. */
function oldestFirst(finds: Find[], rules: ListRules): Find[] {
	const timed = finds.map((find) => ({ find, at: happenedAt(rules.kind, find.record) }));
	if (timed.some(({ at }) => at === undefined)) return finds;
	return timed.sort((left, right) => (left.at ?? 0) - (right.at ?? 0)).map(({ find }) => find);
}
