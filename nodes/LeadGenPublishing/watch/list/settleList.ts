/**
 * Settles what one poll has read of one list: selects what is delivered, and makes the new state.
 * Promise: it remembers exactly what was delivered, and the next poll meets what was left over,
 * without a search. Pure: what was read is not changed.
 */
import type { JsonRecord } from '../../api/schemas';
import { sealList, type ListState } from '../store/listState';
import type { Progress } from '../store/progress';
import { withoutVerdict } from './check';
import { forgetMissing, ListFullError, MAX_RECORDS, tellWhenFull } from './capacity';
import { selectDeliveries, type ReadPhase, type Selection } from './diff';
import type { ListNotice } from './notices';
import type { ListReading } from './plan';
import type { ListReport, ListSettings } from './pollList';
import { without } from '../../api/without';

export interface DeliveredRecord {
	record: JsonRecord;
	/** The remembered value; undefined if the record was unknown. */
	previousValue: number | undefined;
}

export interface ListOutcome {
	delivered: DeliveredRecord[];
	state: ListState | undefined;
	/** Whether the state should be stored even if nothing is delivered. */
	worthStoring: boolean;
	left: number;
	notices: ReadonlySet<ListNotice>;
	/** The list could not be read to where it should, or is too long to be remembered. */
	failure?: unknown;
	/** Set if the user must be told that the memory has no room for some records. */
	full?: ListFullError;
}

export function settleList(report: ListReport, settings: ListSettings, quota: number): ListOutcome {
	const { reading, seen, stored, damaged, now } = report;
	const { end, notices } = reading;
	const { maxRecords = MAX_RECORDS } = settings;
	if (end.kind !== 'failed' && isScanTooLong(report, maxRecords)) {
		const failure = new ListFullError(maxRecords);
		return { delivered: [], state: stored, worthStoring: false, left: 0, notices, failure };
	}
	const room = Math.max(0, maxRecords - seen.size);
	const selection = selectDeliveries(reading.findings, settings.rules, { quota, room });
	const again = checksAgain(reading.before, selection);
	const { tells, ...told } = tellWhenFull(selection.full, reading.after, now);
	const kept = forgetMissing(
		{
			seen: seen.with(selection.changes),
			progress: { ...progressAfter(report, selection, again), ...told },
		},
		{
			reading: again ? { ...reading, completedCheck: undefined } : reading,
			...{ maxRecords, now },
		},
	);
	const before = damaged ? undefined : stored;
	const state = sealList(kept.seen, kept.progress, before);
	return {
		delivered: selection.delivered.map(({ record, previousValue }) => ({ record, previousValue })),
		state,
		worthStoring: selection.changes.size > 0 || isWorthStoring(before, state),
		left: selection.left.length,
		notices: kept.notice === undefined ? notices : new Set([...notices, kept.notice]),
		...(end.kind === 'failed' ? { failure: end.error } : {}),
		...(tells ? { full: new ListFullError(maxRecords) } : {}),
	};
}

const isScanTooLong = ({ reading, seen }: ListReport, maxRecords: number): boolean =>
	reading.before.baseline !== undefined && seen.size + reading.findings.unknown > maxRecords;

/**
 * What reading has learned, but for the places at which records were left over: there the next poll
 * reads again.
 */
function progressAfter(
	{ reading: { before, after, beforeVerdict }, silent }: ListReport,
	selection: Selection,
	again: boolean,
): Progress {
	const known = again ? withoutVerdict(after, beforeVerdict) : after;
	const learned = without(known, 'quietly', 'waiting', 'fullToldAt');
	const { waiting } = selection;
	const rescans = before.baseline !== undefined && positionsLeft(selection, 'baseline').length > 0;
	return {
		...learned,
		end: Math.min(after.end, ...positionsLeft(selection, 'tail')),
		check: again ? before.check : after.check,
		...(rescans ? { baseline: before.baseline } : {}),
		...(waiting > 0 ? { waiting } : {}),
		...(silent && after.baseline !== undefined ? { quietly: true } : {}),
	};
}

/**
 * If records are left over because the memory is full, the check goes on, since it makes room. A
 * check that began with the head may be the only reason that the head is read.
 */
function checksAgain({ check }: ListReading['before'], selection: Selection): boolean {
	const beganWithHead = check.next === 0 && positionsLeft(selection, 'head').length > 0;
	return !selection.full && (beganWithHead || positionsLeft(selection, 'check').length > 0);
}

const positionsLeft = ({ left }: Selection, phase: ReadPhase): number[] =>
	left.filter((one) => one.phase === phase).map(({ position }) => position);

/**
 * n8n writes the whole state: not worth it for each page of a check, but for each tenth of the
 * list.
 */
function isWorthStoring(stored: ListState | undefined, state: ListState): boolean {
	if (stored === undefined) return true;
	const before = stored.progress;
	const after = state.progress;
	if (before.baseline !== undefined || after.baseline !== undefined) return true;
	if (before.check.kind !== after.check.kind || before.grows !== after.grows) return true;
	if (before.searching !== after.searching || stored.n !== state.n) return true;
	if (before.repeats !== after.repeats || before.elsewhere !== after.elsewhere) return true;
	const tenth = Math.max(10 * after.limit, after.end / 10);
	const part = (next: number): number => Math.floor(next / tenth);
	return part(before.check.next) < part(after.check.next);
}
