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
	quiet?: { basis: string; state: WatchState };
	/** The poll that is under way: a second one must not start from the same state. */
	busy?: { ticket: number; until: number };
	tickets: number;
}

export const freshMemory = (): Memory => ({ tickets: 0 });

export interface Start {
	ticket: number;
	state: WatchState;
	/** Quiet results of this poll are remembered on top of this stored state. */
	basis: string;
	notices: string[];
	/** The stored state could not be read and nothing else is known. */
	damaged: boolean;
	/** n8n holds an older state than we do: hand ours back even if nothing is delivered. */
	stale: boolean;
}

/** Undefined while another poll is under way and has not outlived its deadline. */
export function beginPoll(
	memory: Memory,
	{ stored, now, until, line }: { stored: unknown; now: number; until: number; line: string },
): Start | undefined {
	if (memory.busy !== undefined && now < memory.busy.until) return undefined;
	const ticket = ++memory.tickets;
	memory.busy = { ticket, until };
	const notices: string[] = [];
	const opened = openWatch(stored);
	const { confirmed } = memory;
	let base = opened.kind === 'ok' ? opened.value : undefined;
	let stale = false;
	if (confirmed !== undefined && (base === undefined || isOlder(base, confirmed))) {
		notices.push('n8n handed back an older state; going on from the newer one in memory');
		base = confirmed;
		stale = true;
	}
	const damaged = opened.kind === 'damaged' && base === undefined;
	if (damaged) {
		notices.push('The stored state was damaged. What is in the lists now counts as delivered.');
	}
	memory.confirmed = base;
	const basis = base?.sum ?? 'none';
	const quiet = memory.quiet?.basis === basis ? memory.quiet.state : undefined;
	if (quiet === undefined) delete memory.quiet;
	return { ticket, state: quiet ?? base ?? emptyWatch(line), basis, notices, damaged, stale };
}

const isOlder = (state: WatchState, than: WatchState): boolean =>
	state.line === than.line && state.turn < than.turn;

/**
 * False if this poll has outlived its deadline and another one has begun: its result must be
 * dropped, items and all.
 */
export function endPoll(
	memory: Memory,
	start: Start,
	result: { state: WatchState; delivered: boolean } | undefined,
): boolean {
	if (memory.busy?.ticket !== start.ticket) return false;
	delete memory.busy;
	if (result !== undefined && !result.delivered) {
		memory.quiet = { basis: start.basis, state: result.state };
	}
	return true;
}
