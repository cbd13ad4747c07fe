/**
 * Decides which records that a poll has met are delivered, and what is remembered of them. A record
 * that does not fit into the batch stays unknown, and its place is kept for the next poll.
 */
import { strideOf } from './page';
import { cutGap, cutHead } from './head';
import { leftOut, restlessAfter } from './restless';
import { inHurry, isPageDue } from './scan';
import type { Remembered } from './seen';
import { LASTING_POLLS, type ListState, type Part, type Pass, type Withheld } from './state';
import { cutTail, isTailDue } from './tail';
import { withoutSecondLook } from './trouble';
import type { ListRules } from './rules';
import { isDoubtfulStart, MANY_AT_ONCE, readAgain, unprovenOf } from './doubtfulStart';
import { partOf, type Due, type Met, type Task, type Turn } from './turn';

/** If more gaps than this are left, a fast check looks for their records instead. */
const MAX_GAPS = 8;
const PARTS: readonly Part[] = ['tail', 'head', 'gaps', 'scan'];

export interface Settled {
	readonly delivered: readonly Due[];
	readonly list: ListState;
	/** When the complete check that has just ended began. Undefined if none has ended. */
	readonly checkedSince: number | undefined;
	/** Whether n8n should keep what was learned, although nothing is delivered. */
	readonly hasLearned: boolean;
}

export interface Ended {
	readonly before: ListState;
	readonly turn: Turn;
	readonly met: Iterable<Met>;
}

export function settleList(
	{ before, turn: ended, met }: Ended,
	{ quota, room }: { quota: number; room: number },
): Settled {
	const turn = cutShort(ended);
	const { now, rules } = turn.settings;
	const shown = [...met];
	const isMissed = isDoubtfulStart(before, now) && unprovenOf(shown, rules).length > MANY_AT_ONCE;
	const all = isMissed ? withoutDue(shown, rules) : shown;
	const due = inTurns(all.filter(isDue));
	const delivered = chosenOf(due, { quota, room });
	const chosen = new Set(delivered);
	const left = due.filter((one) => !chosen.has(one));
	const { list } = turn;
	// Delivered records must be remembered, so they get room first.
	const changes = learned([...delivered, ...all], { list, left, room, chosen });
	const known: ListState = {
		...list,
		seen: list.seen.with(changes),
		withheld: withheldAfter(before, all, { changes, now }),
		stalls: stallsAfter(before, { turn, hasDelivered: delivered.length > 0 }),
		restless: restlessAfter(before.restless, { together: turn.together, learned: changes, now }),
	};
	const rest = isMissed ? readAgain(known, now) : known;
	const first = firstOfNext(turn, { task: ended.task, list: rest });
	const places = withLeft({ ...rest, first }, left, { before, turn });
	return {
		delivered,
		list: places,
		checkedSince: left.length > 0 ? undefined : turn.checkedSince,
		hasLearned:
			all.some(({ known, value, isRestless }) => known !== value && !isRestless) ||
			hasChanged(before, places, turn),
	};
}

/**
 * Whether something was learned that a restart should not lose. The progress of a check does not
 * count.
 */
function hasChanged(
	before: ListState,
	after: ListState,
	{ checkedSince, headRead }: Turn,
): boolean {
	const hasCheckedPages = checkedSince !== undefined && headRead.kind !== 'whole';
	return (
		hasCheckedPages ||
		before.scan.kind === 'first' ||
		heldBackBy(before) !== heldBackBy(after) ||
		before.generation.number !== after.generation.number ||
		before.trouble.kind !== after.trouble.kind ||
		before.gaps.length !== after.gaps.length ||
		before.withheld.count !== after.withheld.count ||
		leftOut(before.restless).join() !== leftOut(after.restless).join()
	);
}

function heldBackBy({ scan }: ListState): string {
	if (scan.kind === 'first' || scan.heldBack.kind === 'none') return 'none';
	const { checks, readTo } = scan.heldBack;
	return `${checks} checks, read to ${readTo}`;
}

