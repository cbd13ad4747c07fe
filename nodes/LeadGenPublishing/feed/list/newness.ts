/** Whether a record has just appeared, or was there before the trigger. */
import type { JsonRecord } from '../../api/schemas';
import type { Emits, WholeReading, Scan } from './state';
import { createdAt } from '../../records/times';

export interface FoundAt {
	readonly position: number;
	/** A known record follows it on the same page. */
	readonly isAboveKnown: boolean;
	/** Whether records enter the list long after they were created. */
	readonly entersLate: boolean;
}

/** Whether an unknown record is new. */
export function isNewRecord(
	scan: Scan,
	record: JsonRecord,
	{ position, isAboveKnown, entersLate }: FoundAt,
): boolean {
	if (isAskedFor(scan.emits, record)) return true;
	const created = createdAt(record);
	if (scan.kind === 'first') {
		if (created === undefined)
			return scan.isStopped && isAboveKnown && wasRead(scan.reading, position);
		return scan.after !== 'unset' && created > scan.after;
	}
	const { existing } = scan;
	if (existing.kind === 'none') return true;
	if (created !== undefined && !entersLate) return created > existing.after;
	// Only its place shows whether the first reading could have read it.
	return isAboveKnown || existing.readTo === 'end' || position < existing.readTo;
}

/**
 * Whether the reading has read this place before. A reading that has searched for its place knows records of
 * other pages, so a known record proves nothing.
 */
const wasRead = ({ reached, pagesElsewhere }: WholeReading, position: number): boolean =>
	position < reached && pagesElsewhere === 0;

/**
 * Whether a known record is new that was never compared with these filters. Without a creation time
 * it counts as existing.
 */
export function isNewlyMatching(scan: Scan, record: JsonRecord): boolean {
	const created = createdAt(record);
	if (created === undefined) return false;
	const after = scan.kind === 'first' ? scan.after : afterOf(scan.existing);
	return after !== 'unset' && created > after;
}

const afterOf = (existing: Extract<Scan, { kind: 'check' }>['existing']): number | 'unset' =>
	existing.kind === 'none' ? 'unset' : existing.after;

/** Whether the user has asked for this record, if it was never delivered. */
export function isAskedFor(emits: Emits, record: JsonRecord): boolean {
	if (typeof emits !== 'number') return emits === 'all';
	const created = createdAt(record);
	return created !== undefined && created > emits;
}
