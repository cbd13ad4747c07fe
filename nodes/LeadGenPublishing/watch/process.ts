/**
 * What this process remembers between the polls of one node, and how it tells the poll that n8n
 * makes while a workflow is switched on from the ones that follow.
 */
import { createHash } from 'crypto';
import type { IPollFunctions, Logger } from 'n8n-workflow';

import { CREDENTIAL } from '../api/transport';
import { freshMemory, type Memory } from './memory';

/** The time limit of a poll that is not made by n8n's durable scheduler. */
const UNFENCED_BUDGET = 300_000;
const MOST_NODES = 1_000;

interface ProcessMemory {
	readonly memory: Memory;
	/** Contexts that have polled before; n8n's in-memory mode polls with one and the same. */
	readonly contexts: WeakSet<object>;
	polled: boolean;
	/** Seen here: one context polling twice, or a poll with the durable scheduler's budget. */
	tellsActivation: boolean;
	/** The credential as last used, as a digest. Never stored. */
	credential?: string;
}

const memories = new Map<string, ProcessMemory>();

export function processMemory(functions: IPollFunctions): ProcessMemory {
	const key = `${functions.getWorkflow().id ?? ''}/${functions.getNode().id}`;
	const found = memories.get(key);
	if (found !== undefined) return found;
	const oldest = memories.size >= MOST_NODES ? memories.keys().next().value : undefined;
	if (oldest !== undefined) memories.delete(oldest);
	const fresh: ProcessMemory = {
		memory: freshMemory(),
		contexts: new WeakSet<object>(),
		polled: false,
		tellsActivation: false,
	};
	memories.set(key, fresh);
	return fresh;
}

/**
 * Whether this is the poll that decides if the workflow can be switched on. n8n does not say; it
 * polls in its in-memory mode with one context over and over, and durably with a shorter budget.
 */
export function isActivation(functions: IPollFunctions, known: ProcessMemory): boolean {
	const again = known.contexts.has(functions);
	const fenced = budgetOf(functions) < UNFENCED_BUDGET;
	known.contexts.add(functions);
	known.tellsActivation ||= again || fenced;
	const first = !known.polled;
	known.polled = true;
	return !again && !fenced && (first || known.tellsActivation);
}

/** It failed, so the workflow was not switched on: the next poll tries that again. */
export function activationFailed(known: ProcessMemory): void {
	known.polled = false;
}

/** Whether the credential holds something else than it did at the poll before. */
export async function isOtherCredential(
	functions: IPollFunctions,
	known: ProcessMemory,
): Promise<boolean> {
	const { baseUrl, apiKey } = await functions.getCredentials(CREDENTIAL);
	const text = JSON.stringify([baseUrl, apiKey]);
	const digest = createHash('sha256').update(text).digest('base64');
	const other = known.credential !== digest;
	known.credential = digest;
	return other;
}

/** Older versions of n8n set no limit; it is theirs that a poll should end within all the same. */
export function budgetOf(functions: IPollFunctions): number {
	const budget =
		typeof functions.getPollBudgetMs === 'function' ? functions.getPollBudgetMs() : undefined;
	return budget !== undefined && budget > 0 ? Math.min(budget, UNFENCED_BUDGET) : UNFENCED_BUDGET;
}

/** Older versions of n8n hand their polls no logger. */
export const loggerOf = ({ logger }: { logger?: Logger }): Logger | undefined => logger;
