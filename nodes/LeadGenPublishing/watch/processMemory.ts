/**
 * What a process of n8n remembers about each trigger node, and how a poll finds out how n8n started
 * it.
 */
import { randomUUID } from 'crypto';
import type { IPollFunctions, Logger } from 'n8n-workflow';

import { CREDENTIAL } from '../n8n/host';
import { emptyKnowledge, type KnownClients } from './clients';
import { digestOf } from '../feed/list/hash';
import { emptyPollMemory, USUAL_MS, type PollMemory } from '../feed/memory/pollMemory';

/** How often a workflow may be published before n8n polls it on schedule. */
const MOST_ACTIVATIONS = 3;

export interface ProcessMemory {
	/** Identifies this process in the stored state. */
	readonly id: string;
	readonly memory: PollMemory;
	readonly known: KnownClients;
	/**
	 * Shared by all polls of this node, so that all of them wait when the service asks one of them
	 * to.
	 */
	throttle: object;
	/** Records have shown times without a time zone. */
	showsNoZone?: boolean;
	/** Digest of the credential last used. */
	credential?: string;
	/** Contexts that have polled before. */
	readonly contexts: WeakSet<object>;
	/** Polls in a row that may have been activations. -Infinity once a poll was certainly none. */
	activations: number;
}

export const emptyMemory = (): ProcessMemory => ({
	id: randomUUID().slice(0, 8),
	memory: emptyPollMemory(),
	known: emptyKnowledge(),
	throttle: {},
	contexts: new WeakSet(),
	activations: 0,
});

const memories = new Map<string, ProcessMemory>();

export function processMemory(functions: IPollFunctions): ProcessMemory {
	const key = `${functions.getWorkflow().id ?? ''}/${functions.getNode().id}`;
	const memory = memories.get(key) ?? emptyMemory();
	memories.set(key, memory);
	return memory;
}

/** A hash of the key and its base URL. It only shows whether they have changed. */
export async function credentialDigest(functions: IPollFunctions): Promise<string> {
	const { baseUrl, apiKey } = await functions.getCredentials(CREDENTIAL);
	return digestOf(JSON.stringify([baseUrl, apiKey].map((one) => String(one).trim())), 16);
}

/** Whether n8n itself activates the workflow, so that nobody sees an error. */
export const isUnattended = (functions: IPollFunctions): boolean =>
	typeof functions.getActivationMode === 'function' &&
	['init', 'leadershipChange'].includes(functions.getActivationMode());

/**
 * Whether this poll decides if the workflow can be activated. n8n does not say so. But later polls
 * of its in-memory mode have the same context, and its durable scheduler gives less time. If
 * neither applies, only the first polls count as activations. So a workflow may be published
 * several times between two polls, and later failures are still reported.
 *
 * @doubt pollProcess
 */
export function isActivation(functions: IPollFunctions, remembered: ProcessMemory): boolean {
	const { contexts } = remembered;
	const isRepeated = contexts.has(functions) || budgetOf(functions) < USUAL_MS;
	contexts.add(functions);
	remembered.activations = isRepeated ? -Infinity : remembered.activations + 1;
	return !isRepeated && remembered.activations <= MOST_ACTIVATIONS;
}

/** The time for this poll. Older versions of n8n do not name one, so the usual time applies. */
export function budgetOf(functions: IPollFunctions): number {
	const budget = typeof functions.getPollBudgetMs === 'function' ? functions.getPollBudgetMs() : 0;
	return budget > 0 ? Math.min(budget, USUAL_MS) : USUAL_MS;
}

const ignore = (): void => undefined;

/** Older versions of n8n provide no logger for polls. */
export const loggerOf = ({
	logger,
}: {
	logger?: Logger;
}): Pick<Logger, 'debug' | 'error' | 'warn'> =>
	logger ?? { debug: ignore, error: ignore, warn: ignore };
