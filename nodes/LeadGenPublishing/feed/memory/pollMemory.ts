/**
 * What a process remembers about a node between its polls: that a poll is running, and states that
 * n8n has not kept. n8n keeps the state that comes with items, but most other states only in some
 * of its modes, and another writer may put back an older one. Pure.
 *
 *   idle ──a poll begins──▶ polling ──without items──▶ idle
 *     ▲                        └──────with items─────▶ storing ──n8n has stored it, or 50 seconds──┐
 *     └────────────────────────────────────────────────────────────────────────────────────────────┘
 */
import { Horizon, type StoredHorizon } from './horizon';
import { openState, type State } from './state';

/**
 * How long to wait until n8n has stored the state that came with items. This may take long on a
 * busy machine, and with durable cursors n8n reads the state some time before a poll begins. A poll
 * a minute later must not wait, because the batch has to be delivered again if it was not stored.
 */
const STORING_MS = 50_000;
/** The time limit of polls that n8n's durable scheduler does not make. */
export const USUAL_MS = 300_000;

type Activity =
	| { readonly kind: 'idle' }
	/** A poll is running. It ends by this time. */
	| { readonly kind: 'polling'; readonly until: number }
	/** n8n is storing the state that came with items. */
	| { readonly kind: 'storing'; readonly state: State; readonly until: number };

/** The latest state that this process knows. */
type Latest =
	| { readonly kind: 'none' }
	/** n8n has kept it. */
	| { readonly kind: 'kept'; readonly state: State }
	/** It comes from polls without items. n8n has kept the one before them, if any. */
	| {
			readonly kind: 'unkept';
			readonly state: State;
			readonly horizon: StoredHorizon;
			readonly kept: State | undefined;
			readonly isWorthKeeping: boolean;
	  };

export interface PollMemory {
	activity: Activity;
	latest: Latest;
	/** The last state of another process from which this one has continued. */
	continuedFrom: Pick<State, 'sequence' | 'pollNumber'> | undefined;
	/** When the last poll of this process ended. */
	polledAt: number | undefined;
	/** When something was last reported, by its name. */
	readonly reportedAt: Map<string, number>;
}

export const emptyPollMemory = (): PollMemory => ({
	activity: { kind: 'idle' },
	latest: { kind: 'none' },
	continuedFrom: undefined,
	polledAt: undefined,
	reportedAt: new Map(),
});

export type Start = {
	/** This poll, as the memory knows it. */
	readonly poll: Activity;
	readonly horizon: Horizon;
	/** When the last poll of this process ended. */
	readonly polledAt: number | undefined;
} & (
	| { readonly kind: 'nothingStored'; readonly state: undefined }
	/** What was stored is damaged, and this process knows nothing better. */
	| { readonly kind: 'damaged'; readonly state: undefined }
	/** n8n has kept everything that is worth keeping. */
	| { readonly kind: 'stored'; readonly state: State }
	/** n8n has kept less than this process knows, so it should keep the next state. */
	| { readonly kind: 'notStored'; readonly state: State }
);

/** The number of the state that this poll makes. */
export const pollNumberOf = ({ state }: Start): number => (state?.pollNumber ?? 0) + 1;

/** A state was lost to damage, and it is not yet known which lists it had. */
export const isLost = ({ kind, state }: Start): boolean =>
	kind === 'damaged' || state?.rest.lost === true;

/** The clients were listed completely before, for this event. */
export const hasListed = (event: string, { state }: Start): boolean =>
	state?.event === event && state.rest.hasListed === true;

/** What n8n returns as the stored state. */
export interface Stored {
	readonly state: unknown;
	readonly horizon: unknown;
}

interface Beginning {
	readonly stored: Stored;
	readonly now: number;
	/** How long this poll may take. */
	readonly ms: number;
	readonly process: string;
}

/**
 * Undefined while another poll is running, or while n8n still stores what the last one delivered.
 */
