/**
 * One run of the node over its input items: finds the operation, connects once, runs each item for
 * its account, and prevents sending a write twice when n8n runs everything again.
 */
import type { IExecuteFunctions } from 'n8n-workflow';

import { Client, type ClientSettings } from '../api/client';
import { ApiFailure } from '../api/failure';
import { isRecord, type JsonRecord } from '../api/schemas';
import { accountOf, readClientId } from '../panel/fields/account';
import type { Notice } from '../panel/fields/notice';
import { readMaxWaitMs } from '../panel/fields/shared';
import { readDryRun } from '../panel/fields/uniqueKey';
import type { BoundApi, ItemCall } from '../item/itemCall';
import type { Operation } from '../operations/operation';
import { decidingNames, panelOf, valueAsText } from '../operations/describe';
import { findOperation, isAgency } from '../operations/index';
import { decidedByPerson, requireFixedOperation } from './personDecides';
import { shaping } from '../operations/shape';
import { holdingExpressions } from '../panel/parameters/modelSource';
import { LOCATORS, Values } from '../panel/parameters/values';
import { ItemFailure } from '../words/panel';
import { bindApi } from './boundApi';
import { runDry } from './dryRun';
import { openRun } from '../writes/retriedRun';
import { namedClients, type NamedClients } from './namedClients';
import { Notices } from './notices';
import { runOnce } from '../writes/runOnce';

const PARALLEL_READS = 10;

/**
 * `Values` checks parameters itself. n8n's own validation would look up each definition and check
 * nothing.
 */
const AS_IT_IS = { skipValidation: true } as const;

/** The names of the parameters that may differ from item to item. */
type Differing = ReadonlySet<string | undefined>;

export interface Batch {
	readonly size: number;
	/** How many items may run at the same time. */
	readonly width: number;
	/** Whether output items are input items with added fields, so they keep their binary data. */
	readonly keepsBinary: boolean;
	run(itemIndex: number): Promise<JsonRecord[]>;
	/** The client that an item is for. Undefined for the own account, or if it is unknown. */
	clientId(itemIndex: number): string | undefined;
	/** To be called after the last item, with the number of failed items. */
	end(failed: number): void;
}

export async function openBatch(
	functions: IExecuteFunctions,
	settings: ClientSettings = {},
): Promise<Batch> {
	requireFixedOperation(functions);
	const operation = decidedByPerson(
		findOperation(
			functions.getNodeParameter('resource', 0, ''),
			// With an unknown resource, n8n returns no operation.
			functions.getNodeParameter('operation', 0, ''),
		),
		functions,
	);
	const { length: size } = functions.getInputData();
	const { parameters: stored } = functions.getNode();
	const differing = holdingExpressions(stored);
	let client: Promise<Client> | undefined;
	const connect = async (): Promise<Client> =>
		await (client ??= Client.connect(functions, settings));
	const named = isAgency(operation)
		? await namedClients(functions, async () => await (await connect()).list('client.getAll'))
		: undefined;
	const parameters = parametersOf(functions, { stored, differing, named });
	const notices = new Notices(functions);
	const notice: Notice = (...said) => notices.say(...said);
	const ofRun = new Map<string, unknown>();
	const shared = <T>(name: string, make: () => T): T => kept(ofRun, name, make) as T;
	const planErrors = operation.planBatch?.(
		Array.from({ length: size }, (_, index) => parameters(index)),
		{ timeZone: functions.getTimezone(), stored, notice, shared },
	);
	const retried =
		operation.kind === 'write'
			? openRun(functions, {
					what: operation.endpoints.join('+'),
					deciding: decidingOf(operation, { parameters, differing }),
				})
			: undefined;
	/** The client of each item. If an earlier attempt was for another client, it is that one. */
	const clientIds = new Map<number, string | undefined>();
	let hasDryRun = false;

	/** The API for an item, on behalf of the client of this ID or of the own account. */
	const apiOf = async (itemIndex: number, input: Values) => {
		const connected = await connect();
		return (clientId?: string): BoundApi =>
			bindApi(connected, {
				account: accountOf(clientId),
				item: itemIndex,
				maxWaitMs: readMaxWaitMs(input),
				// Items that run in parallel share the prefetching that a single item may do.
				atOnce: operation.kind === 'read' && size > 1 ? 2 : undefined,
			});
	};

	return {
		size,
		width: operation.kind === 'read' ? PARALLEL_READS : 1,
		keepsBinary: operation.keepsItem === true,
		end: (failed) => {
			// A dry run in a retried execution must not delete what earlier attempts have recorded.
			if (failed === 0 && (!hasDryRun || retried?.ledger.isEmpty)) retried?.ledger.clear();
			notices.end({ failed, size });
		},
		run: async (itemIndex) => {
			const input = parameters(itemIndex);
			const clientId = isAgency(operation) ? readClientId(input) : undefined;
			clientIds.set(itemIndex, clientId);
			const planError = planErrors?.get(itemIndex);
			if (planError !== undefined) throw planError;
			const apiFor =
				operation.kind === 'local' ? () => sendsNothing(settings) : await apiOf(itemIndex, input);
			const call: ItemCall = {
				itemIndex,
				input,
				functions,
				api: apiFor(clientId),
				stableKey: () => retried?.keyOf(itemIndex) ?? '',
				notice,
				count: (tally) => notices.count(tally),
				isDryRun: false,
				recognisedBy: () => undefined,
				settled: () => undefined,
				shared,
			};
			const shaped = shaping(operation, input);
			const isDryRun = retried !== undefined && readDryRun(input.collection('options'));
			const running = isDryRun
				? runDry(operation, call)
				: retried === undefined
					? operation.run(call)
					: runOnce(operation, call, {
							ledger: retried.ledger,
							execution: retried.execution,
							parameters: () => retried.parametersOf(itemIndex),
							clientId,
							apiFor,
							wasFor: (earlier) => clientIds.set(itemIndex, earlier),
						});
			const result = await running.catch((error: unknown) => {
				throw withPanel(functions, operation, error);
			});
			hasDryRun ||= isDryRun;
			if (isDryRun) return [result as JsonRecord];
			return (Array.isArray(result) ? result : [result]).map((record) =>
				shaped(record, {
					clientId: clientIds.get(itemIndex),
					networkWord: call.api.networkWord(),
				}),
			);
		},
		clientId: (itemIndex) => clientIds.get(itemIndex),
	};
}

