/**
 * Decides which records that a poll has read are delivered, and what is remembered of them. A record
 * that does not fit into the batch stays unknown, and its place is kept for the next poll.
 */
import { cutGap, cutHead } from './head';
import { leftOut, changingFieldsAfter } from './changingFields';
import { stillAsked, withLeft } from './leftOver';
import { isPageDue } from './scan';
import type { Remembered } from './seen';
import { LASTING_POLLS, type ListState, type Part, type Scan, type Withheld } from './state';
import { cutTail, isTailDue } from './tail';
import { withoutSecondLook } from './problem';
import type { ListRules } from './rules';
import { isDoubtfulStart, MANY_AT_ONCE, readAgain, unprovenOf } from './doubtfulStart';
import { partOf, type WantedRecord, type SeenRecord, type Task, type Progress } from './progress';

const PARTS: readonly Part[] = ['tail', 'head', 'gaps', 'scan'];

export interface Settled {
	readonly delivered: readonly WantedRecord[];
	readonly list: ListState;
	/** When the complete check that has just ended began. Undefined if none has ended. */
	readonly checkedSince: number | undefined;
	/** Whether n8n should keep what was learned, although nothing is delivered. */
	readonly hasLearned: boolean;
}

export interface Ended {
	readonly before: ListState;
	readonly progress: Progress;
	readonly recordsRead: Iterable<SeenRecord>;
}

export function settleList(
	{ before, progress: ended, recordsRead }: Ended,
	{ quota, room }: { quota: number; room: number },
): Settled {
	const progress = cutShort(ended);
	const { now, rules } = progress.settings;
	const shown = [...recordsRead];
	const isMissed = isDoubtfulStart(before, now) && unprovenOf(shown, rules).length > MANY_AT_ONCE;
	const all = isMissed ? withoutDue(shown, rules) : shown;
	const wanted = inTurns(all.filter(isDue));
	const delivered = chosenOf(wanted, { quota, room });
	const chosen = new Set(delivered);
	const left = wanted.filter((one) => !chosen.has(one));
	const { list } = progress;
	// Delivered records must be remembered, so they get room first.
	const changes = learned([...delivered, ...all], { list, left, room, chosen });
	const known: ListState = {
		...list,
		scan: firstScanAfter(before, progress),
		seen: list.seen.with(changes),
		withheld: withheldAfter(before, all, { changes, now }),
		stalls: stallsAfter(before, { progress, hasDelivered: delivered.length > 0 }),
		changingFields: changingFieldsAfter(before.changingFields, {
			together: progress.together,
			learned: changes,
			now,
		}),
	};
	const rest = isMissed ? readAgain(known, now) : known;
	const first = firstOfNext(progress, { task: ended.task, list: rest });
	const places = stillAsked(withLeft({ ...rest, first }, left, { before, progress }), left, before);
	return {
		delivered,
		list: places,
		checkedSince: left.length > 0 ? undefined : progress.checkedSince,
		hasLearned:
			all.some(({ known, value, isLeftOut }) => known !== value && !isLeftOut) ||
			hasChanged(before, places, progress),
	};
}

/**
 * Whether something was learned that a restart should not lose. The progress of a check does not
 * count.
 */
function hasChanged(
	before: ListState,
	after: ListState,
	{ checkedSince, headRead }: Progress,
): boolean {
	const hasCheckedPages = checkedSince !== undefined && headRead.kind !== 'whole';
	return (
		hasCheckedPages ||
		before.scan.kind === 'first' ||
		existingBy(before) !== existingBy(after) ||
		before.day.number !== after.day.number ||
		before.problem.kind !== after.problem.kind ||
		before.gaps.length !== after.gaps.length ||
		before.withheld.count !== after.withheld.count ||
		leftOut(before.changingFields).join() !== leftOut(after.changingFields).join()
	);
}

function existingBy({ scan }: ListState): string {
	if (scan.kind === 'first' || scan.existing.kind === 'none') return 'none';
	const { checks, readTo } = scan.existing;
	return `${checks} checks, read to ${readTo}`;
}

/** A part that was due but could not begin comes first in the next poll, unless a page failed. */
function firstOfNext(
	{ later, settings, hasFailed }: Progress,
	{ task, list }: { task: Task; list: ListState },
): Part {
	if (hasFailed) return 'head';
	// A part that has begun does not come first again.
	const begun = task.kind === 'gap' ? partOf(task) : undefined;
	const isDue: Readonly<Record<Part, boolean>> = {
		head: true,
		gaps: list.gaps.length > 0,
		tail: isTailDue(list, settings.now),
		scan: isPageDue(list, 0, settings),
	};
	return later.find((part) => part !== begun && isDue[part]) ?? 'head';
}

/** A reading that ran out of time or failed continues where it stopped. */
function cutShort(progress: Progress): Progress {
	const cut = cutTask(withoutSecondLook(progress));
	const gaps = [...cut.list.gaps, ...cut.gapsLeft];
	return { ...cut, list: { ...cut.list, gaps }, gapsLeft: [] };
}

