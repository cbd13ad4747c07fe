/**
 * One run of the node over its input items: finds the operation, connects once, runs each item
 * for its account, and sees to it that no write is sent twice when n8n runs everything again.
 */
import { randomUUID } from 'crypto';
import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { Client } from '../api/client';
import type { ClientSettings } from '../api/clientParts';
import { endpoint } from '../api/endpoints';
import { detailsOf, messageOf, toNodeError } from '../api/errors';
import { ApiFailure, InputError, OpenWriteError } from '../api/failure';
import { keyFrom } from '../api/idempotency';
import { OWN_ACCOUNT, type Account } from '../api/route';
import type { JsonRecord } from '../api/schemas';
import { readAccount } from '../fields/account';
import { readSimplify } from '../fields/shared';
import type { Values } from '../fields/values';
import { addFields, clientFields, withoutErrorKey } from '../output/addFields';
import { bindApi, maxWaitOf, nothingToSend } from './boundApi';
import { findOperation } from './index';
import type { BatchPlan, BoundApi, ItemCall, Operation } from './define';
import { isAgency, labelsOf } from './describe';
import { Ledger } from './ledger';
import { Notices } from './notices';
import { Parameters } from './parameters';
import { requireChosenOperation } from './personDecides';

const PARALLEL_READS = 10;
/** Items of which an expression is evaluated together. */
const READ_TOGETHER = 50;
/** Answers that no item needs, and that may be outstanding before another item begins. */
const MOST_LEFT_OVER = 10;

export interface Batch {
	readonly size: number;
	/** How many items may run at the same time. */
	readonly width: number;
	/** Whether an output item is the input item with something added, its files included. */
	readonly passesOn: boolean;
	/** Waits until the items that have ended leave room for another one. */
	ready(): Promise<void>;
	run(itemIndex: number): Promise<JsonRecord[]>;
	/** The client that an item is for; undefined for the own account. */
	clientId(itemIndex: number): string | undefined;
	/** Waits for answers that no item needs any more: nothing is under way when the node ends. */
	heardOut(): Promise<void>;
	/** Whether the user cancelled the execution: then nothing is to be continued. */
	cancelled(): boolean;
	/** To be called when every item has had its turn, with the number of those that failed. */
	ended(failed: number): void;
}

