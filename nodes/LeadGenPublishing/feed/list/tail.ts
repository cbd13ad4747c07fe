/**
 * Reads the tail of a list: the page where the list ended, and what follows it. If much follows,
 * `findEnd` looks for the new end with growing jumps.
 *
 *   locate ──known records──▶ forward ──the end──▶ done
 *      ▲                        │ a page of known records, and more
 *      └──unknown records──── findEnd ──▶ done
 */
import type { PageView } from './compare';
import { overlapOf, strideOf } from './page';
import { advance, beginReading, endsKnown } from './reading';
import { saysMoreAlways, type ListState } from './state';
import { over, type Task, type Progress } from './progress';

const DAY = 24 * 3_600_000;
const MAX_LOOKS = 12;

type LocateTask = Extract<Task, { kind: 'locate' }>;
type ForwardTask = Extract<Task, { kind: 'forward' }>;
type FindEndTask = Extract<Task, { kind: 'findEnd' }>;

/** @doubt listOrder */
export function isTailDue(
	{ polls, tailNewsAt, scan, problem, first }: ListState,
	now: number,
): boolean {
	const hasNoTail = problem.kind === 'refused' || problem.kind === 'repeating';
	if (scan.kind === 'first' || hasNoTail) return false;
	return polls === 0 || first === 'tail' || Math.abs(now - tailNewsAt) < DAY;
}

/** @doubt listOrder */
export const beginTail = ({ end, size }: ListState): LocateTask =>
	locateFrom(Math.max(0, end - overlapOf(size)), {
		back: strideOf(size),
		wanted: 0,
		isEndSeen: false,
	});

const locateFrom = (
	at: number,
	{ back, wanted, isEndSeen }: { back: number; wanted: number; isEndSeen: boolean },
): LocateTask => ({
	kind: 'locate',
	reading: beginReading({ at, overlap: { kind: 'known', back } }),
	wanted,
	isEndSeen,
});

/** @doubt listOrder */
export function locateAfter(progress: Progress, task: LocateTask, view: PageView): Progress {
	const { isEndSeen } = task;
	const { overlap } = task.reading;
	if (view.entries.length === 0 && view.offset > 0) {
		// The list has become shorter.
		const back = overlap.kind === 'known' ? overlap.back : strideOf(view.size);
		const at = Math.max(0, view.offset - back);
		const { wanted } = task;
		return { ...progress, task: locateFrom(at, { back: 2 * back, wanted, isEndSeen }) };
	}
	return forwardAfter(progress, task, view);
}

export function forwardAfter(
	progress: Progress,
	task: LocateTask | ForwardTask,
	view: PageView,
): Progress {
	const advanced = advance(task.reading, view, view.news);
	if (advanced.kind === 'repeating') return over(progress);
	const next = { ...task, reading: advanced.reading, wanted: task.wanted + view.wanted };
	return advanced.kind === 'elsewhere'
		? { ...progress, task: next }
		: goForward(progress, next, view);
}

function goForward(progress: Progress, before: LocateTask | ForwardTask, view: PageView): Progress {
	const { reading, wanted, isEndSeen } = before;
	const { list, settings } = progress;
	const reached = view.offset + view.entries.length;
	const isKnown = endsKnown(view);
	// If the service always announces more, a page that is not full is the last one.
	const isLast = saysMoreAlways(list.problem) && isKnown && view.entries.length < view.size;
	if (!view.hasMore || isLast) return over({ ...progress, list: { ...list, end: reached } });
	const further: ListState = { ...list, end: Math.max(list.end, reached) };
	if (isKnown && before.kind === 'forward' && !isEndSeen) {
		const jump = 2 * strideOf(view.size);
		const findEnd: FindEndTask = {
			kind: 'findEnd',
			filled: view.offset,
			empty: 'unknown',
			jump,
			requests: 0,
		};
		return { ...progress, list: further, task: findEnd };
	}
	const next: ForwardTask = { kind: 'forward', reading, wanted, isEndSeen };
	return wanted >= settings.maxItems ? cutTail(progress, next) : { ...progress, task: next };
}

/** More unknown records follow. The next poll continues there. */
export function cutTail(progress: Progress, { reading }: ForwardTask): Progress {
	const { list, settings } = progress;
	return over({ ...progress, list: { ...list, end: reading.reached, tailNewsAt: settings.now } });
}

/** Where the search for the end looks next. */
export const placeToLook = ({ filled, empty, jump }: FindEndTask): number =>
	empty === 'unknown' ? filled + jump : Math.floor((filled + empty) / 2);

/** @doubt listOrder */
export function findEndAfter(progress: Progress, task: FindEndTask, view: PageView): Progress {
	const { list } = progress;
	const { offset, entries, hasMore, size, wanted } = view;
	const reached = offset + entries.length;
	const isEnd = entries.length > 0 && !hasMore;
	const end = isEnd ? reached : Math.max(list.end, reached);
	const told: Progress = { ...progress, list: { ...list, end } };
	const first = entries.find((entry) => entry !== undefined);
	if (isEnd && first?.isUnknown !== true) return over(told);
	// It may only skip known records.
	if (entries.some((entry) => entry?.isUnknown === true)) {
		const before = Math.max(0, offset - strideOf(size));
		const located = locateFrom(before, { back: strideOf(size), wanted, isEndSeen: true });
		return { ...told, task: located };
	}
	const requests = task.requests + 1;
	const next: FindEndTask =
		entries.length > 0
			? { ...task, filled: offset, jump: 2 * task.jump, requests }
			: { ...task, empty: offset, requests };
	const isFound = next.empty !== 'unknown' && next.empty - next.filled <= 1;
	return isFound || requests >= MAX_LOOKS ? over(told) : { ...told, task: next };
}
