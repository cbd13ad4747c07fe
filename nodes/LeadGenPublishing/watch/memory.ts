/**
 * Promise: what this process remembers never hides a record. n8n may drop the state of a poll that
 * delivered nothing, may fail to create the execution of one that delivered something, and may
 * hand back an older state. So this memory holds only states that n8n has handed back to us
 * (`confirmed`), and what polls without delivery learned on top of one of them (`quiet`). A state
 * that says "delivered" is believed once it is read back, not before.
 */
import { emptyWatch, openWatch, type WatchState } from './state';

export interface Memory {
	confirmed?: WatchState;
	/** `store`: something in it is worth a write, and n8n has not handed it back yet. */
	quiet?: { basis: string; state: WatchState; store: boolean };
	/** The poll that is under way: a second one must not start from the same state. */
	busy?: { ticket: number; until: number; ms: number };
	/** Given to n8n together with items, and not read back yet. */
	handed?: { state: Version; until: number };
	tickets: number;
}

type Version = Pick<WatchState, 'line' | 'turn'>;

/**
 * How long n8n may take to write what came with items. A poll in between (n8n makes up for several
 * that are overdue at once) would start from a state before them, whichever that is by then, and
 * deliver them again.
 */
const WRITING = 15_000;

export const freshMemory = (): Memory => ({ tickets: 0 });

export interface Start {
	ticket: number;
	state: WatchState;
	/** Quiet results of this poll are remembered on top of this stored state. */
	basis: string;
	notices: string[];
	/** The stored state could not be read and nothing else is known. */
	damaged: boolean;
	/** n8n holds less than we know: hand our state back even if nothing is delivered. */
	stale: boolean;
}

/** Undefined while another poll is under way, or what it delivered is still being written. */
export function beginPoll(
	memory: Memory,
	{ stored, now, until, line }: { stored: unknown; now: number; until: number; line: string },
): Start | undefined {
	if (memory.busy !== undefined && isStill(memory.busy, now)) return undefined;
	const opened = openWatch(stored);
	const { handed } = memory;
	if (handed !== undefined && isStill({ ...handed, ms: WRITING }, now)) {
		const isBack = opened.kind === 'ok' && includes(opened.value, handed.state);
		if (!isBack) return undefined;
	}
	delete memory.handed;
	const ticket = ++memory.tickets;
	memory.busy = { ticket, until, ms: until - now };
	const notices: string[] = [];
	const { confirmed } = memory;
	const salvaged = opened.kind === 'damaged' && confirmed === undefined;
	let base = opened.kind === 'ok' || (salvaged && 'value' in opened) ? opened.value : undefined;
	let stale = false;
	if (confirmed !== undefined && (base === undefined || isOlder(base, confirmed))) {
		notices.push('n8n handed back an older state; going on from the newer one in memory');
		base = confirmed;
		stale = true;
	}
	memory.confirmed = base;
	const basis = base?.sum ?? 'none';
	if (memory.quiet?.basis !== basis) delete memory.quiet;
	const { quiet } = memory;
	stale ||= quiet?.store === true;
	// Told once: what the poll after it knows was learned since.
	const damaged = salvaged && quiet === undefined;
	if (damaged) {
		notices.push('The stored state was damaged. What is in the lists now counts as delivered.');
	}
	const state = quiet?.state ?? base ?? emptyWatch(line);
	return { ticket, state, basis, notices, damaged, stale };
}

/** A clock that was put back must not make a moment last for a year. */
const isStill = ({ until, ms }: { until: number; ms: number }, now: number): boolean =>
	now < until && until - now <= 2 * ms;

const isOlder = (state: Version, than: Version): boolean =>
	state.line === than.line && state.turn < than.turn;

/** This state, or one that was made from it. */
const includes = (state: Version, other: Version): boolean =>
	state.line === other.line && state.turn >= other.turn;

/**
 * False if this poll has outlived its deadline and another one has begun: its result must be
 * dropped, items and all.
 */
export function endPoll(
	memory: Memory,
	start: Start,
	result: { state: WatchState; delivered: boolean; store?: boolean; now?: number } | undefined,
): boolean {
	if (memory.busy?.ticket !== start.ticket) return false;
	delete memory.busy;
	if (result?.delivered === true && result.now !== undefined) {
		const { line, turn } = result.state;
		memory.handed = { state: { line, turn }, until: result.now + WRITING };
	}
	if (result !== undefined && !result.delivered) {
		const store = result.store === true || start.stale;
		memory.quiet = { basis: start.basis, state: result.state, store };
	}
	return true;
}
