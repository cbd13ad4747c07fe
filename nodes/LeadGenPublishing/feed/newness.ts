/** Whether an unknown record has just appeared, or was there before the trigger. */
import type { JsonRecord } from '../api/schemas';
import type { Scan } from './state';
import { createdAt } from '../records/times';

export interface Standing {
	readonly position: number;
	/** A known record follows it on the same page. */
	readonly isAboveKnown: boolean;
}

export function isNewRecord(
	scan: Scan,
	record: JsonRecord,
	{ position, isAboveKnown }: Standing,
): boolean {
	if (scan.kind === 'first' && scan.emits) return true;
	const created = createdAt(record);
	if (scan.kind === 'first')
		return created !== undefined && scan.after !== 'unset' && created > scan.after;
	const { heldBack } = scan;
	if (heldBack.kind === 'none') return true;
	if (created !== undefined) return created > heldBack.after;
	// Only its place shows whether the first reading could have met it.
	return isAboveKnown || heldBack.readTo === 'end' || position < heldBack.readTo;
}
