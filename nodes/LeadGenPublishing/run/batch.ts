/**
 * One run of the node over its input items: finds the operation, connects once, runs each item for
 * its account, and prevents sending a write twice when n8n runs everything again.
 */
import type { IExecuteFunctions } from 'n8n-workflow';

import type { Client, ClientSettings } from '../api/client';
import { ApiFailure } from '../api/failure';
import type { JsonRecord } from '../api/schemas';
import { accountOf, readClientId } from '../panel/fields/account';
import type { ClientList } from '../panel/fields/clientByName';
import type { Notice } from '../panel/fields/notice';
import { readMaxWaitMs } from '../panel/fields/shared';
import { readDryRun } from '../panel/fields/uniqueKey';
import type { BoundApi } from '../item/itemCall';
import type { BatchErrors, Operation, ItemCall } from '../operations/operation';
import { panelOf } from '../operations/describe';
import { findOperation, isAgency } from '../operations/index';
import { decidedByPerson, requireFixedOperation } from './personDecides';
import { shaping } from '../panel/output/shape';
import { ItemFailure } from '../words/panel';
import { hasStates } from '../writes/once/ledger';
import { openRun, type RetriedRun } from '../writes/once/retriedRun';
import { runOnce } from '../writes/once/runOnce';
import { nodeRunOf } from '../n8n/execution';
import { connect as connectToService } from '../n8n/host';
import { slicesOf } from '../n8n/slices';
import { failuresBeforeAsking } from './beforeAsking';
import { bindApi } from './boundApi';
import { runDry } from './dryRun';
import { ItemParameters } from './itemParameters';
import { kept } from './kept';
import { namedClients, namesClients, notLookedUp } from './namedClients';
import { Notices } from './notices';

type ApiOfItem = (
	item: number,
	maxWaitMs: number | undefined,
) => Promise<(clientId?: string) => BoundApi>;

/** What the items of one run share. */
export interface Batch {
	readonly functions: IExecuteFunctions;
	readonly operation: Operation;
	readonly size: number;
	readonly timeZone: string;
	readonly parameters: ItemParameters;
	readonly notices: Notices;
	readonly notice: Notice;
	readonly shared: ItemCall['shared'];
	/** The errors of items that only a comparison of all items shows. */
	readonly planErrors: BatchErrors | undefined;
	/** The errors of all items, if none of them gets as far as a request. */
	readonly failures?: BatchErrors;
	/** Only for writes. */
	readonly retried: RetriedRun | undefined;
	/** The client of each item. If an earlier attempt was for another client, it is that one. */
	readonly clientIds: Map<number, string | undefined>;
	/** The API for an item, on behalf of the client of this ID or of the own account. */
	readonly apiOf: ApiOfItem;
	readonly now: () => number;
	/** Whether the items are only checked. Nothing they do has an effect outside of the batch. */
	readonly isTrial: boolean;
	hasDryRun: boolean;
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
	const parameters = new ItemParameters(functions);
	const { apiOf, readClients } = apisOf(functions, { operation, settings });
	const { now = Date.now } = settings;
	const opened = { functions, operation, parameters, apiOf, now };
	if (!isAgency(operation) || !namesClients(functions)) return batchOf(opened);
	parameters.named = notLookedUp;
	const failures = await failuresWithoutNames(opened);
	if (failures !== undefined) return { ...batchOf(opened), failures };
	parameters.named = await namedClients(readClients);
	return batchOf(opened);
}

/**
 * The errors of all items, if none needs the list of clients. An earlier attempt has already asked, and
 * its outcome matters more than a value that is wrong by now.
 */
async function failuresWithoutNames(opened: Opened): Promise<BatchErrors | undefined> {
	if (hasStates(opened.functions.getContext('node'))) return undefined;
	const trial = batchOf(opened, { isTrial: true });
	return await failuresBeforeAsking(trial, async (item, api) => {
		await runItem({ ...trial, apiOf: async () => await Promise.resolve(() => api) }, item);
	});
}

type Opened = Pick<Batch, 'functions' | 'operation' | 'parameters' | 'apiOf' | 'now'>;

function batchOf(
	{ functions, operation, parameters, apiOf, now }: Opened,
	{ isTrial = false }: { isTrial?: boolean } = {},
): Batch {
	const { length: size } = functions.getInputData();
	const notices = new Notices(isTrial ? {} : functions);
	const notice: Notice = (...said) => notices.say(...said);
	const ofRun = new Map<string, unknown>();
	const shared = <T>(name: string, make: () => T): T => kept(ofRun, name, make) as T;
	const timeZone = functions.getTimezone();
	const planErrors = operation.planBatch?.(
		Array.from({ length: size }, (_, item) => parameters.of(item)),
		{ timeZone, stored: parameters.stored, notice, shared },
	);
	const retried =
		operation.kind === 'write' && !isTrial
			? openRun(nodeRunOf(functions), {
					what: operation.endpoints.join('+'),
					deciding: parameters.decidingFor(operation),
				})
			: undefined;
	return {
		functions,
		operation,
		size,
		timeZone,
		parameters,
		notices,
		notice,
		shared,
		planErrors,
		retried,
		isTrial,
		clientIds: new Map(),
		apiOf,
		now,
		hasDryRun: false,
	};
}

