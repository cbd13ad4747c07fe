/** Reads the head of a list, and the gaps further down, where unknown records were left over. */
import { UNCHECKED } from './overlap';
import type { PageView } from './compare';
import { isDoubtfulStart, MANY_AT_ONCE } from './doubtfulStart';
import { overlapOf, strideOf } from './page';
import { advance, atStart, beginReading, endsKnown, movedDown } from './reading';
import { atEnd, inHurry } from './scan';
import { isBeyondReach, type ListState, type WholeReading } from './state';
import { over, type Task, type Progress } from './progress';

type HeadTask = Extract<Task, { kind: 'head' }>;
type GapTask = Extract<Task, { kind: 'gap' }>;

export const beginHead = (): HeadTask => ({
	kind: 'head',
	reading: beginReading(atStart),
	newAtTop: 0,
	isOnlyNew: true,
	wanted: 0,
});

export function headAfter(progress: Progress, task: HeadTask, view: PageView): Progress {
	const advanced = advance(task.reading, view, view.news);
	if (advanced.kind === 'repeating') return endHead(progress, task, view);
	const { reading } = advanced;
	const run = task.isOnlyNew ? unknownAtTop(view) : 0;
	const next: HeadTask = {
		kind: 'head',
		reading,
		newAtTop: task.newAtTop + run,
		isOnlyNew: task.isOnlyNew && view.entries.every((entry) => entry?.isUnknown !== false),
		wanted: task.wanted + view.wanted,
	};
	if (advanced.kind === 'elsewhere') return { ...progress, task: next };
	if (!view.hasMore) return endWithWhole(progress, next, view);
	if (endsKnown(view) || isBeyondReach(progress.list, reading.at))
		return endHead(progress, next, view);
	if (next.wanted > enoughOf(progress)) return cutHead(progress, next);
	return { ...progress, task: next };
}

/** How many records fill the batch. More are read if they may have existed before. */
const enoughOf = ({ list, settings }: Progress): number =>
	isDoubtfulStart(list, settings.now)
		? Math.max(settings.maxItems, MANY_AT_ONCE)
		: settings.maxItems;

/** An empty page announces more, but known records follow further down. */
export function headPastBlank(progress: Progress, task: HeadTask): Progress {
	const { reading } = task;
	const at = reading.at + progress.list.size;
	return {
		...progress,
		skipped: progress.skipped + 1,
		task: { ...task, reading: { ...reading, at, overlap: UNCHECKED } },
	};
}

/** How many records that only this page has shown come before the first known one. */
function unknownAtTop({ entries, found }: PageView): number {
	const first = entries.findIndex((entry) => entry?.isUnknown === false);
	const above = new Set(
		(first < 0 ? entries : entries.slice(0, first)).map((entry) => entry?.hash),
	);
	return found.filter(({ hash, known }) => known === undefined && above.has(hash)).length;
}

/** The head reached the end of the list, so no scan is needed. */
function endWithWhole(progress: Progress, { reading }: HeadTask, view: PageView): Progress {
	const { list, settings } = progress;
	const whole: WholeReading = { ...reading, since: settings.now };
	const end = view.offset + view.entries.length;
	return atEnd({
		...progress,
		list: { ...list, end, scan: { ...list.scan, reading: whole } },
		headRead: { kind: 'whole' },
		gapsLeft: [],
		later: [],
	});
}

/** The head reached known records. */
function endHead(progress: Progress, task: HeadTask, view: PageView): Progress {
	const reached = view.offset + view.entries.length;
	const moved = movedByNew(progress, task.newAtTop);
	const { list } = moved;
	return over({
		...moved,
		list: { ...list, end: Math.max(list.end, reached) },
		headRead: { kind: 'known', reading: task.reading },
		gapsLeft: moved.gapsLeft.filter((place) => place >= reached),
	});
}

/**
 * Unknown records may follow, but there is no room or time for them. The next poll continues there.
 */
export function cutHead(progress: Progress, { reading, newAtTop }: HeadTask): Progress {
	if (reading.unknown === 0) return over(progress);
	const moved = movedByNew(progress, newAtTop);
	const { list } = moved;
	const { scan } = list;
	// It is unknown how many records were added, so the scan accepts its next page without an
	// overlap.
	const whole: WholeReading =
		scan.reading.at > 0 ? { ...scan.reading, overlap: UNCHECKED } : scan.reading;
	return over({
		...moved,
		list: {
			...list,
			end: Math.max(list.end, reading.reached),
			scan: { ...scan, reading: whole },
			gaps: [...list.gaps, reading.reached],
		},
		headRead: { kind: 'not' },
		gapsLeft: moved.gapsLeft.filter((place) => place > reading.reached),
	});
}

/** Records that were added at the head have moved all others down. */
function movedByNew(progress: Progress, newAtTop: number): Progress {
	const { list, gapsLeft } = progress;
	const by = Math.max(0, newAtTop - list.newAtTop);
	const { scan } = list;
	const reading: WholeReading = { ...movedDown(scan.reading, by), since: scan.reading.since };
	return {
		...progress,
		list: { ...list, end: list.end + by, scan: { ...scan, reading } },
		gapsLeft: gapsLeft.map((place) => place + by),
	};
}

// Gaps

export const beginGap = (place: number, { size }: ListState): GapTask => ({
	kind: 'gap',
	place,
	reading: beginReading({
		at: Math.max(0, place - overlapOf(size)),
		overlap: { kind: 'known', back: strideOf(size) },
	}),
	wanted: 0,
});

export function gapAfter(progress: Progress, task: GapTask, view: PageView): Progress {
	const { list, settings } = progress;
	const advanced = advance(task.reading, view, view.news);
	if (advanced.kind === 'repeating') return over(progress);
	const { reading } = advanced;
	const next: GapTask = { ...task, reading, wanted: task.wanted + view.wanted };
	if (advanced.kind === 'elsewhere') return { ...progress, task: next };
	if (view.hasMore && !endsKnown(view) && !isBeyondReach(list, reading.at))
		return next.wanted > settings.maxItems ? cutGap(progress, next) : { ...progress, task: next };
	// The records that were left over are gone or have moved. A fast check looks for them.
	return over(reading.unknown > 0 ? progress : { ...progress, list: inHurry(list, settings.now) });
}

/** The next poll continues at this gap. */
export function cutGap(progress: Progress, { place, reading }: GapTask): Progress {
	const { list } = progress;
	// While it looks for known records, it goes further back in each poll.
	const isLooking = reading.overlap.kind === 'known' && reading.at < place;
	const from = isLooking ? reading.at + overlapOf(list.size) : place;
	const at = reading.unknown > 0 && !isLooking ? reading.reached : from;
	return over({ ...progress, list: { ...list, gaps: [...list.gaps, at] } });
}