/** A part that was due but could not begin comes first in the next poll, unless a page failed. */
function firstOfNext(
	{ later, settings, hasFailed }: Turn,
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
function cutShort(turn: Turn): Turn {
	const cut = cutTask(withoutSecondLook(turn));
	const gaps = [...cut.list.gaps, ...cut.gapsLeft];
	return { ...cut, list: { ...cut.list, gaps }, gapsLeft: [] };
}

function cutTask(turn: Turn): Turn {
	const { task } = turn;
	switch (task.kind) {
		case 'head':
			return cutHead(turn, task);
		case 'gap':
			return cutGap(turn, task);
		case 'forward':
			return cutTail(turn, task);
		case 'scan':
			// The scan was due, but none of its pages was read.
			return task.read === 0 ? { ...turn, later: [...turn.later, partOf(task)] } : turn;
		default:
			return turn;
	}
}

const isDue = (one: Met): one is Due => one.due !== undefined;

/** Nothing shows that these records are new, so they are remembered as not delivered. */
function withoutDue(met: readonly Met[], rules: ListRules): Met[] {
	const unproven = new Set(unprovenOf(met, rules));
	return met.map((one) => (unproven.has(one) ? { ...one, due: undefined, isHeldBack: true } : one));
}

/** Counts the records that were held back after the first reading. */
function withheldAfter(
	{ scan, withheld }: ListState,
	met: readonly Met[],
	{ changes, now }: { changes: ReadonlyMap<number, Remembered>; now: number },
): Withheld {
	if (scan.kind === 'first' && !scan.isRepeated) return withheld;
	const held = met.filter(
		({ isHeldBack, known, hash }) => isHeldBack && known === undefined && changes.has(hash),
	);
	if (held.length === 0) return withheld;
	return {
		count: withheld.count + held.length,
		latest: held.reduce((last, { createdAt = 0 }) => Math.max(last, createdAt), withheld.latest),
		since: withheld.count === 0 ? now : withheld.since,
	};
}

/** A page elsewhere does not show that the complete check advances. */
function stallsAfter(
	before: ListState,
	{ turn, hasDelivered }: { turn: Turn; hasDelivered: boolean },
): number {
	const { scan } = turn.list;
	const hasAdvanced =
		scan.kind !== before.scan.kind ||
		scan.pass.since !== before.scan.pass.since ||
		scan.pass.reached > before.scan.pass.reached ||
		turn.skipped > 0 ||
		turn.checkedSince !== undefined;
	if (hasAdvanced || hasDelivered) return 0;
	return Math.min(LASTING_POLLS, before.stalls + (turn.hasAskedScan ? 1 : 0));
}

/** Each part of the list has its share of the batch: a burst at one end does not hide the other. */
function inTurns(due: readonly Due[]): Due[] {
	const queues = PARTS.map((part) =>
		due.filter((one) => one.part === part).sort((one, other) => one.position - other.position),
	);
	const longest = Math.max(...queues.map(({ length }) => length));
	return Array.from({ length: longest }, (_, index) =>
		queues.flatMap((queue) => queue.slice(index, index + 1)),
	).flat();
}

/** A new record that cannot be remembered would be delivered again with every poll. */
function chosenOf(due: readonly Due[], { quota, room }: { quota: number; room: number }): Due[] {
	const chosen: Due[] = [];
	let space = room;
	for (const one of due) {
		if (chosen.length >= quota) break;
		if (one.known === undefined && space <= 0) continue;
		if (one.known === undefined) space -= 1;
		chosen.push(one);
	}
	return chosen;
}

function learned(
	met: readonly Met[],
	{
		list,
		left,
		room,
		chosen,
	}: {
		list: ListState;
		left: readonly Met[];
		room: number;
		chosen: ReadonlySet<Met>;
	},
): ReadonlyMap<number, Remembered> {
	const { number: generation } = list.generation;
	const unlearned = new Set(left);
	const changes = new Map<number, Remembered>();
	let space = room;
	for (const one of met) {
		if (unlearned.has(one) || changes.has(one.hash)) continue;
		if (one.known === undefined && space <= 0) continue;
		if (one.known === undefined) space -= 1;
		const before = list.seen.get(one.hash);
		const isDelivered = before?.isDelivered === true || chosen.has(one);
		const isSame = before?.value === one.value && before.isDelivered === isDelivered;
		if (isSame && before.generation === generation) continue;
		changes.set(one.hash, { value: one.value, generation, isDelivered });
	}
	return changes;
}

/** Keeps the places of what is left over. */
function withLeft(
	list: ListState,
	left: readonly Met[],
	{ before, turn }: { before: ListState; turn: Turn },
): ListState {
	const { settings } = turn;
	const of = (part: Part): readonly Met[] => left.filter((one) => one.part === part);
	const placesOf = (part: Part): number[] => of(part).map(({ position }) => position);
	const tail = placesOf('tail');
	// A scan that leaves records over has not ended. It also passed the records left over at the
	// tail.
	const { scan } = turn.checkedSince === undefined ? list : before;
	const hasPassed = (place: number): boolean =>
		turn.checkedSince !== undefined || place < scan.pass.at;
	const scanned = [...placesOf('scan'), ...tail.filter(hasPassed)];
	const gaps = spaced(
		[...list.gaps, ...placesOf('head'), ...placesOf('gaps')],
		strideOf(list.size),
	);
	const kept: ListState = {
		...list,
		lead: leadOf(placesOf('head')),
		gaps: gaps.slice(0, MAX_GAPS),
		end: Math.min(list.end, ...tail),
		tailNewsAt: tail.length > 0 ? settings.now : list.tailNewsAt,
	};
	if (gaps.length > MAX_GAPS) return inHurry(kept, settings.now);
	if (scanned.length === 0) return kept;
	return {
		...kept,
		scan: { ...scan, pass: backTo(scan.pass, { places: scanned, size: list.size }) },
		first: gaps.length === 0 && tail.length === 0 ? 'scan' : kept.first,
	};
}

/** How many of these places follow each other from the start of the list. */
function leadOf(places: readonly number[]): number {
	const sorted = [...places].sort((one, other) => one - other);
	const broken = sorted.findIndex((place, index) => place !== index);
	return broken < 0 ? sorted.length : broken;
}

/** The scan continues with the first record that is left over. */
function backTo(pass: Pass, { places, size }: { places: readonly number[]; size: number }): Pass {
	const at = Math.min(...places);
	// A pass that has searched for its place knows records of other pages, so a known record proves
	// nothing.
	const isLoose = pass.isLoose || pass.astray > 0;
	if (at === 0) return { ...pass, at, joint: { kind: 'start' }, isLoose };
	return { ...pass, at, joint: { kind: 'known', back: strideOf(size) }, isLoose };
}

/** One place for each page: reading from it also finds the others. */
function spaced(places: readonly number[], stride: number): number[] {
	const kept: number[] = [];
	for (const place of [...places].sort((one, other) => one - other))
		if (place >= (kept.at(-1) ?? -Infinity) + stride) kept.push(place);
	return kept;
}