/** The records of an item, as the user wants to see them. */
export async function runItem(batch: Batch, itemIndex: number): Promise<JsonRecord[]> {
	const { functions, operation, clientIds } = batch;
	const failure = batch.failures?.get(itemIndex);
	if (failure !== undefined) throw failure;
	const input = batch.parameters.of(itemIndex);
	const clientId = isAgency(operation) ? readClientId(input) : undefined;
	clientIds.set(itemIndex, clientId);
	const planError = batch.planErrors?.get(itemIndex);
	if (planError !== undefined) throw planError;
	// An operation without requests has no such option.
	const maxWaitMs = operation.kind === 'local' ? undefined : readMaxWaitMs(input);
	const apiFor = await batch.apiOf(itemIndex, maxWaitMs);
	const shaped = shaping(operation, input);
	const isDryRun = operation.kind === 'write' && readDryRun(input.collection('options'));
	const call = callOf(batch, { itemIndex, input, api: apiFor(clientId) });
	const { retried } = batch;
	try {
		if (retried === undefined) return await shapedAll(await operation.run(call));
		if (isDryRun) {
			batch.hasDryRun = true;
			return [await runDry(operation, call)];
		}
		const result = await runOnce(operation, call, {
			ledger: retried.ledger,
			execution: retried.execution,
			parameters: () => retried.parametersOf(itemIndex),
			clientId,
			apiFor,
			wasFor: (earlier) => clientIds.set(itemIndex, earlier),
		});
		return await shapedAll(result);
	} catch (error) {
		throw withPanel(functions, operation, error);
	}

	async function shapedAll(result: JsonRecord | JsonRecord[]): Promise<JsonRecord[]> {
		const seen = { clientId: clientIds.get(itemIndex), networkWord: call.api.networkWord() };
		const all: JsonRecord[] = [];
		for await (const slice of slicesOf([result].flat()))
			for (const record of slice) all.push(shaped(record, seen));
		return all;
	}
}

/** To be called after the last item, with the number of failed items. */
export function endBatch({ retried, hasDryRun, notices, size }: Batch, failed: number): void {
	// A dry run in a retried execution must not delete what earlier attempts have recorded.
	if (failed === 0 && (!hasDryRun || retried?.ledger.isEmpty)) retried?.ledger.clear();
	notices.end({ failed, size });
}

/** Connects when the first item needs it. */
function apisOf(
	functions: IExecuteFunctions,
	{ operation, settings }: { operation: Operation; settings: ClientSettings },
): { apiOf: ApiOfItem; readClients: () => Promise<ClientList> } {
	const { length: size } = functions.getInputData();
	let connection: Promise<Client> | undefined;
	const connect = async (): Promise<Client> =>
		await (connection ??= connectToService(functions, settings));
	return {
		readClients: async () => await (await connect()).list('client.getAll'),
		apiOf: async (item, maxWaitMs) => {
			if (operation.kind === 'local') return () => sendsNothing(settings);
			const client = await connect();
			return (clientId) =>
				bindApi(client, {
					account: accountOf(clientId),
					item,
					maxWaitMs,
					// Items that run in parallel share the prefetching that a single item may do.
					atOnce: operation.kind === 'read' && size > 1 ? 2 : undefined,
				});
		},
	};
}

const callOf = (
	{ functions, timeZone, retried, notice, notices, shared, isTrial }: Batch,
	{ itemIndex, input, api }: Pick<ItemCall, 'itemIndex' | 'input' | 'api'>,
): ItemCall => ({
	itemIndex,
	input,
	functions,
	api,
	timeZone,
	stableKey: () => retried?.keyOf(itemIndex) ?? '',
	contextOfNode: () => (isTrial ? {} : functions.getContext('node')),
	notice,
	count: (tally) => notices.count(tally),
	isDryRun: isTrial,
	recognisedBy: () => undefined,
	settled: () => undefined,
	shared,
});

/** The API of a local operation. It needs no credential and cannot send anything. */
const sendsNothing = ({ now = Date.now }: ClientSettings): BoundApi =>
	({ now, networkWord: () => undefined }) satisfies Partial<BoundApi> as BoundApi;

/**
 * Adds what the user sees of the node, so that an error only recommends parameters that exist
 * there.
 */
const withPanel = (functions: IExecuteFunctions, operation: Operation, error: unknown): unknown =>
	error instanceof ApiFailure ? new ItemFailure(error.facts, panelOf(functions, operation)) : error;
