/**
 * One run of the node over its input items: finds the operation, connects once, runs each item for
 * its account, and prevents sending a write twice when n8n runs everything again.
 */
import type { IExecuteFunctions } from 'n8n-workflow';

import { Client } from '../api/client';
import type { ClientSettings } from '../api/clientParts';
import { ApiFailure } from '../api/failure';
import { keyFrom } from '../api/idempotency';
import { OWN_ACCOUNT, type Account } from '../api/route';
import type { JsonRecord } from '../api/schemas';
import { readAccount } from '../fields/account';
import { readShape, type Shape } from '../fields/output';
import { readMaxWaitMs } from '../fields/shared';
import { readDryRun } from '../fields/uniqueKey';
import type { BatchPlan, ItemCall, Operation } from '../operations/define';
import { isAgency, labelsOf } from '../operations/describe';
import { findOperation } from '../operations/index';
import { addFields, clientFields, withoutErrorKey } from '../output/addFields';
import { select, simplify } from '../output/simplification';
import type { Values } from '../parameters/values';
import { bindApi, offlineApi } from './boundApi';
import { runDry } from './dryRun';
import { requireFixedOperation } from './fixedOperation';
import type { Order } from './inOrder';
import { ItemParameters } from './itemParameters';
import { Notices } from './notices';
import { openMemory } from './writeOnce/memory';
import { firstAnswer, runOnce } from './writeOnce/runOnce';

const PARALLEL_READS = 10;
/** The number of items for which an expression is evaluated together. */
const EVALUATION_BLOCK = 50;

export interface Batch extends Order {
	/** Whether output items are input items with added fields, so they keep their binary data. */
	readonly keepsBinary: boolean;
	run(itemIndex: number): Promise<JsonRecord[]>;
	/** The client that an item is for; undefined for the own account. */
	clientId(itemIndex: number): string | undefined;
	/** A final failure from an earlier attempt of this execution. */
	earlierFailure(): { error: unknown; itemIndex: number } | undefined;
	/** Whether the user cancelled the execution, so that no further items may run. */
	cancelled(): boolean;
	/** Call it after the last item, with the number of failed items. */
	end(failed: number): void;
}

export async function openBatch(
	functions: IExecuteFunctions,
	settings: ClientSettings = {},
): Promise<Batch> {
	requireFixedOperation(functions);
	const operation = findOperation(
		functions.getNodeParameter('resource', 0, ''),
		// n8n drops the operation of an unknown resource.
		functions.getNodeParameter('operation', 0, ''),
	);
	const items = functions.getInputData();
	const size = items.length;
	const parameters = new ItemParameters(functions, {
		items,
		// Writes run one after the other, perhaps for minutes: `$now` must be when each one is sent.
		blockSize: operation.kind === 'read' ? EVALUATION_BLOCK : 1,
	});
	const inputs = Array.from({ length: size }, (_, index) => parameters.of(index));
	const now = (settings.now ?? Date.now)();
	const notices = new Notices(functions);
	const plan: BatchPlan =
		operation.planBatch?.(inputs, {
			now,
			timeZone: functions.getTimezone(),
			stored: functions.getNode().parameters,
			notice: (...notice) => notices.say(...notice),
		}) ?? {};
	const memory = openMemory(functions, operation, inputs);
	const shared = new Map<string, unknown>();
	let hasDryRun = false;
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
							maxWaitMs: readMaxWaitMs(input),
							// Items that run in parallel share the prefetching that a single item may do.
							...(operation.kind === 'read' && size > 1 ? { atOnce: 2 } : {}),
						}),
			stableKey: () =>
				keyFrom(memory.ledger.seed, memory.nodeId, key, memory.ledger.refusals(itemIndex)),
			plan: plan.plans?.get(itemIndex),
			notice: (...notice) => notices.say(...notice),
			count: (tally) => notices.count(tally),
			isDryRun: false,
			recognisedBy: () => undefined,
			shared: (name, make) => sharedBy(shared, { name, make }),
		};
	};

	return {
		size,
		width: operation.kind === 'read' ? PARALLEL_READS : 1,
		keepsBinary: operation.kind === 'local',
		cancelled: () => functions.getExecutionCancelSignal?.()?.aborted ?? false,
		end: (failed) => {
			// A dry run of an execution that is retried leaves what earlier attempts have done.
			if (failed === 0 && (!hasDryRun || memory.ledger.isEmpty)) memory.ledger.clear();
			notices.end({ failed, size });
		},
		earlierFailure: () => {
			const first = firstAnswer(memory);
			return first && { ...first, error: withLabels(operation, first.error) };
		},
		run: async (itemIndex) => {
			const planError = plan.errors?.get(itemIndex);
			if (planError !== undefined) throw planError;
			const call = await prepare(itemIndex);
			// Before anything is sent, since it may be refused.
			const shape = shapeFor(operation, call.input);
			const isDryRun = operation.kind === 'write' && readDryRun(call.input.collection('options'));
			const running =
				operation.kind !== 'write'
					? operation.run(call)
					: isDryRun
						? runDry(operation, call)
						: runOnce(operation, call, memory);
			const result = await running.catch((error: unknown) => {
				throw withLabels(operation, error);
			});
			if (isDryRun) {
				hasDryRun = true;
				return [result as JsonRecord];
			}
			const added = clientOf(accountOf(operation, call.input), shape);
			return (Array.isArray(result) ? result : [result]).map((record) =>
				addFields(withoutErrorKey(shaped(record, { operation, shape, api: call.api })), added),
			);
		},
		clientId: (itemIndex) => {
			try {
				const account = accountOf(operation, parameters.of(itemIndex));
				return account.kind === 'client' ? account.clientId : undefined;
			} catch {
				// The item has already failed with this error.
				return undefined;
			}
		},
	};
}

function sharedBy<T>(
	shared: Map<string, unknown>,
	{ name, make }: { name: string; make: () => T },
): T {
	if (!shared.has(name)) shared.set(name, make());
	// Each name is used for one type.
	return shared.get(name) as T;
}

/** Adds the labels of the operation's parameters: an error recommends no others. */
const withLabels = (operation: Operation, error: unknown): unknown =>
	error instanceof ApiFailure
		? new ApiFailure({ ...error.facts, labels: labelsOf(operation) })
		: error;

const accountOf = (operation: Operation, input: Values): Account =>
	isAgency(operation) ? readAccount(input) : OWN_ACCOUNT;

/** In which shape the operation gives its records. */
const shapeFor = ({ simplification }: Operation, input: Values): Shape =>
	simplification === undefined ? { kind: 'raw' } : readShape(input);

function shaped(
	record: JsonRecord,
	{
		operation: { simplification },
		shape,
		api,
	}: { operation: Operation; shape: Shape; api: ItemCall['api'] },
): JsonRecord {
	if (simplification === undefined || shape.kind === 'raw') return record;
	// It may be learned from the records themselves.
	const networkWord = api.networkWord();
	return shape.kind === 'simplified'
		? simplify(simplification, record, networkWord)
		: select(simplification, record, { names: shape.names, networkWord });
}

/** The client fields of a record that was read or created for a client. */
const clientOf = (account: Account, { kind }: Shape): JsonRecord =>
	account.kind === 'own'
		? {}
		: clientFields({ user_id: account.clientId }, { simplified: kind !== 'raw' });
