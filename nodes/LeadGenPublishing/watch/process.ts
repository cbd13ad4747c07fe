/**
 * What this process remembers of a node between its polls, and how it recognises the poll by which
 * n8n activates a workflow.
 */
import { createHash, randomUUID } from 'crypto';
import type { IPollFunctions, Logger } from 'n8n-workflow';

import { CREDENTIAL } from '../api/transport';
import { noClients, type KnownClients } from './accounts';
import type { Memory } from './memory';

/** The time limit of polls that n8n's durable scheduler does not make. */
const USUAL_MS = 300_000;
const MAX_NODES = 1_000;

export interface ProcessMemory {
	/** Identifies this process in the stored state. */
	readonly id: string;
	/** The name of the node, and those it had before. */
	name: string;
	readonly formerNames: Set<string>;
	readonly memory: Memory;
	readonly known: KnownClients;
	/** All polls wait by it together when the service asks one of them to. */
	throttle: object;
	/** A poll has failed because of that wait. */
	hasToldWait?: boolean;
	/** The credential whose owner was asked for last, if the answer was to wait. */
	refused?: string;
	/** Digest of the credential last used. */
	credential?: string;
	/** Contexts that have polled before; n8n's in-memory mode reuses one. */
	readonly contexts: WeakSet<object>;
	hasPolled: boolean;
	/** It has seen a context poll twice, or a poll of the durable scheduler. */
	canDetectActivation: boolean;
}

const memories = new Map<string, ProcessMemory>();

/**
 * n8n does not tell a polling node that its workflow was deactivated, so the least recently used
 * memory is dropped.
 */
export function processMemory(functions: IPollFunctions): ProcessMemory {
	const { id, name } = functions.getNode();
	const ofId = `${functions.getWorkflow().id ?? ''}/${id}`;
	// A former name that polls again shows that two nodes have one ID, as in a workflow that was put
	// together by hand. n8n keeps the state by the name.
	const isTwin = memories.get(ofId)?.formerNames.has(name) === true;
	const key = isTwin ? `${ofId}/${name}` : ofId;
	const found: ProcessMemory = memories.get(key) ?? {
		...{ id: randomUUID().slice(0, 8), name, formerNames: new Set(), memory: {} },
		...{ known: noClients(), throttle: {}, contexts: new WeakSet() },
		...{ hasPolled: false, canDetectActivation: false },
	};
	if (found.name !== name) found.formerNames.add(found.name);
	found.name = name;
	// A `Map` iterates in the order of insertion: the one used last moves to the end.
	memories.delete(key);
	memories.set(key, found);
	const [unused] = memories.keys();
	if (memories.size > MAX_NODES && unused !== undefined) memories.delete(unused);
	return found;
}

/** Of the key and its base URL. It only shows whether they have changed. */
export async function credentialDigest(functions: IPollFunctions): Promise<string> {
	const { baseUrl, apiKey } = await functions.getCredentials(CREDENTIAL);
	const text = JSON.stringify([baseUrl, apiKey].map((one) => String(one).trim()));
	return createHash('sha256').update(text).digest('base64url').slice(0, 16);
}

/** Whether n8n itself activates the workflow, so that nobody sees an error. */
export function isUnattended(functions: IPollFunctions): boolean {
	const mode =
		typeof functions.getActivationMode === 'function' ? functions.getActivationMode() : undefined;
	return mode === 'init' || mode === 'leadershipChange';
}

/**
 * Whether this poll decides if the workflow can be activated. n8n does not say so; its in-memory
 * mode polls repeatedly with one context, its durable scheduler gives less time.
 */
export function isActivation(functions: IPollFunctions, remembered: ProcessMemory): boolean {
	const polledBefore = remembered.contexts.has(functions);
	const isFenced = isDurable(functions);
	remembered.contexts.add(functions);
	remembered.canDetectActivation ||= polledBefore || isFenced;
	const isFirst = !remembered.hasPolled;
	remembered.hasPolled = true;
	return !polledBefore && !isFenced && (isFirst || remembered.canDetectActivation);
}

/** Made by n8n's durable scheduler, which gives less time. */
export const isDurable = (functions: IPollFunctions): boolean => budgetOf(functions) < USUAL_MS;

/** Older versions of n8n tell no budget; a poll should end within the usual one all the same. */
export function budgetOf(functions: IPollFunctions): number {
	const budget =
		typeof functions.getPollBudgetMs === 'function' ? functions.getPollBudgetMs() : undefined;
	return budget !== undefined && budget > 0 ? Math.min(budget, USUAL_MS) : USUAL_MS;
}

/** Older versions of n8n provide no logger for polls. */
export const loggerOf = ({ logger }: { logger?: Logger }): Logger | undefined => logger;
