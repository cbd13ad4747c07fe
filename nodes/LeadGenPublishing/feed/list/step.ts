/**
 * One list, page by page: `step` takes the state of the reading and a response, and returns what is
 * new and which page to request next. Pure: it sends nothing, and the time is passed in.
 */
import { gapAfter, headAfter, headPastBlank } from './head';
import { comparePage, type PageView } from './compare';
import { goOn, partsToRead, pageWantedBy } from './nextRequest';
import { strideOf, type PageAnswer, type ListPage } from './page';
import { atBlank, atRefusal, inHurry, MAX_SKIPPED, scanAfter } from './scan';
import { isLasting, saysMoreAlways, type ListState } from './state';
import { withPageOf } from './changingFields';
import { forwardAfter, findEndAfter, locateAfter } from './tail';
import { isBelieved, isOverWith, lookAt, problemAfter, type Look } from './problem';
import {
	partOf,
	type SeenRecord,
	type SecondLook,
	type Step,
	type Progress,
	type ReadSettings,
} from './progress';

/** Without news at the tail, it is only read in one of so many polls. */
const TAIL_EVERY = 5;
/** The most pages of one poll: those of MOST_READINGS readings of the list, and MORE_PAGES. */
const MOST_READINGS = 3;
const MORE_PAGES = 50;

export function beginProgress(before: ListState, settings: ReadSettings): Step {
	const list = atThisTime(before, settings.now);
	const progress: Progress = {
		settings,
		list: { ...list, gaps: [] },
		task: { kind: 'done' },
		later: settings.isHeadOnly ? ['head'] : partsToRead(list),
		gapsLeft: list.gaps,
		secondLook: { kind: 'none' },
		hasFailed: false,
		hasCountedProblem: false,
		headRead: { kind: 'not' },
		servedAt: undefined,
		checkedSince: undefined,
		wanted: 0,
		hasExisting: false,
		pages: 0,
		skipped: 0,
		hasAskedScan: false,
		withoutId: 0,
		unreadable: 0,
		undated: 0,
		together: new Map(),
	};
	return goOn(progress, []);
}

/** A clock that was set back must not make anything wait. */
function atThisTime(list: ListState, now: number): ListState {
	const { scan, day } = list;
	const reading = { ...scan.reading, since: Math.min(scan.reading.since, now) };
	return {
		...list,
		polls: (list.polls + 1) % TAIL_EVERY,
		scan: { ...scan, reading },
		day: { number: day.number, since: Math.min(day.since, now) },
	};
}

export function step(
	before: Progress,
	answer: PageAnswer,
	recordsRead: ReadonlyMap<number, SeenRecord>,
): Step {
	const progress: Progress = {
		...before,
		pages: before.pages + 1,
		hasAskedScan: before.hasAskedScan || before.task.kind === 'scan',
	};
	const request = pageWantedBy(progress.task, progress.list);
	if (isBeyondReason(progress, recordsRead.size)) return { progress, found: [], ask: undefined };
	if (answer.kind === 'refused') return goOn(afterRefusal(progress, request.offset), []);
	const { page } = answer;
	const look = lookAt(page, request.offset, progress.list);
	const isDoubtful = look !== 'fine' && !isBelieved(look, progress.list.problem);
	if (isDoubtful && progress.secondLook.kind === 'none') {
		const secondLook: SecondLook = { kind: 'due', doubt: look, at: request.offset };
		return { progress: { ...progress, secondLook }, found: [], ask: request };
	}
	const timed = withTimes({ ...progress, secondLook: { kind: 'none' } }, page);
	if (look === 'blank') return goOn(afterBlank(timed, request.offset), []);
	if (look === 'misplaced' && isDoubtful) return goOn(atWrongStart(timed, look), []);
	return withRecords(timed, page, { offset: request.offset, look, recordsRead });
}

function withRecords(
	progress: Progress,
	page: ListPage,
	{
		offset,
		look,
		recordsRead,
	}: { offset: number; look: Look; recordsRead: ReadonlyMap<number, SeenRecord> },
): Step {
	const { settings, task, list, servedAt } = progress;
	const view = comparePage(page, {
		list,
		settings,
		part: partOf(task),
		offset,
		servedAt,
		recordsRead,
	});
	const seen: Progress = {
		...progress,
		list: withPage(progress.list, { view, look, now: settings.now }),
		wanted: progress.wanted + view.wanted,
		hasExisting: progress.hasExisting || view.hasExisting,
		withoutId: progress.withoutId + view.withoutId + (page.nulls ?? 0),
		unreadable: progress.unreadable + view.unreadable,
		undated: progress.undated + view.undated,
		together: withPageOf(progress.together, view.shown),
	};
	return goOn(afterPage(seen, view), view.found);
}

