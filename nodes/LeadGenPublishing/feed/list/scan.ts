/**
 * Reads the whole list, a few pages in each poll: first to record what exists, then as complete
 * checks. A reading ends at the end of the list, or at a dead end, where the service shows nothing
 * more.
 *
 *   first ──the end, or a dead end──▶ check ──the end──▶ check ──▶ …
 */
import { strideOf } from './page';
import { UNCHECKED } from './overlap';
import type { PageView } from './compare';
import { advance } from './reading';
import { nextDay } from './seen';
import {
	beginWholeReading,
	isLasting,
	type ExistingRecords,
	type ListState,
	type WholeReading,
	type Scan,
} from './state';
import { problemAfter, problemAtEnd } from './problem';
import { over, type Task, type Progress, type ReadSettings } from './progress';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** With a poll a minute, a record of a list of 5,000 is found within the hour. */
const USUAL_CHECK_MS = 58 * MINUTE;
/** The pages of a fast check in each poll, while unknown records are somewhere in the list. */
const FAST_PAGES = 10;
/** At most so many empty pages are skipped in a poll. The next one continues. */
export const MAX_SKIPPED = 10;
/** So many empty pages after the last known record are the end of the list, whatever they announce. */
const BLANKS_AT_END = 50;
/** The same if such an end was found before. */
const BLANKS_AT_KNOWN_END = 10;
/**
 * A first reading that may have missed records is repeated, at most so often, until it reads no
 * unknown one.
 */
const MAX_TRIES = 5;

type ScanTask = Extract<Task, { kind: 'scan' }>;

/** Whether one more page of the scan is due in this poll. */
export function isPageDue(list: ListState, read: number, settings: ReadSettings): boolean {
	const { scan, problem } = list;
	if (scan.kind === 'first') return true;
	if (scan.pace === 'fast') return read < FAST_PAGES;
	if (problem.kind !== 'none' && !isLasting(problem) && read === 0) return true;
	const { checkEvery, now, sinceLast } = settings;
	const every = checkEvery ?? USUAL_CHECK_MS;
	if (every <= 0) return read === 0;
	const most = checkEvery === undefined ? Math.max(1, Math.floor(sinceLast / MINUTE)) : Infinity;
	if (read >= most) return false;
	const stride = strideOf(list.size);
	const pages = Math.max(1, Math.ceil(list.end / stride));
	// A record may be one page further down in the next reading, so a reading ends one page earlier.
	const readingMs = (every * pages) / (pages + 1);
	const elapsed = now - scan.reading.since;
	// The reading is late, because the list has grown or pages were missed.
	if (elapsed >= readingMs) return true;
	// A page is due once the reading is a whole page behind its time.
	return (elapsed / readingMs) * pages * stride - scan.reading.at >= stride;
}

/** The scan after one of its pages. */
export function scanAfter(progress: Progress, task: ScanTask, view: PageView): Progress {
	const { list, settings } = progress;
	const advanced = advance(list.scan.reading, view, view.unknown);
	if (advanced.kind === 'repeating') return atRepetition(progress, view.offset);
	const reading: WholeReading = { ...advanced.reading, since: list.scan.reading.since };
	const end = advanced.kind === 'on' ? Math.max(list.end, reading.reached) : list.end;
	const next: Progress = { ...progress, list: { ...list, end, scan: { ...list.scan, reading } } };
	if (advanced.kind === 'on' && !view.hasMore) return atEnd(next);
	const wanted = task.wanted + view.wanted;
	const isFull = wanted >= settings.maxItems;
	const isSearching = advanced.kind === 'elsewhere';
	const read = task.read + (isSearching ? 0 : 1);
	if (isFull || !(isSearching || isPageDue(next.list, read, settings))) return over(next);
	return { ...next, task: { kind: 'scan', read, wanted } };
}

/** The reading has reached the end of the list. */
export function atEnd(progress: Progress): Progress {
	const { list, settings } = progress;
	const { scan } = list;
	const isSure = !scan.reading.isUnchecked || scan.reading.unknown === 0;
	if (!isSure && scan.kind === 'first' && scan.tries + 1 < MAX_TRIES) {
		const reading = beginWholeReading(scan.reading.since);
		const again: Scan = { ...scan, reading, tries: scan.tries + 1 };
		return over({ ...progress, list: { ...list, scan: again } });
	}
	const ended = isSure ? grownOlder(list, settings.now) : list;
	const next = nextScan(scan, {
		now: settings.now,
		isComplete: isSure,
		readTo: 'end',
		hasExisting: progress.hasExisting,
		isDoubtful: [0, list.size].includes(scan.reading.reached),
	});
	return over({
		...progress,
		list: { ...ended, scan: next, problem: problemAtEnd(list.problem, scan.reading) },
		checkedSince: scan.reading.since,
	});
}

/** Every page shows the same records. */
function atRepetition(progress: Progress, at: number): Progress {
	const problem = problemAfter(progress, 'repeating', at);
	const next: Progress = {
		...progress,
		hasCountedProblem: true,
		list: { ...progress.list, problem },
	};
	return over(isLasting(problem) ? atDeadEnd(next) : next);
}

/**
 * An empty page announces more, even when it was requested twice. If that lasts, a filter of the
 * service may have left nothing of this page, and the reading goes on after it.
 *
 * @doubt repeatedPages
 */
