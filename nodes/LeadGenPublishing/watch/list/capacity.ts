/**
 * How many records of a list are remembered. Promise: nothing is forgotten silently, and nothing
 * that may still be in the list. Only near the limit, found records are marked, and those that two
 * complete checks in a row have not met are forgotten. In a list without order no check meets all
 * records, so nothing is forgotten. Pure.
 */
import { freshCheck, type Progress } from '../store/progress';
import type { SeenSet } from '../store/seen';
import type { ListNotice } from './notices';
import type { ListReading } from './plan';
import { without } from '../../api/without';

/** 250,000 remembered records are 1.5 MB of state. */
export const MAX_RECORDS = 250_000;
/**
 * Shares of it between which the trigger tracks which records are still in the list: from the first
 * up, until it falls below the second.
 */
const NEARLY_FULL = 0.8;
const NO_LONGER_NEARLY_FULL = 0.7;
/** How often the user is told that the memory is full. */
const REPORT_FULL_EVERY = 60 * 60_000;

export class ListFullError extends Error {
	constructor(readonly size: number) {
		super(`This list has grown past the ${size} records that the trigger can remember`);
		this.name = 'ListFullError';
	}
}

/** Whether the user is told now, and when that was last done. */
export function tellWhenFull(
	full: boolean,
	{ fullToldAt }: Progress,
	now: number,
): { tells: boolean; fullToldAt?: number } {
	if (!full) return { tells: false };
	const isDue = fullToldAt === undefined || now - fullToldAt >= REPORT_FULL_EVERY;
	return { tells: isDue, fullToldAt: isDue ? now : fullToldAt };
}

interface Kept {
	readonly seen: SeenSet;
	readonly progress: Progress;
	readonly notice?: ListNotice;
}

export function forgetMissing(
	{ seen, progress }: Kept,
	{ reading, maxRecords, now }: { reading: ListReading; maxRecords: number; now: number },
): Kept {
	const { findings, completedCheck, notices } = reading;
	if (progress.baseline !== undefined) return { seen, progress };
	if (progress.nearlyFull !== true) {
		if (seen.size < NEARLY_FULL * maxRecords) return { seen, progress };
		const check = { ...freshCheck(now), marks: true as const };
		const marking = { ...progress, nearlyFull: true as const };
		return {
			seen: seen.clearMarks(true),
			progress: progress.check.kind === 'paced' ? { ...marking, check } : marking,
			notice: 'nearlyFull',
		};
	}
	if (notices.has('noOrder')) return { seen: seen.clearMarks(true), progress };
	const marked = seen.markFound((hash) => findings.wasFound(hash));
	const kept = completedCheck?.sawEverything === true ? marked.withoutTwiceMissed() : marked;
	if (kept.size >= NO_LONGER_NEARLY_FULL * maxRecords) return { seen: kept, progress };
	return { seen: kept.clearMarks(false), progress: withoutMarks(progress) };
}

const withoutMarks = (progress: Progress): Progress => ({
	...without(progress, 'nearlyFull'),
	check: without(progress.check, 'marks'),
});
