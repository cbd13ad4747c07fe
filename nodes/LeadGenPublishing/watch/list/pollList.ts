/**
 * One poll of one list. First it is read; later, when the number of records that may be delivered
 * is known, they are selected. Promise: the resulting state remembers exactly what was delivered.
 */
import { selectDeliveries, type Selection } from './diff';
import type { JsonRecord, ListRules } from './events';
import { openList, sealList, type ListState } from '../store/listState';
import type { CheckPace } from './pace';
import { readPages, type ListReading } from './plan';
import { limitTimesToNow, freshCheck, freshProgress, type Progress } from '../store/progress';
import { PAGE_SIZE, PageReader, type FetchListPage } from './reader';
import { SeenSet } from '../store/seen';
import type { ListNotice } from './listSession';

/** 250,000 remembered records are 1.5 MB of state. */
const MAX_RECORDS = 250_000;
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

export interface ListSettings {
	rules: ListRules;
	emitExisting: boolean;
	maxItems: number;
	pace: CheckPace;
	maxRequests: number;
	maxRecords?: number;
}

export interface ListReport {
	reading: ListReading;
	seen: SeenSet;
	stored: ListState | undefined;
	damaged: boolean;
	requests: number;
	withoutId: number;
	now: number;
}

export async function pollList(input: {
	stored: ListState | undefined;
	fetchPage: FetchListPage;
	settings: ListSettings;
	/** The whole state was damaged: this list may have been watched before. */
	quietly?: boolean;
	deadline: number;
	now: () => number;
}): Promise<ListReport> {
	const { stored, fetchPage, settings, deadline } = input;
	const { rules, maxRequests, maxItems, pace, maxRecords = MAX_RECORDS } = settings;
	const now = input.now();
	const opened = openList(stored, rules.width);
	const damaged = opened.kind === 'damaged';
	const { seen, progress } =
		opened.kind === 'ok'
			? opened.value
			: { seen: SeenSet.empty(rules.width), progress: freshProgress({ now, limit: PAGE_SIZE }) };
	const start = structuredClone(progress);
	limitTimesToNow(start, now);
	const reader = new PageReader({ fetchPage, maxRequests, deadline, now: input.now });
	const quietly = damaged || input.quietly === true || start.quietly === true;
	// After damage, this would deliver existing records a second time.
	const emitExisting = settings.emitExisting && !quietly;
	const reading = await readPages({
		...{ seen, progress: start, rules, reader, pace, now, emitExisting, maxItems },
	});
	if (quietly && reading.progress.baseline) reading.progress.quietly = true;
	else delete reading.progress.quietly;
	const scanning = start.baseline !== undefined;
	if (
		scanning &&
		reading.failure === undefined &&
		seen.size + reading.findings.unknown > maxRecords
	) {
		reading.failure = new ListFullError(maxRecords);
	}
	const { requests, withoutId } = reader;
	return { reading, seen, stored, damaged, requests, withoutId, now };
}

/** Undefined if the list has just restarted like this. */
export function restartSilently(
	stored: ListState | undefined,
	{ rules }: ListSettings,
	now: number,
): ListState | undefined {
	const opened = openList(stored, rules.width);
	if (opened.kind === 'none') return undefined;
	if (opened.kind === 'ok' && opened.value.progress.quietly === true) return undefined;
	const progress = { ...freshProgress({ now, limit: PAGE_SIZE }), quietly: true as const };
	return sealList(SeenSet.empty(rules.width), progress);
}

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
	/** Set if the user must be told that the memory has no room for some records. */
	full?: ListFullError;
}

export function finishList(report: ListReport, settings: ListSettings, quota: number): ListOutcome {
	const { reading, seen, stored, damaged, now } = report;
	const { progress } = reading;
	const notices = new Set(reading.notices);
	if (reading.failure instanceof ListFullError) {
		return { delivered: [], state: stored, worthStoring: false, left: 0, notices };
	}
	const { maxRecords = MAX_RECORDS } = settings;
	const room = Math.max(0, maxRecords - seen.size);
	const selection = selectDeliveries(reading.findings, settings.rules, { quota, room });
	rewindToLeftOvers(reading, selection);
	const full = selection.full ? reportFull(progress, { now, maxRecords }) : undefined;
	if (!selection.full) delete progress.fullToldAt;
	const kept = forgetMissing(seen.with(selection.changes), { reading, maxRecords, now, notices });
	const state = sealList(kept, progress, damaged ? undefined : stored);
	return {
		delivered: selection.delivered.map(({ record, previousValue }) => ({ record, previousValue })),
		state,
		worthStoring: selection.changes.size > 0 || isWorthStoring(damaged ? undefined : stored, state),
		left: selection.left.length,
		notices,
		full,
	};
}

/** Moves back to the places where the next poll finds the left-over records without a search. */
function rewindToLeftOvers(
	{ progress, before, scanBefore }: ListReading,
	selection: Selection,
): void {
	const positionsLeft = (phase: string): number[] =>
		selection.left
			.filter((deliverable) => deliverable.phase === phase)
			.map(({ position }) => position);
	// If records are left over because the memory is full, the check goes on, since it makes room.
	// A check that began with the head may be the only reason that the head is read.
	const begun = before.next === 0 && positionsLeft('head').length > 0;
	if ((positionsLeft('check').length > 0 || begun) && !selection.full) {
		progress.check = structuredClone(before);
	}
	if (positionsLeft('tail').length > 0)
		progress.end = Math.min(progress.end, ...positionsLeft('tail'));
	if (selection.waiting > 0) progress.waiting = selection.waiting;
	else delete progress.waiting;
	if (positionsLeft('baseline').length > 0 && scanBefore) {
		progress.baseline = structuredClone(scanBefore);
	}
}

function reportFull(
	progress: Progress,
	{ now, maxRecords }: { now: number; maxRecords: number },
): ListFullError | undefined {
	const { fullToldAt } = progress;
	if (fullToldAt !== undefined && now - fullToldAt < REPORT_FULL_EVERY) return undefined;
	progress.fullToldAt = now;
	return new ListFullError(maxRecords);
}

/**
 * Only near the limit, found records are marked, and those that two complete checks in a row have
 * not met are forgotten. In a list without order no check meets all records, so nothing is
 * forgotten.
 */
function forgetMissing(
	seen: SeenSet,
	given: {
		reading: ListReading;
		maxRecords: number;
		now: number;
		notices: Set<ListNotice>;
	},
): SeenSet {
	const { reading, maxRecords, now, notices } = given;
	const { progress, findings, checked } = reading;
	if (progress.baseline !== undefined) return seen;
	if (progress.nearlyFull !== true) {
		if (seen.size < NEARLY_FULL * maxRecords) return seen;
		progress.nearlyFull = true;
		notices.add('nearlyFull');
		if (progress.check.kind === 'paced') progress.check = { ...freshCheck(now), marks: true };
		return seen.clearMarks(true);
	}
	if (notices.has('noOrder')) return seen.clearMarks(true);
	const marked = seen.markFound((hash) => findings.wasFound(hash));
	const kept = checked?.sawEverything === true ? marked.withoutTwiceMissed() : marked;
	if (kept.size >= NO_LONGER_NEARLY_FULL * maxRecords) return kept;
	delete progress.nearlyFull;
	delete progress.check.marks;
	return kept.clearMarks(false);
}

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
	const tenth = Math.max(10 * after.limit, after.end / 10);
	const part = (next: number): number => Math.floor(next / tenth);
	return part(before.check.next) < part(after.check.next);
}