export function atBlank(progress: Progress, at: number): Progress {
	const problem = problemAfter(progress, 'blank', at);
	const { list } = progress;
	const next: Progress = { ...progress, hasCountedProblem: true, list: { ...list, problem } };
	if (!isLasting(problem)) return over(next);
	const { scan } = list;
	const { reached } = scan.reading;
	const blanks = problem.kind === 'endless' ? BLANKS_AT_KNOWN_END : BLANKS_AT_END;
	if (at >= Math.max(list.end, reached) + (blanks - 1) * list.size) {
		const ended = { ...list, end: reached, problem: { kind: 'endless', at: reached } } as const;
		return over(atDeadEnd({ ...next, list: ended }));
	}
	const reading: WholeReading = { ...scan.reading, at: at + list.size, overlap: UNCHECKED };
	const skipped = progress.skipped + 1;
	const further: Progress = {
		...next,
		skipped,
		list: { ...next.list, scan: { ...scan, reading } },
	};
	return skipped >= MAX_SKIPPED ? over(further) : further;
}

/**
 * The service rejects this offset.
 *
 * @doubt offsetDepth
 */
export function atRefusal(progress: Progress, at: number): Progress {
	return over(
		atDeadEnd({ ...progress, list: { ...progress.list, problem: { kind: 'refused', at } } }),
	);
}

/** Everything that can be read was read, but that is not the whole list. */
function atDeadEnd(progress: Progress): Progress {
	const { list, settings, hasExisting } = progress;
	const readTo = endOfReading(list);
	const { now } = settings;
	const isDoubtful = list.scan.reading.reached === 0;
	const scan = nextScan(list.scan, { now, isComplete: false, readTo, hasExisting, isDoubtful });
	return { ...progress, list: { ...list, scan }, checkedSince: list.scan.reading.since };
}

function endOfReading({ problem, scan }: ListState): number | 'end' {
	const { reached } = scan.reading;
	// It is unknown which offsets such pages have shown.
	if (problem.kind === 'repeating') return 0;
	if (problem.kind === 'endless') return 'end';
	if (problem.kind !== 'blank') return reached;
	return problem.at >= reached ? 'end' : problem.at;
}

/** Unknown records are somewhere in the list, so a fast check looks for them. */
export function inHurry(list: ListState, now: number): ListState {
	const { scan } = list;
	if (scan.kind === 'first' || scan.pace === 'fast') return list;
	return { ...list, scan: { ...scan, reading: beginWholeReading(now), pace: 'fast' } };
}

interface Ended {
	readonly now: number;
	readonly isComplete: boolean;
	readonly readTo: number | 'end';
	/** Whether this poll has held back records. */
	readonly hasExisting: boolean;
	/** Whether it has found nothing, or one full page. */
	readonly isDoubtful: boolean;
}

function nextScan(
	scan: Scan,
	{ now, isComplete, readTo, hasExisting, isDoubtful }: Ended,
): Extract<Scan, { kind: 'check' }> {
	const reading = beginWholeReading(now);
	if (scan.kind === 'first') {
		const { emits, firstReadAt } = scan;
		const began = scan.after === 'unset' ? now : scan.after;
		const after = typeof emits === 'number' ? Math.min(began, emits) : began;
		const existing: ExistingRecords =
			emits === 'all'
				? { kind: 'none' }
				: {
						kind: 'firstDay',
						after,
						since: firstReadAt ?? now,
						checks: 0,
						readTo,
						// Old records may come in several imports.
						isDoubtful: isDoubtful || firstReadAt !== undefined,
					};
		return { kind: 'check', reading, pace: 'usual', existing, emits: 'nothing' };
	}
	const existing = readFurther(scan.existing, readTo);
	return {
		kind: 'check',
		reading,
		// A fast check is repeated until it is complete.
		pace: isComplete ? 'usual' : scan.pace,
		// As long as old records turn up, the first reading has not seen all of them.
		existing: isComplete && !hasExisting ? checkedOnce(existing, now) : existing,
		emits: isComplete ? 'nothing' : scan.emits,
	};
}

function readFurther(existing: ExistingRecords, to: number | 'end'): ExistingRecords {
	if (existing.kind === 'none') return existing;
	const { readTo: before } = existing;
	const readTo = before === 'end' || to === 'end' ? 'end' : Math.max(before, to);
	return { ...existing, readTo };
}

const CHECKS_TO_TRUST = 2;

/** Two checks of a short list take two minutes, so they alone do not show that it is known. */
function checkedOnce(existing: ExistingRecords, now: number): ExistingRecords {
	if (existing.kind === 'none') return existing;
	const checks = Math.min(CHECKS_TO_TRUST, existing.checks + 1);
	const isTrusted = checks >= CHECKS_TO_TRUST && Math.abs(now - existing.since) >= DAY;
	return isTrusted ? { kind: 'none' } : { ...existing, checks };
}

/**
 * A new day begins with the first complete check that ends after 24 hours. Records that were not seen
 * for 30 days are forgotten.
 */
function grownOlder(list: ListState, now: number): ListState {
	const { number, since } = list.day;
	if (now - since < DAY) return list;
	const next = nextDay(number);
	return { ...list, seen: list.seen.forgotten(next), day: { number: next, since: now } };
}
