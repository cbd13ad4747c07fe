/**
 * Compares the pages read in this poll with what is remembered. Promise: every record of every page
 * is compared, at most once per poll, whatever the page was read for. Delivered records are
 * remembered as delivered, left-over records stay unknown, and the others (met by the first scan,
 * or held back by a filter) are remembered without being delivered.
 */
import type { JsonRecord } from '../../api/schemas';
import { happenedAt, type ListRules } from './events';
import type { PageView } from './reader';
import type { SeenSet } from '../store/seen';

/** The phase of the poll in which a record was first met. */
export type ReadPhase = 'head' | 'tail' | 'check' | 'baseline';

export interface Deliverable {
	hash: number;
	record: JsonRecord;
	phase: ReadPhase;
	position: number;
	/** The value to remember once the record is delivered. */
	value: number;
	/** The remembered value; undefined if the record is unknown. */
	previousValue: number | undefined;
}

export interface FindingsOptions {
	/**
	 * During the first scan: records are remembered, not delivered, because they existed before.
	 */
	rememberOnly: boolean;
}

interface EncounteredRecord {
	/** Not remembered when this poll began. */
	unknown: boolean;
	/** Unknown, changed, or matching the filters for the first time. */
	isNews: boolean;
}

const PASSES_FILTERS = 1;
const HELD_BACK = 0;

export class Findings {
	readonly deliverables: Deliverable[] = [];
	/** Values to remember without delivering the record, by hash. */
	readonly learned = new Map<number, number>();
	/** Number of unknown records, by the phase in which they were first met. */
	readonly unknownByPhase: Record<ReadPhase, number> = { head: 0, tail: 0, check: 0, baseline: 0 };
	/** The whole list was read in this poll, and its new records were at its end. */
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

	/** True if the record was new or changed when this poll began. */
	isNews(hash: number): boolean {
		return this.encountered.get(hash)?.isNews === true;
	}

	/** True if the record was not remembered when this poll began. */
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
			const isDone = known === PASSES_FILTERS || (known !== undefined && rules.width === 0);
			const passes = !isDone && rules.matches(deliverable.record);
			const value = passes && rules.width > 0 ? PASSES_FILTERS : HELD_BACK;
			if (passes && !this.options.rememberOnly) this.deliverables.push({ ...deliverable, value });
			else if (!isDone && known !== value) this.learned.set(deliverable.hash, value);
			return known === undefined || passes;
		}
		const value = rules.fingerprint(deliverable.record);
		const hasChanged = known !== value;
		const encountered = known !== undefined || rules.countsWhenFirstSeen(deliverable.record);
		const counts = hasChanged && encountered && rules.matches(deliverable.record);
		if (counts && !this.options.rememberOnly) this.deliverables.push({ ...deliverable, value });
		else if (hasChanged) this.learned.set(deliverable.hash, value);
		return hasChanged;
	}
}

export interface Selection {
	delivered: Deliverable[];
	left: Deliverable[];
	/** The memory has no room for all records that are left over. */
	full: boolean;
	changes: Map<number, number>;
	/** Unknown records at the head that stay unknown after this poll. */
	waiting: number;
}

/**
 * Chooses what this poll delivers. The next poll must find the left-over records without a search,
 * so they stay contiguous at their end of the list: at the head the deepest records are delivered
 * first, at the tail the shallowest.
 */
export function selectDeliveries(
	findings: Findings,
	rules: ListRules,
	{ quota, room }: { quota: number; room: number },
): Selection {
	const of = (phase: ReadPhase): Deliverable[] =>
		findings.deliverables
			.filter((deliverable) => deliverable.phase === phase)
			.sort((left, right) => left.position - right.position);
	const atHead = findings.grewAtEnd ? of('head') : of('head').reverse();
	const inOrder = [...of('baseline'), ...of('check'), ...of('tail'), ...atHead];
	const fittingCount = howManyFit(inOrder, room);
	const delivered = inOrder.slice(0, Math.min(quota, fittingCount));
	const left = inOrder.slice(delivered.length);
	const roomLeft = room - delivered.filter(isUnknown).length;
	// While records are left over, none is remembered between them: a known record would look like
	// the end of the new ones.
	const changes = left.length > 0 ? new Map<number, number>() : learnable(findings, roomLeft);
	const full =
		left.length > 0 ? fittingCount < inOrder.length : changes.size < findings.learned.size;
	for (const { hash, value } of delivered) changes.set(hash, value);
	const taken = delivered.filter(
		(deliverable) => deliverable.phase === 'head' && isUnknown(deliverable),
	).length;
	const waiting = left.length > 0 ? findings.unknownByPhase.head - taken : 0;
	return { delivered: oldestFirst(delivered, rules), left, full, changes, waiting };
}

/** An unknown record takes room in the memory. */
const isUnknown = ({ previousValue }: Deliverable): boolean => previousValue === undefined;

/** In order, up to the first one for which there is no room. */
function howManyFit(deliverables: readonly Deliverable[], room: number): number {
	let left = room;
	const firstUnfit = deliverables.findIndex((deliverable) => isUnknown(deliverable) && left-- <= 0);
	return firstUnfit < 0 ? deliverables.length : firstUnfit;
}

function learnable(findings: Findings, room: number): Map<number, number> {
	let left = room;
	return new Map([...findings.learned].filter(([hash]) => !findings.isUnknown(hash) || left-- > 0));
}

/** By the records' own timestamps if all have one; otherwise in the chosen order. */
function oldestFirst(deliverables: Deliverable[], rules: ListRules): Deliverable[] {
	const timed = deliverables.flatMap((deliverable) => {
		const at = happenedAt(rules.kind, deliverable.record);
		return at === undefined ? [] : [{ deliverable, at }];
	});
	if (timed.length < deliverables.length) return deliverables;
	return timed.sort((left, right) => left.at - right.at).map(({ deliverable }) => deliverable);
}
