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
export type ReadPhase = 'head' | 'tail' | 'check' | 'baseline';

export interface Deliverable {
	hash: number;
	record: JsonRecord;
	phase: ReadPhase;
	position: number;
	/** What to remember once it is delivered. */
	value: number;
	/** What was remembered before; undefined if the record was never met. */
	previousValue: number | undefined;
}

export interface FindingsOptions {
	/** The first scan: what is met was there before. */
	rememberOnly: boolean;
}

interface EncounteredRecord {
	/** Never met before this poll. */
	unknown: boolean;
	/** Its kind of news when this poll began: unknown, changed, or passing the filters at last. */
	isNews: boolean;
}

const PASSES_FILTERS = 1;
const HELD_BACK = 0;

export class Findings {
	readonly deliverables: Deliverable[] = [];
	/** Remembered without delivery: what to remember, by hash. */
	readonly learned = new Map<number, number>();
	/** Ids never met before this poll, by where they were met first. */
	readonly unknownByPhase: Record<ReadPhase, number> = { head: 0, tail: 0, check: 0, baseline: 0 };
	/** The whole list was read at once, and its news stood at its end. */
	grewAtEnd = false;
	private readonly encountered = new Map<number, EncounteredRecord>();

	constructor(
		private readonly seen: SeenSet,
		private readonly rules: ListRules,
		private readonly options: FindingsOptions,
	) {}

	get unknown(): number {
		const { head, tail, check, baseline } = this.unknownByPhase;
		return head + tail + check + baseline;
	}

	wasFound(hash: number): boolean {
		return this.encountered.has(hash);
	}

	/** True if the record was news when this poll began. */
	isNews(hash: number): boolean {
		return this.encountered.get(hash)?.isNews === true;
	}

	/** True if the record had never been met when this poll began. */
	isUnknown(hash: number): boolean {
		return this.encountered.get(hash)?.unknown === true;
	}

	addPage(view: PageView, phase: ReadPhase): void {
		view.entries.forEach(({ hash, record, withoutId }, index) => {
			if (withoutId === true || this.encountered.has(hash)) return;
			const known = this.seen.get(hash);
			const unknown = known === undefined;
			if (unknown) this.unknownByPhase[phase]++;
			const deliverable = {
				hash,
				record,
				phase,
				position: view.offset + index,
				previousValue: known,
			};
			this.encountered.set(hash, { unknown, isNews: this.classifyRecord(deliverable, known) });
		});
	}

	private classifyRecord(
		deliverable: Omit<Deliverable, 'value'>,
		known: number | undefined,
	): boolean {
		const { rules } = this;
		if (rules.kind === 'new') {
			if (known === PASSES_FILTERS || (known !== undefined && rules.width === 0)) return false;
			const passes = rules.matches(deliverable.record);
			const value = passes && rules.width > 0 ? PASSES_FILTERS : HELD_BACK;
			if (passes && !this.options.rememberOnly) this.deliverables.push({ ...deliverable, value });
			else if (known !== value) this.learned.set(deliverable.hash, value);
			return known === undefined || passes;
		}
		const value = rules.fingerprint(deliverable.record);
		if (known === value) return false;
		const encountered = known !== undefined || rules.countsWhenFirstSeen(deliverable.record);
		const counts = encountered && rules.matches(deliverable.record);
		if (counts && !this.options.rememberOnly) this.deliverables.push({ ...deliverable, value });
		else this.learned.set(deliverable.hash, value);
		return true;
	}
}

export interface Selection {
	delivered: Deliverable[];
	left: Deliverable[];
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
export function selectDeliveries(
	findings: Findings,
	rules: ListRules,
	{ quota, room }: { quota: number; room: number },
): Selection {
	const of = (phase: ReadPhase): Deliverable[] =>
		findings.deliverables.filter((deliverable) => deliverable.phase === phase);
	const byPosition = (left: Deliverable, right: Deliverable): number =>
		left.position - right.position;
	const inOrder = [
		...of('baseline').sort(byPosition),
		...of('check').sort(byPosition),
		...of('tail').sort(byPosition),
		...of('head').sort((left, right) => (findings.grewAtEnd ? 1 : -1) * byPosition(left, right)),
	];
	const fittingCount = howManyFit(inOrder, room);
	const delivered = inOrder.slice(0, Math.min(quota, fittingCount));
	const left = inOrder.slice(delivered.length);
	const roomLeft = room - delivered.filter(isUnknown).length;
	// Among records that are left, one that no filter lets through would look like the end of the
	// news: it is left, too.
	const changes = left.length > 0 ? new Map<number, number>() : learnable(findings, roomLeft);
	const full =
		left.length > 0 ? fittingCount < inOrder.length : changes.size < findings.learned.size;
	for (const { hash, value } of delivered) changes.set(hash, value);
	const taken = delivered.filter(
		(deliverable) => deliverable.phase === 'head' && isUnknown(deliverable),
	).length;
	const waiting = left.length > 0 ? Math.max(0, findings.unknownByPhase.head - taken) : 0;
	return { delivered: oldestFirst(delivered, rules), left, full, changes, waiting };
}

/** It takes room in the memory. */
const isUnknown = ({ previousValue }: Deliverable): boolean => previousValue === undefined;

/** In turn, until the first one that would need more room than there is. */
function howManyFit(deliverables: readonly Deliverable[], room: number): number {
	let left = room;
	const firstUnfit = deliverables.findIndex((deliverable) => isUnknown(deliverable) && left-- <= 0);
	return firstUnfit < 0 ? deliverables.length : firstUnfit;
}

function learnable(findings: Findings, room: number): Map<number, number> {
	let left = room;
	return new Map([...findings.learned].filter(([hash]) => !findings.isUnknown(hash) || left-- > 0));
}

/** By the records' own time where all of them tell it; else by place, as chosen. */
function oldestFirst(deliverables: Deliverable[], rules: ListRules): Deliverable[] {
	const timed = deliverables.map((deliverable) => ({
		deliverable,
		at: happenedAt(rules.kind, deliverable.record),
	}));
	if (timed.some(({ at }) => at === undefined)) return deliverables;
	return timed
		.sort((left, right) => (left.at ?? 0) - (right.at ?? 0))
		.map(({ deliverable }) => deliverable);
}
