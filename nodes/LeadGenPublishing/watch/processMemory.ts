/**
 * What this process remembers between the polls of one node, and how it tells the poll that n8n
 * makes while a workflow is switched on from the ones that follow.
 */
import { createHash, randomUUID } from 'crypto';
import type { IPollFunctions, Logger } from 'n8n-workflow';

import { CREDENTIAL } from '../api/transport';
import type { ItemClient } from '../output/addFields';
import { freshMemory, type StateMemory } from './stateMemory';

/** The time limit of a poll that is not made by n8n's durable scheduler. */
const MAX_BUDGET = 300_000;
const MAX_NODES = 1_000;

export interface ProcessMemory {
	/** Names it in the stored state: what it has delivered is its own to confirm. */
	readonly id: string;
	readonly memory: StateMemory;
	/** Contexts that have polled before; n8n's in-memory mode polls with one and the same. */
	readonly contexts: WeakSet<object>;
	polled: boolean;
	/** Seen here: one context polling twice, or a poll with the durable scheduler's budget. */
	canDetectActivation: boolean;
	/** The credential as last used, as a digest. */
	credential?: string;
	/** When the service last failed to say whose the credential is. */
	subjectAskedAt?: number;
	/** Polls in a row in which empty pages have hidden whose the credential is. */
	undecidedPolls?: number;
	/** What is said once per process, by name. */
	readonly reported: Set<string>;
	/** Clients as last listed, for messages. */
	clients: ReadonlyMap<string, ItemClient>;
}

const memories = new Map<string, ProcessMemory>();

/**
 * n8n does not tell a polling node that its workflow was switched off (only triggers of other kinds
 * have a function to close them), so what is remembered leaves when it was used longest ago.
 */
export function processMemory(functions: IPollFunctions): ProcessMemory {
	const key = `${functions.getWorkflow().id ?? ''}/${functions.getNode().id}`;
	const found = memories.get(key) ?? {
		id: randomUUID().slice(0, 8),
		memory: freshMemory(),
		contexts: new WeakSet<object>(),
		polled: false,
		canDetectActivation: false,
		reported: new Set<string>(),
		clients: new Map<string, ItemClient>(),
	};
	// A map keeps the order in which its keys were put in: the one used last goes to the end.
	memories.delete(key);
	memories.set(key, found);
	if (memories.size > MAX_NODES) {
		const [unused] = memories.keys();
		if (unused !== undefined) memories.delete(unused);
	}
	return found;
}

/** Of the key and its address. A digest shows whether they are others, and nothing else. */
export async function credentialDigest(functions: IPollFunctions): Promise<string> {
	const { baseUrl, apiKey } = await functions.getCredentials(CREDENTIAL);
	const text = JSON.stringify([baseUrl, apiKey].map((one) => String(one).trim()));
	return createHash('sha256').update(text).digest('base64url').slice(0, 16);
}

/** Whether n8n itself switches the workflow on: nobody is there to read an error. */
export function isUnattended(functions: IPollFunctions): boolean {
	const mode =
		typeof functions.getActivationMode === 'function' ? functions.getActivationMode() : undefined;
	return mode === 'init' || mode === 'leadershipChange';
}

/**
 * Whether this is the poll that decides if the workflow can be switched on. n8n does not say; it
 * polls in its in-memory mode with one context over and over, and durably with a shorter budget.
 */
export function isActivation(functions: IPollFunctions, remembered: ProcessMemory): boolean {
	const polledBefore = remembered.contexts.has(functions);
	const fenced = isDurable(functions);
	remembered.contexts.add(functions);
	remembered.canDetectActivation ||= polledBefore || fenced;
	const first = !remembered.polled;
	remembered.polled = true;
	return !polledBefore && !fenced && (first || remembered.canDetectActivation);
}

/** It failed, so the workflow was not switched on: the next poll tries that again. */
export function activationFailed(remembered: ProcessMemory): void {
	remembered.polled = false;
}

/** Polled by n8n's durable scheduler, which gives less time. */
export const isDurable = (functions: IPollFunctions): boolean => budgetOf(functions) < MAX_BUDGET;

/** Older versions of n8n set no limit; it is theirs that a poll should end within all the same. */
export function budgetOf(functions: IPollFunctions): number {
	const budget =
		typeof functions.getPollBudgetMs === 'function' ? functions.getPollBudgetMs() : undefined;
	return budget !== undefined && budget > 0 ? Math.min(budget, MAX_BUDGET) : MAX_BUDGET;
}

/** Older versions of n8n hand their polls no logger. */
export const loggerOf = ({ logger }: { logger?: Logger }): Logger | undefined => logger;
