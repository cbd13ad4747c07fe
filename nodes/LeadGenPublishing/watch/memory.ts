/**
 * What a process remembers of a node between its polls: that a poll is running, and states that n8n
 * has not kept. n8n keeps the state that comes with items, but most others only in some of its modes,
 * and another writer may put back an older one. Pure.
 */
import { openState, type State, type Version } from './state';

/** By then n8n has stored what came with items, or reported that it could not. */
const SAVING_MS = 15_000;

export interface Memory {
	/** The poll that is running, or the one before, whose items n8n is storing. */
	running?: { readonly poll: symbol; readonly until: number; readonly ms: number };
	saving?: Version & { readonly until: number };
	/** What the user is told only once. */
	told?: Set<string>;
	/** The latest state that n8n is known to have kept. */
	kept?: State;
	/** The state after polls without items, and the kept one that they began with. */
	unkept?: { readonly after: string; readonly state: State; readonly isWorthKeeping: boolean };
}

export interface Start {
	readonly poll: symbol;
	readonly state: State | undefined;
	readonly isDamaged: boolean;
	/** n8n has kept less than what is known. */
	readonly isBehind: boolean;
	/** n8n has not kept the state of an earlier poll, although it was worth it. */
	readonly wasNotKept: boolean;
	readonly after: string;
}

const nameOf = (state: State | undefined): string =>
	state === undefined ? 'none' : `${state.line} ${state.turn}`;

const includes = (state: State | undefined, other: Version): boolean =>
	state !== undefined && state.line === other.line && state.turn >= other.turn;

/** After the clock was set back, a short wait must not become a long one. */
const isPast = (until: number, ms: number, now: number): boolean =>
	now >= until || until - now > ms;

/** Undefined while another poll is running, or n8n still stores what the last one delivered. */
export function beginPoll(
	memory: Memory,
	{ stored, now, ms }: { stored: unknown; now: number; ms: number },
): Start | undefined {
	const { running, saving, kept, unkept } = memory;
	if (running !== undefined && !isPast(running.until, 2 * running.ms, now)) return undefined;
	const opened = openState(stored, now);
	if (
		saving !== undefined &&
		!isPast(saving.until, 2 * SAVING_MS, now) &&
		!includes(opened.state, saving)
	)
		return undefined;
	const poll = Symbol('poll');
	memory.running = { poll, until: now + ms, ms };
	delete memory.saving;
	const hasGoneBack =
		kept !== undefined &&
		(opened.state === undefined ||
			opened.isDamaged ||
			(opened.state.line === kept.line && opened.state.turn < kept.turn));
	if (!hasGoneBack) memory.kept = opened.state;
	const after = nameOf(memory.kept);
	const isNewer = unkept?.after === after;
	if (!isNewer) delete memory.unkept;
	return {
		...{ poll, after },
		state: isNewer ? unkept.state : memory.kept,
		isDamaged: opened.isDamaged && !hasGoneBack && !isNewer,
		isBehind: hasGoneBack || (isNewer && unkept.isWorthKeeping),
		wasNotKept: isNewer && unkept.isWorthKeeping,
	};
}

/** False if this poll has taken so long that another one has begun: its result must be dropped. */
export function endPoll(
	memory: Memory,
	start: Start,
	result?: { state: State; hasItems: boolean; isWorthKeeping: boolean; now: number },
): boolean {
	if (memory.running?.poll !== start.poll) return false;
	delete memory.running;
	if (result === undefined) return true;
	const { state, hasItems, isWorthKeeping, now } = result;
	if (hasItems) memory.saving = { line: state.line, turn: state.turn, until: now + SAVING_MS };
	else
		memory.unkept = {
			...{ after: start.after, state },
			isWorthKeeping: isWorthKeeping || start.isBehind,
		};
	return true;
}