export async function openBatch(
	functions: IExecuteFunctions,
	settings: ClientSettings = {},
): Promise<Batch> {
	requireChosenOperation(functions);
	const operation = findOperation(
		functions.getNodeParameter('resource', 0, ''),
		// n8n keeps no operation for a resource that it does not know.
		functions.getNodeParameter('operation', 0, ''),
	);
	const size = functions.getInputData().length;
	const parameters = new Parameters(functions, {
		size,
		// Writes stand in line, for minutes if they are many; their `$now` is when each is sent.
		together: operation.kind === 'read' ? READ_TOGETHER : 1,
	});
	const inputs = Array.from({ length: size }, (_, index) => parameters.of(index));
	const now = (settings.now ?? Date.now)();
	const notices = new Notices(functions);
	const plan: BatchPlan =
		operation.planBatch?.(inputs, {
			now,
			timeZone: functions.getTimezone(),
			stored: functions.getNode().parameters,
			notice: (...said) => notices.say(...said),
		}) ?? {};
	const memory = openMemory(functions, operation);
	let client: Promise<Client> | undefined;
	const leftOver = new Set<Promise<unknown>>();
	const leave = (answered: Promise<unknown>): void => {
		leftOver.add(answered);
		void answered.then(() => leftOver.delete(answered));
	};
	const connect = async () => await (client ??= Client.connect(functions, settings));

	const prepare = async (itemIndex: number): Promise<ItemCall> => {
		const input = parameters.of(itemIndex);
		const account = accountOf(operation, input);
		const key = memory.keyOf(itemIndex);
		return {
			itemIndex,
			input,
			functions,
			api:
				operation.kind === 'local'
					? nothingToSend(settings)
					: bindApi(await connect(), {
							account,
							item: itemIndex,
							maxWaitMs: maxWaitOf(input),
							// Items that run side by side share what one alone may read ahead.
							ahead: size > 1 ? 2 : undefined,
							later: leave,
						}),
			stableKey: () => keyFrom(memory.ledger.seed, memory.nodeId, key, memory.ledger.refusals(key)),
			unsettled: () => memory.ledger.entry(key)?.state === 'unsettled',
			plan: plan.plans?.get(itemIndex),
			notice: (...said) => notices.say(...said),
			count: (tally) => notices.count(tally),
		};
	};

	return {
		size,
		width: operation.kind === 'read' ? PARALLEL_READS : 1,
		passesOn: operation.kind === 'local',
		heardOut: async () => void (await Promise.all(leftOver)),
		cancelled: () => functions.getExecutionCancelSignal?.()?.aborted ?? false,
		ended: (failed) => {
			if (failed === 0) memory.ledger.clear(memory.prefix);
			notices.end({ failed, size });
		},
		ready: async () => {
			while (leftOver.size > MOST_LEFT_OVER) await Promise.race(leftOver);
		},
		run: async (itemIndex) => {
			const planned = plan.errors?.get(itemIndex);
			if (planned !== undefined) throw planned;
			const call = await prepare(itemIndex);
			const running =
				operation.kind === 'write' && operation.repeatable !== true
					? runOnce(operation, call, { ledger: memory.ledger, key: memory.keyOf(itemIndex) })
					: operation.run(call);
			const result = await running.catch((error: unknown) => {
				throw asFailureOf(operation, error);
			});
			const added = clientOf(operation, call.input);
			return (Array.isArray(result) ? result : [result]).map((record) =>
				addFields(withoutErrorKey(record), added),
			);
		},
		clientId: (itemIndex) => {
			try {
				const account = accountOf(operation, parameters.of(itemIndex));
				return account.kind === 'client' ? account.clientId : undefined;
			} catch {
				// The item has failed by just that.
				return undefined;
			}
		},
	};
}

function asFailureOf(operation: Operation, error: unknown): unknown {
	if (!(error instanceof ApiFailure)) return error;
	const { facts } = error;
	// What may simply run again leaves no question open when it fails.
	const uncertain = facts.uncertain && operation.repeatable !== true;
	return new ApiFailure({ ...facts, uncertain, labels: labelsOf(operation) });
}

/** Sends a write unless an earlier try has sent it, and remembers what became of it. */
async function runOnce(
	operation: Operation,
	call: ItemCall,
	{ ledger, key }: { ledger: Ledger; key: string },
): Promise<JsonRecord | JsonRecord[]> {
	const earlier = ledger.entry(key);
	if (earlier?.state === 'done') return earlier.result;
	if (earlier?.state === 'doneById') {
		return operation.recall === undefined
			? { id: earlier.id }
			: await operation.recall(earlier.id, call);
	}
	if (earlier?.state === 'open') {
		throw new OpenWriteError(
			`An earlier try of this item may have been carried out, so it was not sent again. ${earlier.message}`,
			'Look with a Get or Get Many whether it exists. If it does not, start the workflow anew: a new execution sends it.',
			{ code: 'outcome_unknown', outcome: 'unknown' },
		);
	}
	let written = false;
	const watched: BoundApi = {
		...call.api,
		call: async (name, options) => {
			written ||= endpoint(name).method !== 'GET';
			return await call.api.call(name, options);
		},
	};
	const result = await operation.run({ ...call, api: watched }).catch((error: unknown) => {
		// What failed before the first write has changed nothing: it may simply run again.
		if (written) remember(error, { ledger, key });
		throw error;
	});
	if (!Array.isArray(result)) ledger.done(key, result);
	return result;
}

