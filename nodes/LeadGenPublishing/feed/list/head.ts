/** Reads the head of a list, and the gaps further down, where unknown records were left over. */
import { LOOSE } from './joint';
import type { PageView } from './meet';
import { isDoubtfulStart, MANY_AT_ONCE } from './doubtfulStart';
import { overlapOf, strideOf } from './page';
import { advance, atStart, beginReading, endsKnown, movedDown } from './reading';
import { atEnd, inHurry } from './scan';
import { isBeyondReach, type ListState, type Pass } from './state';
import { over, type Task, type Turn } from './turn';

type HeadTask = Extract<Task, { kind: 'head' }>;
type GapTask = Extract<Task, { kind: 'gap' }>;

export const beginHead = (): HeadTask => ({
	kind: 'head',
	reading: beginReading(atStart),
	lead: 0,
	isLeading: true,
	wanted: 0,
});

export function headAfter(turn: Turn, task: HeadTask, view: PageView): Turn {
	const advanced = advance(task.reading, view, view.news);
	if (advanced.kind === 'stuck') return endHead(turn, task, view);
	const { reading } = advanced;
	const run = task.isLeading ? leadingUnknown(view) : 0;
	const next: HeadTask = {
		kind: 'head',
		reading,
		lead: task.lead + run,
		isLeading: task.isLeading && view.entries.every((entry) => entry?.isUnknown !== false),
		wanted: task.wanted + view.wanted,
	};
	if (advanced.kind === 'apart') return { ...turn, task: next };
	if (!view.hasMore) return endWithWhole(turn, next, view);
	if (endsKnown(view) || isBeyondReach(turn.list, reading.at)) return endHead(turn, next, view);
	if (next.wanted > enoughOf(turn)) return cutHead(turn, next);
	return { ...turn, task: next };
}

/** How many records fill the batch. More are read if they may have existed before. */
const enoughOf = ({ list, settings }: Turn): number =>
	isDoubtfulStart(list, settings.now)
		? Math.max(settings.maxItems, MANY_AT_ONCE)
		: settings.maxItems;

/** An empty page announces more, but known records follow further down. */
export function headPastBlank(turn: Turn, task: HeadTask): Turn {
	const { reading } = task;
	const at = reading.at + turn.list.size;
	return {
		...turn,
		skipped: turn.skipped + 1,
		task: { ...task, reading: { ...reading, at, joint: LOOSE } },
	};
}

/** How many records that only this page has shown come before the first known one. */
function leadingUnknown({ entries, found }: PageView): number {
	const first = entries.findIndex((entry) => entry?.isUnknown === false);
	const above = new Set(
		(first < 0 ? entries : entries.slice(0, first)).map((entry) => entry?.hash),
	);
	return found.filter(({ hash, known }) => known === undefined && above.has(hash)).length;
}

/** The head reached the end of the list, so no scan is needed. */
function endWithWhole(turn: Turn, { reading }: HeadTask, view: PageView): Turn {
	const { list, settings } = turn;
	const pass: Pass = { ...reading, since: settings.now };
	const end = view.offset + view.entries.length;
	return atEnd({
		...turn,
		list: { ...list, end, scan: { ...list.scan, pass } },
		headRead: { kind: 'whole' },
		gapsLeft: [],
		later: [],
	});
}

/** The head reached known records. */
function endHead(turn: Turn, task: HeadTask, view: PageView): Turn {
	const reached = view.offset + view.entries.length;
	const moved = withLead(turn, task.lead);
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
export function cutHead(turn: Turn, { reading, lead }: HeadTask): Turn {
	if (reading.unknown === 0) return over(turn);
	const moved = withLead(turn, lead);
	const { list } = moved;
	const { scan } = list;
	// It is unknown how many records were added, so the scan accepts its next page without an
	// overlap.
	const pass: Pass = scan.pass.at > 0 ? { ...scan.pass, joint: LOOSE } : scan.pass;
	return over({
		...moved,
		list: {
			...list,
			end: Math.max(list.end, reading.reached),
			scan: { ...scan, pass },
			gaps: [...list.gaps, reading.reached],
		},
		headRead: { kind: 'not' },
		gapsLeft: moved.gapsLeft.filter((place) => place > reading.reached),
	});
}

/** Records that were added at the head have moved all others down. */
function withLead(turn: Turn, lead: number): Turn {
	const { list, gapsLeft } = turn;
	const by = Math.max(0, lead - list.lead);
	const { scan } = list;
	const pass: Pass = { ...movedDown(scan.pass, by), since: scan.pass.since };
	return {
		...turn,
		list: { ...list, end: list.end + by, scan: { ...scan, pass } },
		gapsLeft: gapsLeft.map((place) => place + by),
	};
}

// Gaps

export const beginGap = (place: number, { size }: ListState): GapTask => ({
	kind: 'gap',
	place,
	reading: beginReading({
		at: Math.max(0, place - overlapOf(size)),
		joint: { kind: 'known', back: strideOf(size) },
	}),
	wanted: 0,
});

export function gapAfter(turn: Turn, task: GapTask, view: PageView): Turn {
	const { list, settings } = turn;
	const advanced = advance(task.reading, view, view.news);
	if (advanced.kind === 'stuck') return over(turn);
	const { reading } = advanced;
	const next: GapTask = { ...task, reading, wanted: task.wanted + view.wanted };
	if (advanced.kind === 'apart') return { ...turn, task: next };
	if (view.hasMore && !endsKnown(view) && !isBeyondReach(list, reading.at))
		return next.wanted > settings.maxItems ? cutGap(turn, next) : { ...turn, task: next };
	// The records that were left over are gone or have moved. A fast check looks for them.
	return over(reading.unknown > 0 ? turn : { ...turn, list: inHurry(list, settings.now) });
}

/** The next poll continues at this gap. */
export function cutGap(turn: Turn, { place, reading }: GapTask): Turn {
	const { list } = turn;
	// While it looks for known records, it goes further back in each poll.
	const isLooking = reading.joint.kind === 'known' && reading.at < place;
	const from = isLooking ? reading.at + overlapOf(list.size) : place;
	const at = reading.unknown > 0 && !isLooking ? reading.reached : from;
	return over({ ...turn, list: { ...list, gaps: [...list.gaps, at] } });
}
