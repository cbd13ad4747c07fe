/**
 * What a process remembers about a node between its polls: that a poll is running, and states that
 * n8n has not kept. n8n keeps the state that comes with items, but most other states only in some
 * of its modes, and another writer may put back an older one. Pure.
 */
import { Horizon, type StoredHorizon } from './horizon';
import { openState, type State } from './state';

/**
 * How long to wait until n8n has stored the state that came with items. This may take long on a
 * busy machine, and with durable cursors n8n reads the state some time before a poll begins. A poll
 * a minute later must not wait, because the batch has to be delivered again if it was not stored.
 */
const SAVING_MS = 50_000;
/** The time limit of polls that n8n's durable scheduler does not make. */
export const USUAL_MS = 300_000;

/** What n8n keeps for the next poll. */
export interface Kept {
	readonly state: State;
	readonly horizon: StoredHorizon;
}

export interface PollMemory {
	/** The poll that is running, or the one before, whose items n8n is storing. */
	running?: { readonly until: number };
	saving?: { readonly state: State; readonly until: number };
	/** When something was last reported, by its name. */
	readonly reportedAt: Map<string, number>;
	/** When this process polled last. */
	polledAt?: number;
	/** The latest state that n8n is known to have kept. */
	kept?: State;
	/** The last state of another process from which this one has continued. */
	continuedFrom?: Pick<State, 'line' | 'serial'>;
	/** The state after polls without items, and the kept one that they began with. */
	unkept?: Kept & { readonly after: string | undefined; readonly isWorthKeeping: boolean };
}

export interface Start {
	readonly poll: { readonly until: number };
	/** The checksum of the state that n8n is known to have kept. */
	readonly after: string | undefined;
	readonly state: State | undefined;
	readonly horizon: Horizon;
	readonly isDamaged: boolean;
	/** Whether n8n has kept less than this process knows. */
	readonly isBehind: boolean;
	/** Whether no poll of this process has ended before. */
	readonly isFirst: boolean;
}

export interface Stored {
	readonly state: unknown;
	readonly horizon: unknown;
}

/** After the clock was set back, a short wait must not become a long one. */
const isPast = (until: number, now: number): boolean => now >= until || until - now > 2 * USUAL_MS;

/**
 * Undefined while another poll is running, or while n8n still stores what the last one delivered.
 */
export function beginPoll(
	memory: PollMemory,
	{ stored, now, ms, process }: { stored: Stored; now: number; ms: number; process: string },
): Start | undefined {
	const { running, saving, kept, unkept } = memory;
	if (running !== undefined && !isPast(running.until, now)) return undefined;
	const opened = openState(stored.state);
	const state = opened.kind === 'sound' ? opened.state : undefined;
	// Another process has polled since. Its state counts, whatever this process has learned before.
	const isOfAnother = state !== undefined && state.by !== process;
	const { continuedFrom } = memory;
	const isNewlyMade =
		isOfAnother && (state.line !== continuedFrom?.line || state.serial > continuedFrom.serial);
	const isOlderThan = ({ line, serial }: State): boolean =>
		state?.line === line && state.serial < serial && !isNewlyMade;
	const hasSaved = (one: State): boolean => state?.line === one.line && !isOlderThan(one);
	if (saving !== undefined && !isPast(saving.until, now) && !hasSaved(saving.state))
		return undefined;
	const poll = { until: now + ms };
	memory.running = poll;
	delete memory.saving;
	const hasGoneBack = kept !== undefined && (state === undefined || isOlderThan(kept));
	if (!hasGoneBack) {
		memory.kept = state;
		if (isOfAnother) memory.continuedFrom = { line: state.line, serial: state.serial };
	}
	const after = memory.kept?.sum;
	const newer = unkept?.after === after ? unkept : undefined;
	if (newer === undefined) delete memory.unkept;
	const known = newer?.state ?? memory.kept;
	return {
		poll,
		after,
		state: known,
		horizon: Horizon.open(newer?.horizon ?? stored.horizon),
		isDamaged: opened.kind === 'damaged' && known === undefined,
		isBehind: hasGoneBack || newer?.isWorthKeeping === true,
		isFirst: kept === undefined && unkept === undefined && saving === undefined,
	};
}

interface Ended extends Kept {
	readonly items: readonly unknown[];
	readonly isWorthKeeping: boolean;
	readonly now: number;
}

/** False if this poll took so long that another one has begun. Then its result must be dropped. */
export function endPoll(memory: PollMemory, start: Start, result?: Ended): boolean {
	if (memory.running !== start.poll) return false;
	delete memory.running;
	if (result === undefined) return true;
	const { state, horizon, items, isWorthKeeping, now } = result;
	memory.polledAt = now;
	if (items.length > 0) memory.saving = { state, until: now + SAVING_MS };
	else memory.unkept = { after: start.after, state, horizon, isWorthKeeping };
	return true;
}