function remember(error: unknown, { ledger, key }: { ledger: Ledger; key: string }): void {
	if (error instanceof InputError) return;
	if (!(error instanceof ApiFailure)) {
		// Cancelled or crashed in the middle: nobody knows how far it came.
		ledger.open(key, 'The earlier try was interrupted.');
		return;
	}
	const { facts } = error;
	// Held back before it was sent: as if it had not had its turn.
	if (facts.kind === 'notSent') return;
	const keyed = facts.keyed === true;
	// A keyed write of unknown fate is repeated with its key, which makes it safe; one that was
	// certainly refused gets a new key, so that a corrected request does not clash with it.
	if (facts.uncertain && keyed) ledger.unsettled(key);
	else if (facts.uncertain) ledger.open(key, messageOf(facts));
	else if (keyed && facts.status !== 429 && facts.code !== 'rate_limited') ledger.refused(key);
}

function openMemory(functions: IExecuteFunctions, operation: Operation) {
	const context: JsonRecord = operation.kind === 'write' ? functions.getContext('node') : {};
	const executionId = operation.kind === 'write' ? functions.getExecutionId() : undefined;
	// Execution IDs count from 1 on every n8n, and two of them may serve the same account.
	const seed = executionId
		? keyFrom(functions.getInstanceId?.() ?? '', functions.getWorkflow().id ?? '', executionId)
		: randomUUID();
	const ledger = Ledger.open(context, seed);
	const run = functions.getWorkflowDataProxy(0).$runIndex as unknown;
	const prefix = `${String(run ?? 0)}/${operation.endpoints[0] ?? operation.value}/`;
	// Two nodes of one execution may mean to do the same thing twice, such as start, stop, start.
	const { id, name } = functions.getNode();
	return { ledger, prefix, nodeId: id || name, keyOf: (itemIndex: number) => prefix + itemIndex };
}

const accountOf = (operation: Operation, input: Values): Account =>
	isAgency(operation) ? readAccount(input) : OWN_ACCOUNT;

/** Whose the record is, when it was got or made for a client. */
function clientOf(operation: Operation, input: Values): JsonRecord {
	const account = accountOf(operation, input);
	if (account.kind === 'own') return {};
	const canSimplify = operation.fields.some(({ name }) => name === 'simplify');
	return clientFields(
		{ user_id: account.clientId },
		{ simplified: canSimplify && readSimplify(input) },
	);
}

/** The item for the error output: exactly `error`, `message` and `details`. */
export function failedItem(
	functions: IExecuteFunctions,
	error: unknown,
	itemIndex: number,
	clientId?: string,
): INodeExecutionData['json'] {
	const { message, description } = toNodeError(functions.getNode(), error, { itemIndex });
	const ended = /[.!?\])]$/.test(message) ? message : `${message}.`;
	return {
		error: message,
		message: description ? `${ended} ${description}` : ended,
		details: {
			...detailsOf(error),
			...(clientId === undefined ? {} : { client_id: clientId }),
		} as INodeExecutionData['json'],
	};
}

/**
 * Runs `size` tasks, at most `width` at a time; the results keep their order. After a failure no
 * further task begins, and those under way are waited for: nothing is sent once the node has ended.
 */
export async function inOrder<T>(
	{ size, width, ready }: Pick<Batch, 'size' | 'width' | 'ready'>,
	task: (index: number) => Promise<T>,
): Promise<T[]> {
	const results: T[] = [];
	const failures: Array<{ index: number; error: unknown }> = [];
	let next = 0;
	const worker = async () => {
		for (;;) {
			// First, since another task may fail in the meantime.
			await ready();
			if (next >= size || failures.length > 0) return;
			const index = next;
			next += 1;
			try {
				results[index] = await task(index);
			} catch (error) {
				failures.push({ index, error });
			}
		}
	};
	await Promise.all(Array.from({ length: Math.min(width, size) }, worker));
	const [first] = failures.sort((a, b) => a.index - b.index);
	if (first !== undefined) throw first.error;
	return results;
}
