/**
 * One run of the node over its input items: finds the operation, connects once, runs each item
 * for its account, and sees to it that no write is sent twice when n8n runs everything again.
 */
import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { Client } from '../api/client';
import type { ClientSettings } from '../api/clientParts';
import { detailsOf, toNodeError } from '../api/errors';
import { ApiFailure } from '../api/failure';
import { keyFrom } from '../api/idempotency';
import { OWN_ACCOUNT, type Account } from '../api/route';
import type { JsonRecord } from '../api/schemas';
import { readAccount } from '../fields/account';
import { readSimplify } from '../fields/shared';
import type { Values } from '../fields/values';
import { addFields, clientFields, withoutErrorKey } from '../output/addFields';
import { bindApi, maxWaitOf, offlineApi } from './boundApi';
import { findOperation } from './index';
import type { BatchPlan, ItemCall, Operation } from './define';
import { isAgency, labelsOf } from './describe';
import type { Order } from './inOrder';
import { Notices } from './notices';
import { Parameters } from './parameters';
import { requireFixedOperation } from './personDecides';
import { openMemory } from './writeOnce/memory';
import { firstAnswer, runOnce } from './writeOnce/runOnce';

const PARALLEL_READS = 10;
/** Items of which an expression is evaluated together. */
const READ_TOGETHER = 50;

export interface Batch extends Order {
	/** Whether an output item is the input item with something added, its files included. */
	readonly passesOn: boolean;
	run(itemIndex: number): Promise<JsonRecord[]>;
	/** The client that an item is for; undefined for the own account. */
	clientId(itemIndex: number): string | undefined;
	/** The failure that this execution has already got, and would get again. */
	failedBefore(): { error: unknown; itemIndex: number } | undefined;
	/** Whether the user cancelled the execution: then nothing is to be continued. */
	cancelled(): boolean;
	/** To be called when every item has had its turn, with the number of those that failed. */
	ended(failed: number): void;
}

export async function openBatch(
	functions: IExecuteFunctions,
	settings: ClientSettings = {},
): Promise<Batch> {
	requireFixedOperation(functions);
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
					? offlineApi(settings)
					: bindApi(await connect(), {
							account,
							item: itemIndex,
							maxWaitMs: maxWaitOf(input),
							// Items that run side by side share what one alone may read ahead.
							atOnce: size > 1 ? 2 : undefined,
						}),
			stableKey: () =>
				keyFrom(memory.ledger.seed, memory.nodeId, key, memory.ledger.refusals(itemIndex)),
			plan: plan.plans?.get(itemIndex),
			notice: (...said) => notices.say(...said),
			count: (tally) => notices.count(tally),
		};
	};

	return {
		size,
		width: operation.kind === 'read' ? PARALLEL_READS : 1,
		passesOn: operation.kind === 'local',
		cancelled: () => functions.getExecutionCancelSignal?.()?.aborted ?? false,
		ended: (failed) => {
			if (failed === 0) memory.ledger.clear();
			notices.end({ failed, size });
		},
		failedBefore: () => {
			const first = firstAnswer(memory);
			return first && { ...first, error: withLabels(operation, first.error) };
		},
		run: async (itemIndex) => {
			const planned = plan.errors?.get(itemIndex);
			if (planned !== undefined) throw planned;
			const call = await prepare(itemIndex);
			const running =
				operation.kind === 'write' ? runOnce(operation, call, memory) : operation.run(call);
			const result = await running.catch((error: unknown) => {
				throw withLabels(operation, error);
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

/** The labels of its parameters: what is recommended in an error is one of them. */
const withLabels = (operation: Operation, error: unknown): unknown =>
	error instanceof ApiFailure
		? new ApiFailure({ ...error.facts, labels: labelsOf(operation) })
		: error;

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
