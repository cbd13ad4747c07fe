/**
 * Promise: what this process remembers never hides a record. n8n may drop the state of a poll that
 * delivered nothing, may fail to create the execution of one that delivered something, and may
 * hand back an older state. So this memory holds only states that n8n has handed back to us
 * (`confirmed`), and what polls without delivery learned on top of one of them (`quiet`). A state
 * that says "delivered" is believed once it is read back, not before.
 */
import { emptyWatch, openWatch, type WatchState } from './state';

export interface StateMemory {
	lastLoaded?: WatchState;
	/** `store`: something in it is worth a write, and n8n has not handed it back yet. */
	unsaved?: { basedOn: string; state: WatchState; worthStoring: boolean };
	/** The poll that is under way: a second one must not start from the same state. */
	busy?: { pollId: number; until: number; ms: number };
	/** Given to n8n together with items, and not read back yet. */
	pendingSave?: { state: Version; until: number };
	lastPollId: number;
}

type Version = Pick<WatchState, 'line' | 'turn'>;

/**
 * How long n8n may take to write what came with items. A poll in between (n8n makes up for several
 * that are overdue at once) would start from a state before them, whichever that is by then, and
 * deliver them again.
 */
const SAVE_TIME_MS = 15_000;

export const freshMemory = (): StateMemory => ({ lastPollId: 0 });

export interface PollStart {
	pollId: number;
	state: WatchState;
	/** Quiet results of this poll are remembered on top of this stored state. */
	basedOn: string;
	notices: string[];
	/** The stored state could not be read and nothing else is known. */
	damaged: boolean;
	/** n8n holds less than we know: hand our state back even if nothing is delivered. */
	storedIsBehind: boolean;
}

/** Undefined while another poll is under way, or what it delivered is still being written. */
export function beginPoll(
	memory: StateMemory,
	{ stored, now, until, line }: { stored: unknown; now: number; until: number; line: string },
): PollStart | undefined {
	if (memory.busy !== undefined && isNotOver(memory.busy, now)) return undefined;
	const opened = openWatch(stored);
	const { pendingSave } = memory;
	if (pendingSave !== undefined && isNotOver({ ...pendingSave, ms: SAVE_TIME_MS }, now)) {
		const isBack = opened.kind === 'ok' && includes(opened.value, pendingSave.state);
		if (!isBack) return undefined;
	}
	delete memory.pendingSave;
	const pollId = ++memory.lastPollId;
	memory.busy = { pollId, until, ms: until - now };
	const notices: string[] = [];
	const { lastLoaded } = memory;
	const hasNoSoundState = opened.kind === 'damaged' && lastLoaded === undefined;
	let base =
		opened.kind === 'ok' || (hasNoSoundState && 'value' in opened) ? opened.value : undefined;
	let storedIsBehind = false;
	if (lastLoaded !== undefined && (base === undefined || isOlder(base, lastLoaded))) {
		notices.push('n8n handed back an older state; going on from the newer one in memory');
		base = lastLoaded;
		storedIsBehind = true;
	}
	memory.lastLoaded = base;
	const basedOn = base?.sum ?? 'none';
	if (memory.unsaved?.basedOn !== basedOn) delete memory.unsaved;
	const { unsaved } = memory;
	storedIsBehind ||= unsaved?.worthStoring === true;
	// Told once: what the poll after it knows was learned since.
	const damaged = hasNoSoundState && unsaved === undefined;
	if (damaged) {
		notices.push('The stored state was damaged. What is in the lists now counts as delivered.');
	}
	const state = unsaved?.state ?? base ?? emptyWatch(line);
	return { pollId, state, basedOn, notices, damaged, storedIsBehind };
}

/** A clock that was put back must not make a moment last for a year. */
const isNotOver = ({ until, ms }: { until: number; ms: number }, now: number): boolean =>
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
	memory: StateMemory,
	start: PollStart,
	result:
		{ state: WatchState; delivered: boolean; worthStoring?: boolean; now?: number } | undefined,
): boolean {
	if (memory.busy?.pollId !== start.pollId) return false;
	delete memory.busy;
	if (result?.delivered === true && result.now !== undefined) {
		const { line, turn } = result.state;
		memory.pendingSave = { state: { line, turn }, until: result.now + SAVE_TIME_MS };
	}
	if (result !== undefined && !result.delivered) {
		const worthStoring = result.worthStoring === true || start.storedIsBehind;
		memory.unsaved = { basedOn: start.basedOn, state: result.state, worthStoring };
	}
	return true;
}