export function beginPoll(
	memory: PollMemory,
	{ stored, now, ms, process }: Beginning,
): Start | undefined {
	const { activity } = memory;
	const mayWait = activity.kind !== 'idle' && !isPast(activity.until, now);
	if (mayWait && activity.kind === 'polling') return undefined;
	const opened = openState(stored.state);
	const state = opened.kind === 'sound' ? opened.state : undefined;
	const found: Found = { state, isNewlyMade: isNewlyMade(state, { memory, process }) };
	if (mayWait && activity.kind === 'storing' && !hasStored(found, activity.state)) return undefined;
	const poll: Activity = { kind: 'polling', until: now + ms };
	memory.activity = poll;
	const hasGoneBack = takeUp(memory, found, process);
	const { latest, polledAt } = memory;
	const isUnkept = latest.kind === 'unkept';
	const begun = {
		poll,
		polledAt,
		horizon: Horizon.open(isUnkept ? latest.horizon : stored.horizon),
	};
	if (latest.kind === 'none') {
		const kind = opened.kind === 'damaged' ? 'damaged' : 'nothingStored';
		return { ...begun, kind, state: undefined };
	}
	const isBehind = hasGoneBack || (isUnkept && latest.isWorthKeeping);
	return { ...begun, kind: isBehind ? 'notStored' : 'stored', state: latest.state };
}

/** The state that n8n returns. Undefined if there is none, or it is damaged. */
interface Found {
	readonly state: State | undefined;
	/** Another process has polled since. Its state counts, whatever this process knows. */
	readonly isNewlyMade: boolean;
}

function isNewlyMade(
	state: State | undefined,
	{ memory: { continuedFrom }, process }: { memory: PollMemory; process: string },
): boolean {
	if (state === undefined || state.by === process) return false;
	return state.sequence !== continuedFrom?.sequence || state.pollNumber > continuedFrom.pollNumber;
}

const isOlderThan = ({ state, isNewlyMade }: Found, { sequence, pollNumber }: State): boolean =>
	state?.sequence === sequence && state.pollNumber < pollNumber && !isNewlyMade;

/** After the clock was set back, a short wait must not become a long one. */
const isPast = (until: number, now: number): boolean => now >= until || until - now > 2 * USUAL_MS;

const hasStored = (found: Found, state: State): boolean =>
	found.state?.sequence === state.sequence && !isOlderThan(found, state);

/** The state that n8n is known to have kept. */
function keptIn(latest: Latest): State | undefined {
	if (latest.kind === 'none') return undefined;
	return latest.kind === 'kept' ? latest.state : latest.kept;
}

/**
 * Chooses between the stored state and what this process knows. Returns whether n8n has gone back to
 * an older state.
 */
function takeUp(memory: PollMemory, found: Found, process: string): boolean {
	const { latest } = memory;
	const before = keptIn(latest);
	const hasGoneBack =
		before !== undefined && (found.state === undefined || isOlderThan(found, before));
	const kept = hasGoneBack ? before : found.state;
	if (!hasGoneBack && kept !== undefined && kept.by !== process)
		memory.continuedFrom = { sequence: kept.sequence, pollNumber: kept.pollNumber };
	// A state that n8n has not kept counts only if it came after the one that n8n has kept.
	if (latest.kind === 'unkept' && before?.sum === kept?.sum) return hasGoneBack;
	memory.latest = kept === undefined ? { kind: 'none' } : { kind: 'kept', state: kept };
	return hasGoneBack;
}

interface Ended {
	readonly state: State;
	readonly horizon: StoredHorizon;
	readonly items: readonly unknown[];
	readonly isWorthKeeping: boolean;
	readonly now: number;
}

/** False if this poll took so long that another one has begun. Then its result must be dropped. */
export function endPoll(memory: PollMemory, start: Start, result?: Ended): boolean {
	if (memory.activity !== start.poll) return false;
	memory.activity = { kind: 'idle' };
	if (result === undefined) return true;
	const { state, horizon, items, isWorthKeeping, now } = result;
	memory.polledAt = now;
	if (items.length > 0) memory.activity = { kind: 'storing', state, until: now + STORING_MS };
	else {
		const kept = keptIn(memory.latest);
		memory.latest = { kind: 'unkept', state, horizon, kept, isWorthKeeping };
	}
	return true;
}
