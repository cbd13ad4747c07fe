/**
 * What a process remembers of a node between its polls: that a poll is running, and states that n8n
 * has not kept. n8n keeps the state that comes with items, but most others only in some of its modes,
 * and another writer may put back an older one. Besides, it recognises the poll by which n8n activates
 * a workflow.
 */
import { randomUUID } from 'crypto';
import type { IPollFunctions, Logger } from 'n8n-workflow';

import { CREDENTIAL } from '../api/transport';
import type { KnownClients } from './accounts';
import { digestOf } from './hash';
import { openState, type State } from './state';

/** By then n8n has stored what came with items, or reported that it could not. */
const SAVING_MS = 15_000;
/** The time limit of polls that n8n's durable scheduler does not make. */
const USUAL_MS = 300_000;
/** So often a workflow may be published before n8n polls it by itself. */
const MOST_ACTIVATIONS = 3;

export interface Memory {
	/** The poll that is running, or the one before, whose items n8n is storing. */
	running?: { readonly until: number };
	saving?: { readonly state: State; readonly until: number };
	/** What the user is told only once. */
	told?: Set<string>;
	/** The latest state that n8n is known to have kept. */
	kept?: State;
	/** The state after polls without items, and the kept one that they began with. */
	unkept?: { readonly after?: string; readonly state: State; readonly isWorthKeeping: boolean };
}

export type Start = NonNullable<ReturnType<typeof beginPoll>>;

/** After the clock was set back, a short wait must not become a long one. */
const isPast = (until: number, now: number): boolean => now >= until || until - now > 2 * USUAL_MS;

/** Undefined while another poll is running, or n8n still stores what the last one delivered. */
export function beginPoll(
	memory: Memory,
	{ stored, now, ms }: { stored: unknown; now: number; ms: number },
) {
	const { running, saving, kept, unkept } = memory;
	if (running !== undefined && !isPast(running.until, now)) return undefined;
	const { state, isDamaged } = openState(stored);
	const isOlderThan = ({ line, turn }: State): boolean => state?.line === line && state.turn < turn;
	const hasSaved = (one: State): boolean => state?.line === one.line && !isOlderThan(one);
	if (saving !== undefined && !isPast(saving.until, now) && !hasSaved(saving.state))
		return undefined;
	const poll = { until: now + ms };
	memory.running = poll;
	delete memory.saving;
	const hasGoneBack = kept !== undefined && (state === undefined || isOlderThan(kept));
	if (!hasGoneBack) memory.kept = state;
	const after = memory.kept?.sum;
	const newer = unkept?.after === after ? unkept : undefined;
	if (newer === undefined) delete memory.unkept;
	const known = newer?.state ?? memory.kept;
	return {
		...{ poll, after, state: known, isDamaged: isDamaged && known === undefined },
		/** n8n has kept less than what is known. */
		isBehind: hasGoneBack || newer?.isWorthKeeping === true,
		/** No poll of this process has ended before. */
		isFirst: [kept, unkept, saving].every((one) => one === undefined),
	};
}

/** False if this poll has taken so long that another one has begun: its result must be dropped. */
export function endPoll(
	memory: Memory,
	start: Start,
	result?: { state: State; items: readonly unknown[]; isWorthKeeping: boolean; now: number },
): boolean {
	if (memory.running !== start.poll) return false;
	delete memory.running;
	if (result === undefined) return true;
	const { state, items, isWorthKeeping, now } = result;
	if (items.length > 0) memory.saving = { state, until: now + SAVING_MS };
	else memory.unkept = { after: start.after, state, isWorthKeeping };
	return true;
}

export interface ProcessMemory {
	/** Identifies this process in the stored state. */
	readonly id: string;
	readonly memory: Memory;
	readonly known: KnownClients;
	/** All polls wait by it together when the service asks one of them to. */
	throttle: object;
	/** A poll has failed because of that wait. */
	hasToldWait: boolean;
	/** Digest of the credential last used. */
	credential?: string;
	/** Contexts that have polled before. */
	readonly contexts: WeakSet<object>;
	/** Polls in a row that may have been activations; none if one was seen that is certainly not. */
	activations: number;
}

export const emptyMemory = (): ProcessMemory => ({
	...{ id: randomUUID().slice(0, 8), memory: {}, known: { names: new Map() }, throttle: {} },
	...{ contexts: new WeakSet(), hasToldWait: false, activations: 0 },
});

const memories = new Map<string, ProcessMemory>();

export function processMemory(functions: IPollFunctions): ProcessMemory {
	const key = `${functions.getWorkflow().id ?? ''}/${functions.getNode().id}`;
	const memory = memories.get(key) ?? emptyMemory();
	memories.set(key, memory);
	return memory;
}

/** Of the key and its base URL. It only shows whether they have changed. */
export async function credentialDigest(functions: IPollFunctions): Promise<string> {
	const { baseUrl, apiKey } = await functions.getCredentials(CREDENTIAL);
	return digestOf(JSON.stringify([baseUrl, apiKey].map((one) => String(one).trim())), 16);
}

/** Whether n8n itself activates the workflow, so that nobody sees an error. */
export const isUnattended = (functions: IPollFunctions): boolean =>
	typeof functions.getActivationMode === 'function' &&
	['init', 'leadershipChange'].includes(functions.getActivationMode());

/**
 * Whether this poll decides if the workflow can be activated. n8n does not say so; its in-memory
 * mode goes on polling with the same context, its durable scheduler gives less time. Where neither
 * is seen, only the first polls count, so that a workflow may be published several times between two
 * polls, and failures are told all the same.
 */
export function isActivation(functions: IPollFunctions, remembered: ProcessMemory): boolean {
	const { contexts } = remembered;
	const isRepeated = contexts.has(functions) || budgetOf(functions) < USUAL_MS;
	contexts.add(functions);
	remembered.activations = isRepeated ? -Infinity : remembered.activations + 1;
	return !isRepeated && remembered.activations <= MOST_ACTIVATIONS;
}

/** Older versions of n8n tell no budget; a poll should end within the usual one all the same. */
export function budgetOf(functions: IPollFunctions): number {
	const told = typeof functions.getPollBudgetMs === 'function' ? functions.getPollBudgetMs() : 0;
	return told > 0 ? Math.min(told, USUAL_MS) : USUAL_MS;
}

const unheard = (): void => undefined;

/** Older versions of n8n provide no logger for polls. */
export const loggerOf = ({
	logger,
}: {
	logger?: Logger;
}): Pick<Logger, 'debug' | 'error' | 'warn'> =>
	logger ?? { debug: unheard, error: unheard, warn: unheard };