/**
 * Whether the reading must end. A list that keeps changing, or random responses, could keep it
 * going forever.
 */
function isBeyondReason({ list, pages }: Progress, recordsRead: number): boolean {
	return (
		pages >
		MOST_READINGS * Math.ceil((list.seen.size + recordsRead) / strideOf(list.size)) + MORE_PAGES
	);
}

/** The first reading compares creation times with the service's own clock. */
function withTimes(progress: Progress, page: ListPage): Progress {
	const { list, settings } = progress;
	const { scan } = list;
	const servedAt = page.servedAt ?? settings.now;
	const timed: Progress = { ...progress, servedAt: progress.servedAt ?? servedAt };
	if (scan.kind !== 'first' || scan.after !== 'unset') return timed;
	// The trigger was published before the service first answered.
	const after = servedAt - (settings.now - scan.reading.since);
	return { ...timed, list: { ...list, scan: { ...scan, after } } };
}

/** What a page shows about its list, whichever part it was read for. */
function withPage(
	list: ListState,
	{ view, look, now }: { view: PageView; look: Look; now: number },
): ListState {
	const { offset, entries, hasMore, size } = view;
	const { problem, scan } = list;
	const last = entries.findLast((entry) => entry !== undefined);
	// If the service always announces more, a page that is not full is the last one.
	const isLast = !hasMore || (saysMoreAlways(problem) && entries.length < size);
	const isTailNews =
		scan.kind === 'check' && isLast && offset > 0 && last !== undefined && last.isUnknown;
	return {
		...list,
		size,
		tailNewsAt: isTailNews ? now : list.tailNewsAt,
		problem: isOverWith(view, problem, look) ? { kind: 'none' } : problem,
	};
}

function afterPage(progress: Progress, view: PageView): Progress {
	const { task } = progress;
	switch (task.kind) {
		case 'head':
			return headAfter(progress, task, view);
		case 'gap':
			return gapAfter(progress, task, view);
		case 'locate':
			return locateAfter(progress, task, view);
		case 'forward':
			return forwardAfter(progress, task, view);
		case 'findEnd':
			return findEndAfter(progress, task, view);
		case 'scan':
			return scanAfter(progress, task, view);
		case 'done':
			return progress;
	}
}

function afterBlank(progress: Progress, offset: number): Progress {
	const { task, list, skipped } = progress;
	const problem = problemAfter(progress, 'blank', offset);
	const isBlank = isLasting(problem);
	if (task.kind === 'scan' && (offset > 0 || isBlank)) return atBlank(progress, offset);
	const next: Progress = { ...progress, list: { ...list, problem }, hasCountedProblem: true };
	if (task.kind === 'head' && isBlank && offset < list.end - list.size && skipped < MAX_SKIPPED)
		return headPastBlank(next, task);
	if (offset === 0 && !isBlank) return atWrongStart(progress, 'blank');
	// The places of the check count, and not those that another part asks for. It looks for what this
	// part has not come to.
	const isCut = task.kind === 'gap' || (task.kind === 'head' && task.reading.unknown > 0);
	const left = isCut ? inHurry(list, progress.settings.now) : list;
	return { ...progress, list: left, task: { kind: 'done' } };
}

/** Without its first page, this poll can say nothing about the list. */
function atWrongStart(progress: Progress, kind: Exclude<Look, 'fine' | 'emptied'>): Progress {
	const problem = problemAfter(progress, kind, 0);
	const list = { ...progress.list, problem };
	return { ...progress, list, task: { kind: 'done' }, later: [] };
}

function afterRefusal(progress: Progress, offset: number): Progress {
	const { kind } = progress.task;
	// A scan that searches for its place has jumped to this offset, so it continues the search above.
	const isSearching = progress.list.scan.reading.overlap.kind === 'search';
	if (kind === 'scan' && isSearching) return afterPage(progress, nothingAt(offset, progress.list));
	if (kind === 'scan') return atRefusal(progress, offset);
	// Some services reject an offset past the end, and the list may have become shorter.
	if (kind === 'locate' || kind === 'findEnd')
		return afterPage(progress, nothingAt(offset, progress.list));
	// The scan finds out from which offset on the service rejects requests.
	return { ...progress, task: { kind: 'done' } };
}

const nothingAt = (offset: number, { size }: ListState): PageView => ({
	offset,
	entries: [],
	hasMore: false,
	size,
	found: [],
	unknown: 0,
	news: 0,
	wanted: 0,
	hasExisting: false,
	withoutId: 0,
	unreadable: 0,
	undated: 0,
	shown: [],
});