function cutTask(progress: Progress): Progress {
	const { task } = progress;
	switch (task.kind) {
		case 'head':
			return cutHead(progress, task);
		case 'gap':
			return cutGap(progress, task);
		case 'forward':
			return cutTail(progress, task);
		case 'scan':
			// The scan was due, but none of its pages was read.
			return task.read === 0 ? { ...progress, later: [...progress.later, partOf(task)] } : progress;
		default:
			return progress;
	}
}

const isDue = (one: SeenRecord): one is WantedRecord => one.wanted !== undefined;

/** Nothing shows that these records are new, so they are remembered as not delivered. */
function withoutDue(recordsRead: readonly SeenRecord[], rules: ListRules): SeenRecord[] {
	const unproven = new Set(unprovenOf(recordsRead, rules));
	return recordsRead.map((one) =>
		unproven.has(one) ? { ...one, wanted: undefined, isExisting: true } : one,
	);
}

/** Counts the records that were held back after the first reading. */
function withheldAfter(
	{ scan, withheld }: ListState,
	recordsRead: readonly SeenRecord[],
	{ changes, now }: { changes: ReadonlyMap<number, Remembered>; now: number },
): Withheld {
	if (scan.kind === 'first' && scan.firstReadAt === undefined) return withheld;
	const held = recordsRead.filter(
		({ isExisting, known, hash }) => isExisting && known === undefined && changes.has(hash),
	);
	if (held.length === 0) return withheld;
	return {
		count: withheld.count + held.length,
		latest: held.reduce((last, { createdAt = 0 }) => Math.max(last, createdAt), withheld.latest),
		since: withheld.count === 0 ? now : withheld.since,
	};
}

/**
 * Whether a first reading has stopped, so that it may never end. One that is interrupted again and
 * again, but finds further records, has not.
 */
function firstScanAfter(before: ListState, { list, hasFailed, headRead }: Progress): Scan {
	const { scan } = list;
	if (scan.kind !== 'first') return scan;
	const hasAdvanced = scan.reading.unknown > before.scan.reading.unknown;
	const hasStopped = scan.isStopped || (hasFailed && headRead.kind !== 'not');
	return { ...scan, isStopped: hasStopped && !hasAdvanced };
}

/** A page elsewhere does not show that the complete check advances. */
function stallsAfter(
	before: ListState,
	{ progress, hasDelivered }: { progress: Progress; hasDelivered: boolean },
): number {
	const { scan } = progress.list;
	const hasAdvanced =
		scan.kind !== before.scan.kind ||
		scan.reading.since !== before.scan.reading.since ||
		scan.reading.reached > before.scan.reading.reached ||
		progress.skipped > 0 ||
		progress.checkedSince !== undefined;
	if (hasAdvanced || hasDelivered) return 0;
	return Math.min(LASTING_POLLS, before.stalls + (progress.hasAskedScan ? 1 : 0));
}

/** Each part of the list has its share of the batch: a burst at one end does not hide the other. */
function inTurns(wanted: readonly WantedRecord[]): WantedRecord[] {
	const queues = PARTS.map((part) =>
		wanted.filter((one) => one.part === part).sort((one, other) => one.position - other.position),
	);
	const longest = Math.max(...queues.map(({ length }) => length));
	return Array.from({ length: longest }, (_, index) =>
		queues.flatMap((queue) => queue.slice(index, index + 1)),
	).flat();
}

/** A new record that cannot be remembered would be delivered again with every poll. */
function chosenOf(
	wanted: readonly WantedRecord[],
	{ quota, room }: { quota: number; room: number },
): WantedRecord[] {
	const chosen: WantedRecord[] = [];
	let space = room;
	for (const one of wanted) {
		if (chosen.length >= quota) break;
		if (one.known === undefined && space <= 0) continue;
		if (one.known === undefined) space -= 1;
		chosen.push(one);
	}
	return chosen;
}

function learned(
	recordsRead: readonly SeenRecord[],
	{
		list,
		left,
		room,
		chosen,
	}: {
		list: ListState;
		left: readonly SeenRecord[];
		room: number;
		chosen: ReadonlySet<SeenRecord>;
	},
): ReadonlyMap<number, Remembered> {
	const { number: day } = list.day;
	const unlearned = new Set(left);
	const changes = new Map<number, Remembered>();
	let space = room;
	for (const one of recordsRead) {
		if (unlearned.has(one) || changes.has(one.hash)) continue;
		if (one.known === undefined && space <= 0) continue;
		if (one.known === undefined) space -= 1;
		const before = list.seen.get(one.hash);
		const isDelivered = before?.isDelivered === true || chosen.has(one);
		const isSame = before?.value === one.value && before.isDelivered === isDelivered;
		if (isSame && before.day === day) continue;
		changes.set(one.hash, { value: one.value, day, isDelivered });
	}
	return changes;
}
