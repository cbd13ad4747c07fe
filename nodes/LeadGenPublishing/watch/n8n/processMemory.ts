/**
 * What this process remembers between the polls of one node, and how it recognises the poll by
 * which n8n activates a workflow.
 */
import { createHash, randomUUID } from 'crypto';
import type { IPollFunctions, Logger } from 'n8n-workflow';

import { CREDENTIAL } from '../../api/transport';
import type { ItemClient } from '../../output/addFields';
import type { Pause } from '../store/pauses';
import { freshMemory, type StateMemory } from '../store/stateMemory';

/** The time limit of polls that n8n's durable scheduler does not make. */
const MAX_BUDGET = 300_000;
const MAX_NODES = 1_000;

/** What the polls wait by together when the service asks to wait; a new one knows of no pause. */
export interface Throttle {
	/** Of questions that the lists can do without: for the credential's owner, for the clients. */
	subject?: Pause;
	clients?: Pause;
	/** The agency's clients, as they were last listed. */
	listed?: readonly string[];
	/** The credential whose owner was asked for last, if the answer was to wait. */
	refused?: string;
	/** A poll has failed because of this wait. */
	told?: boolean;
}

export interface ProcessMemory {
	/** Identifies this process in the stored state, so that it can confirm its own deliveries. */
	readonly id: string;
	/** The name of the node, and those it had before. */
	name: string;
	readonly formerNames: Set<string>;
	readonly memory: StateMemory;
	/** Contexts that have polled before; n8n's in-memory mode reuses one context. */
	readonly contexts: WeakSet<object>;
	polled: boolean;
	/**
	 * This process has seen a context poll twice, or a poll with the durable scheduler's budget.
	 */
	canDetectActivation: boolean;
	throttle: Throttle;
	/** Digest of the credential last used. */
	credential?: string;
	/** Polls in a row that could not decide who owns the credential. */
	undecidedPolls?: number;
	/** Keys of what is reported only once per process. */
	readonly reported: Set<string>;
	/** Clients as last listed, for messages. */
	clients: ReadonlyMap<string, ItemClient>;
}

const memories = new Map<string, ProcessMemory>();

/**
 * n8n does not tell a polling node that its workflow was deactivated (only other kinds of triggers
 * have a close function), so the least recently used memory is dropped.
 */
export function processMemory(functions: IPollFunctions): ProcessMemory {
	const { id, name } = functions.getNode();
	const ofId = `${functions.getWorkflow().id ?? ''}/${id}`;
	const known = memories.get(ofId);
	// A name that was replaced and polls again shows that two nodes have one ID, as in a workflow
	// that was put together by hand. n8n keeps the state by the name.
	const key = known?.formerNames.has(name) ? `${ofId}/${name}` : ofId;
	const found = memories.get(key) ?? {
		id: randomUUID().slice(0, 8),
		name,
		formerNames: new Set<string>(),
		memory: freshMemory(),
		contexts: new WeakSet<object>(),
		polled: false,
		canDetectActivation: false,
		throttle: {},
		reported: new Set<string>(),
		clients: new Map<string, ItemClient>(),
	};
	if (found.name !== name) {
		found.formerNames.add(found.name);
		found.name = name;
	}
	// A `Map` iterates in insertion order: the one used last moves to the end.
	memories.delete(key);
	memories.set(key, found);
	if (memories.size > MAX_NODES) {
		const [unused] = memories.keys();
		if (unused !== undefined) memories.delete(unused);
	}
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
 * mode polls repeatedly with one context, its durable scheduler with a shorter budget.
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

/** The workflow was not activated: the next poll is an activation again. */
export function activationFailed(remembered: ProcessMemory): void {
	remembered.polled = false;
}

/** Made by n8n's durable scheduler, which gives less time. */
export const isDurable = (functions: IPollFunctions): boolean => budgetOf(functions) < MAX_BUDGET;

/** Older versions of n8n tell no budget; a poll should end within the usual one all the same. */
export function budgetOf(functions: IPollFunctions): number {
	const budget =
		typeof functions.getPollBudgetMs === 'function' ? functions.getPollBudgetMs() : undefined;
	return budget !== undefined && budget > 0 ? Math.min(budget, MAX_BUDGET) : MAX_BUDGET;
}

/** Older versions of n8n provide no logger for polls. */
export const loggerOf = ({ logger }: { logger?: Logger }): Logger | undefined => logger;
