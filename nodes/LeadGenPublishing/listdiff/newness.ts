/** Whether an unknown record has just appeared, or was there before the trigger. */
import type { JsonRecord } from '../api/schemas';
import { isLasting, type ListState, type Trouble } from './state';
import { createdAt } from '../records/times';

export interface Standing {
	readonly position: number;
	/** A known record follows it on the same page. */
	readonly isAboveKnown: boolean;
}

export function isNewRecord(
	{ scan, trouble }: Pick<ListState, 'scan' | 'trouble'>,
	record: JsonRecord,
	standing: Standing,
): boolean {
	if (scan.kind === 'first' && scan.emits) return true;
	const created = createdAt(record);
	if (scan.kind === 'first')
		return created !== undefined && scan.after !== 'unset' && created > scan.after;
	if (scan.heldBack.kind === 'none') return true;
	if (created !== undefined) return created > scan.heldBack.after;
	return wasReadable(trouble, standing);
}

/**
 * Where the first reading could not get to the end of the list, records come into view later that were
 * always there. Without a creation time, only its place tells such a record from a new one.
 */
function wasReadable(trouble: Trouble, { position, isAboveKnown }: Standing): boolean {
	if (!isLasting(trouble)) return true;
	// A blank page behind all that is shown is the end of the list, whatever it announces.
	if (trouble.kind === 'blank') return trouble.at >= trouble.shown || position < trouble.at;
	if (trouble.kind === 'refused') return position < trouble.shown || isAboveKnown;
	return trouble.kind !== 'repeating' || isAboveKnown;
}
