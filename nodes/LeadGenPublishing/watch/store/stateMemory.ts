/**
 * The states that this process remembers between polls. Promise: this memory never hides a record.
 * n8n may drop the state of a poll that delivered nothing, may fail to create the execution of one
 * that delivered something, and may return an older state. So it holds only states that n8n has
 * returned (`lastLoaded`), and what polls without items have learned since (`unsaved`). A state
 * that remembers a delivery is trusted only when n8n returns it.
 */
import { emptyWatch, openWatch, type WatchState } from './state';

export interface StateMemory {
	lastLoaded?: WatchState;
	/** `worthStoring`: it should be stored, and n8n has not returned it yet. */
	unsaved?: { basedOn: string; state: WatchState; worthStoring: boolean };
	/** The poll in progress: a second one must not start from the same state. */
	inProgress?: { pollId: number; until: number; ms: number };
	/** Given to n8n together with items, and not returned yet. */
	pendingSave?: { state: Version; until: number };
	lastPollId: number;
}

type Version = Pick<WatchState, 'line' | 'turn'>;

/**
 * How long n8n may take to store a state that came with items. A poll in between (n8n catches up on
 * overdue polls at once) would start from an earlier state and deliver the items again.
 */
const SAVE_TIME_MS = 15_000;

export const freshMemory = (): StateMemory => ({ lastPollId: 0 });

export interface PollStart {
	pollId: number;
	state: WatchState;
	/** The stored state (by checksum) on which this poll's unsaved result is based. */
	basedOn: string;
	notices: string[];
	/** The stored state could not be read, and nothing else is known. */
	damaged: boolean;
	/** n8n's state is older than ours: store ours even if nothing is delivered. */
	storedIsBehind: boolean;
}

/** Undefined while another poll is in progress, or what it delivered is still being stored. */
export function beginPoll(
	memory: StateMemory,
	{ stored, now, until, line }: { stored: unknown; now: number; until: number; line: string },
): PollStart | undefined {
	if (memory.inProgress !== undefined && isNotOver(memory.inProgress, now)) return undefined;
	const opened = openWatch(stored);
	const { pendingSave } = memory;
	if (pendingSave !== undefined && isNotOver({ ...pendingSave, ms: SAVE_TIME_MS }, now)) {
		const isBack = opened.kind === 'ok' && includes(opened.value, pendingSave.state);
		if (!isBack) return undefined;
	}
	delete memory.pendingSave;
	const pollId = ++memory.lastPollId;
	memory.inProgress = { pollId, until, ms: until - now };
	const notices: string[] = [];
	const { lastLoaded } = memory;
	const hasNoSoundState = opened.kind === 'damaged' && lastLoaded === undefined;
	let base =
		opened.kind === 'ok' || (hasNoSoundState && 'value' in opened) ? opened.value : undefined;
	let storedIsBehind = false;
	if (lastLoaded !== undefined && (base === undefined || isOlder(base, lastLoaded))) {
		notices.push('n8n returned an older state; continuing with the newer one in memory');
		base = lastLoaded;
		storedIsBehind = true;
	}
	memory.lastLoaded = base;
	const basedOn = base?.sum ?? 'none';
	if (memory.unsaved?.basedOn !== basedOn) delete memory.unsaved;
	const { unsaved } = memory;
	storedIsBehind ||= unsaved?.worthStoring === true;
	// Reported once: later polls know what was learned since.
	const damaged = hasNoSoundState && unsaved === undefined;
	if (damaged) {
		notices.push('The stored state was damaged. What is in the lists now counts as delivered.');
	}
	const state = unsaved?.state ?? base ?? emptyWatch(line);
	return { pollId, state, basedOn, notices, damaged, storedIsBehind };
}

/** After the clock was set back, a short wait must not become a long one. */
const isNotOver = ({ until, ms }: { until: number; ms: number }, now: number): boolean =>
	now < until && until - now <= 2 * ms;

const isOlder = (state: Version, than: Version): boolean =>
	state.line === than.line && state.turn < than.turn;

/** This state, or a later one of the same sequence. */
const includes = (state: Version, other: Version): boolean =>
	state.line === other.line && state.turn >= other.turn;

/**
 * False if this poll has exceeded its time and another one has begun: its result must be dropped,
 * items included.
 */
export function endPoll(
	memory: StateMemory,
	start: PollStart,
	result:
		{ state: WatchState; delivered: boolean; worthStoring?: boolean; now?: number } | undefined,
): boolean {
	if (memory.inProgress?.pollId !== start.pollId) return false;
	delete memory.inProgress;
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
