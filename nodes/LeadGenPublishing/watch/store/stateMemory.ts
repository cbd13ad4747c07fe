/**
 * The states that this process remembers between polls. Promise: this memory never hides a record.
 * n8n may drop the state of a poll that delivered nothing, may fail to create the execution of one
 * that delivered something, and may return an older state. So it holds only states that n8n has
 * returned (`lastLoaded`), and what polls without items have learned since (`unsaved`). A state
 * that remembers a delivery is trusted only when n8n returns it.
 */
import { emptyWatch, openWatch, type OpenedWatch, type WatchState } from './state';

type Version = Pick<WatchState, 'line' | 'turn'>;

/** What the next poll has to wait for. */
export type Occupation =
	| { readonly kind: 'free' }
	/** A poll is in progress: a second one must not start from the same state. */
	| {
			readonly kind: 'polling';
			readonly pollId: number;
			readonly until: number;
			readonly ms: number;
	  }
	/**
	 * n8n was given items together with this state, and has not returned it yet. A poll in between
	 * (n8n catches up on overdue polls at once) would start from an earlier state and deliver the
	 * items again.
	 */
	| { readonly kind: 'saving'; readonly state: Version; readonly until: number };

export interface StateMemory {
	occupation: Occupation;
	lastLoaded?: WatchState;
	/** `worthStoring`: it should be stored, and n8n has not returned it yet. */
	unsaved?: { basedOn: string | undefined; state: WatchState; worthStoring: boolean };
	lastPollId: number;
}

/** How long n8n may take to store a state that came with items. */
const SAVE_TIME_MS = 15_000;

export const freshMemory = (): StateMemory => ({ occupation: { kind: 'free' }, lastPollId: 0 });

export interface PollStart {
	pollId: number;
	state: WatchState;
	/** The stored state (by checksum) on which this poll's unsaved result is based, if there is any. */
	basedOn: string | undefined;
	notices: string[];
	/** The stored state could not be read, and nothing else is known. */
	damaged: boolean;
	/** n8n's state is older than ours: store ours even if nothing is delivered. */
	storedIsBehind: boolean;
}

/** What n8n has stored, compared with what this process remembers. */
type StoredState = 'sound' | 'behind' | 'damaged' | 'none';

/** What a poll says about it. `once`: later polls know what was learned since. */
const NOTICES: Readonly<Record<StoredState, { text: string; once: boolean } | undefined>> = {
	sound: undefined,
	none: undefined,
	behind: {
		text: 'n8n returned an older state; continuing with the newer one in memory',
		once: false,
	},
	damaged: {
		text: 'The stored state was damaged. What is in the lists now counts as delivered.',
		once: true,
	},
};

/** From which state a poll starts, unless a poll without items has learned more since. */
function chooseBase(
	stored: OpenedWatch,
	{ lastLoaded }: StateMemory,
): { kind: StoredState; base: WatchState | undefined } {
	if (stored.kind === 'ok' && !(lastLoaded && isOlder(stored.value, lastLoaded))) {
		return { kind: 'sound', base: stored.value };
	}
	if (lastLoaded !== undefined) return { kind: 'behind', base: lastLoaded };
	// The lists of a damaged state may be sound.
	const base = 'value' in stored ? stored.value : undefined;
	return { kind: stored.kind === 'damaged' ? 'damaged' : 'none', base };
}

/** Undefined while another poll is in progress, or what it delivered is still being stored. */
export function beginPoll(
	memory: StateMemory,
	{ stored, now, until, line }: { stored: unknown; now: number; until: number; line: string },
): PollStart | undefined {
	const opened = openWatch(stored);
	if (!mayBegin(memory.occupation, opened, now)) return undefined;
	const pollId = ++memory.lastPollId;
	memory.occupation = { kind: 'polling', pollId, until, ms: until - now };
	const { kind, base } = chooseBase(opened, memory);
	const basedOn = base?.sum;
	memory.lastLoaded = base;
	if (memory.unsaved?.basedOn !== basedOn) delete memory.unsaved;
	const { unsaved } = memory;
	const notice = NOTICES[kind];
	const tells = notice !== undefined && !(notice.once && unsaved !== undefined);
	return {
		pollId,
		state: unsaved?.state ?? base ?? emptyWatch(line),
		basedOn,
		notices: tells ? [notice.text] : [],
		damaged: kind === 'damaged' && tells,
		storedIsBehind: kind === 'behind' || unsaved?.worthStoring === true,
	};
}

function mayBegin(occupation: Occupation, stored: OpenedWatch, now: number): boolean {
	switch (occupation.kind) {
		case 'free':
			return true;
		case 'polling':
			return isOver(occupation, now);
		case 'saving':
			return (
				isOver({ ...occupation, ms: SAVE_TIME_MS }, now) ||
				(stored.kind === 'ok' && includes(stored.value, occupation.state))
			);
	}
}

/** After the clock was set back, a short wait must not become a long one. */
const isOver = ({ until, ms }: { until: number; ms: number }, now: number): boolean =>
	now >= until || until - now > 2 * ms;

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
	const { occupation } = memory;
	if (occupation.kind !== 'polling' || occupation.pollId !== start.pollId) return false;
	memory.occupation = occupationAfter(result);
	if (result !== undefined && !result.delivered) {
		const worthStoring = result.worthStoring === true || start.storedIsBehind;
		memory.unsaved = { basedOn: start.basedOn, state: result.state, worthStoring };
	}
	return true;
}

function occupationAfter(
	result: { state: WatchState; delivered: boolean; now?: number } | undefined,
): Occupation {
	if (result?.delivered !== true || result.now === undefined) return { kind: 'free' };
	const { line, turn } = result.state;
	return { kind: 'saving', state: { line, turn }, until: result.now + SAVE_TIME_MS };
}