/**
 * The node's parameters for one item. n8n evaluates them when they are first read, and the item
 * keeps the result, because a second evaluation of `$now` would be another time. Parameters without
 * an expression are the same for all items and are read once.
 */
function parametersOf(
	functions: IExecuteFunctions,
	{
		stored,
		differing,
		named,
	}: { stored: JsonRecord; differing: Differing; named: NamedClients | undefined },
) {
	const ofAll = new Map<string, unknown>();
	const readParameter = (name: string, itemIndex: number): unknown => {
		const value = functions.getNodeParameter(name, itemIndex, null, AS_IT_IS);
		return name === 'clientId' && named !== undefined ? named(value) : plain(name, value);
	};
	const valuesOf = (itemIndex: number): Values => {
		const ofItem = new Map<string, unknown>();
		const evaluated = (name: string): unknown =>
			kept(differing.has(name) ? ofItem : ofAll, name, () => readParameter(name, itemIndex));
		const evaluate = (expression: string): unknown =>
			kept(ofItem, `=${expression}`, () => functions.evaluateExpression(expression, itemIndex));
		const getStored = (name: string): unknown => plain(name, stored[name]);
		return new Values(evaluated, { getStored, evaluate });
	};
	const known = new Map<number, Values>();
	return (itemIndex: number): Values => kept(known, itemIndex, () => valuesOf(itemIndex));
}

/**
 * The parameters that decide what is sent for an item, as text. Those that are the same for all
 * items are serialized once.
 */
function decidingOf(
	operation: Operation,
	{ parameters, differing }: { parameters: (item: number) => Values; differing: Differing },
): (item: number) => string[] {
	const names = decidingNames(operation);
	const ofAll = new Map<string, string>();
	return (item) =>
		names.map((name) => {
			const text = (): string => valueAsText(name, parameters(item));
			return differing.has(name) ? text() : kept(ofAll, name, text);
		});
}

/** The value that is cached under this name, or else a new one. */
function kept<K, T>(known: Map<K, T>, name: K, make: () => T): T {
	if (!known.has(name)) known.set(name, make());
	return known.get(name) as T;
}

/** The value of a resource locator, whatever its mode. */
const plain = (name: string, value: unknown): unknown =>
	LOCATORS.has(name) && isRecord(value) && 'mode' in value ? value.value : value;

/** The API of a local operation. It needs no credential and cannot send anything. */
const sendsNothing = ({ now = Date.now }: ClientSettings): BoundApi =>
	({ now, networkWord: () => undefined }) satisfies Partial<BoundApi> as BoundApi;

/**
 * Adds what the user sees of the node, so that an error only recommends parameters that exist
 * there.
 */
const withPanel = (functions: IExecuteFunctions, operation: Operation, error: unknown): unknown =>
	error instanceof ApiFailure ? new ItemFailure(error.facts, panelOf(functions, operation)) : error;
