/**
 * Promise: one list, one poll. First it is read, then, once it is known how many records may be
 * delivered, the reading is settled: the state that comes out remembers exactly what was delivered.
 */
import { settle } from './diff';
import type { JsonRecord, ListRules } from './events';
import { ListReading, type CheckPace, type Reading } from './plan';
import { PageReader, type FetchPage } from './reader';
import { SeenSet } from './seen';
import { freshProgress, openList, sealList, type ListState } from './state';

/** 250,000 remembered records are 1.5 MB of state. Beyond it the list stops, aloud. */
export const MOST_RECORDS = 250_000;
const PAGE_SIZE = 100;

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
	mostRecords?: number;
}

export interface ListReport {
	reading: Reading;
	seen: SeenSet;
	stored: ListState | undefined;
	damaged: boolean;
	requests: number;
	nameless: number;
}

export async function readList(input: {
	stored: ListState | undefined;
	fetchPage: FetchPage;
	settings: ListSettings;
	/** The whole state was lost to damage: a list met now is not a new one. */
	quietly?: boolean;
	deadline: number;
	now: () => number;
}): Promise<ListReport> {
	const { stored, fetchPage, settings, deadline, now } = input;
	const { rules, maxRequests, mostRecords = MOST_RECORDS } = settings;
	const opened = openList(stored, rules.width);
	const seen = opened.kind === 'ok' ? opened.value.seen : SeenSet.empty(rules.width);
	const progress =
		opened.kind === 'ok' ? opened.value.progress : freshProgress({ now: now(), limit: PAGE_SIZE });
	const reader = new PageReader({ fetchPage, pageSize: PAGE_SIZE, maxRequests, deadline, now });
	const damaged = opened.kind === 'damaged';
	const quietly = damaged || input.quietly === true || progress.quietly === true;
	const reading = await new ListReading({
		seen,
		progress,
		rules,
		reader,
		pace: settings.pace,
		now: now(),
		// After damage, delivering what exists would deliver everything a second time.
		emitExisting: settings.emitExisting && !quietly,
		maxItems: settings.maxItems,
	}).run();
	if (quietly && reading.progress.baseline) reading.progress.quietly = true;
	else delete reading.progress.quietly;
	if (reading.failure === undefined && seen.size + reading.notes.unknown > mostRecords) {
		reading.failure = new ListFullError(mostRecords);
	}
	const { requests, nameless } = reader;
	return { reading, seen, stored, damaged, requests, nameless };
}

export interface DeliveredRecord {
	record: JsonRecord;
	/** What was remembered of it before; undefined if it was never met. */
	former: number | undefined;
}

export interface ListOutcome {
	delivered: DeliveredRecord[];
	state: ListState;
	/** Worth a write even if nothing is delivered. */
	store: boolean;
	left: number;
}

export function settleList(report: ListReport, settings: ListSettings, quota: number): ListOutcome {
	const { reading, seen, stored } = report;
	const { progress, before } = reading;
	const full = reading.failure instanceof ListFullError;
	if (full && stored !== undefined) return { delivered: [], state: stored, store: false, left: 0 };
	const settled = settle(reading.notes, settings.rules, full ? 0 : quota);
	const leftAt = (source: string): number[] =>
		settled.left.filter((find) => find.source === source).map(({ position }) => position);
	if (leftAt('check').length > 0) progress.check = structuredClone(before);
	if (leftAt('tail').length > 0) progress.end = Math.min(progress.end, ...leftAt('tail'));
	if (settled.waiting > 0) progress.waiting = settled.waiting;
	else delete progress.waiting;
	if (leftAt('baseline').length > 0 && reading.baselineBefore) {
		progress.baseline = structuredClone(reading.baselineBefore);
	}
	const state = sealList(seen.with(settled.changes), progress, report.damaged ? undefined : stored);
	return {
		delivered: settled.delivered.map(({ record, former }) => ({ record, former })),
		state,
		store: settled.changes.size > 0 || worthStoring(stored, state),
		left: settled.left.length,
	};
}

/** n8n writes the whole state: a check's every page is not worth that, a tenth of the list is. */
function worthStoring(stored: ListState | undefined, state: ListState): boolean {
	if (stored === undefined) return true;
	const before = stored.progress;
	const after = state.progress;
	if (before.baseline !== undefined || after.baseline !== undefined) return true;
	if (before.check.urgent !== after.check.urgent || before.eager !== after.eager) return true;
	const tenth = Math.max(10 * after.limit, after.end / 10);
	const part = (next: number): number => Math.floor(next / tenth);
	return part(before.check.next) < part(after.check.next);
}
