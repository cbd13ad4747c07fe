/** Runs the action node over its input items, and reports each failure as the node is set to. */
import {
	NodeOperationError,
	sleep,
	type IExecuteFunctions,
	type INodeExecutionData,
} from 'n8n-workflow';

import type { ClientSettings } from '../api/client';
import { detailsOf } from '../words/errorDetails';
import { toNodeError } from '../n8n/nodeErrors';
import { OpenWriteError } from '../words/inputError';
import { endBatch, openBatch, runItem, type Batch } from './batch';

type Items = INodeExecutionData[];

/**
 * After the user has stopped the run, it always ends with this error, whatever happened to its
 * items: n8n recognizes a canceled execution by a word in the error's message.
 */
export async function executeItems(
	functions: IExecuteFunctions,
	settings: ClientSettings = {},
): Promise<Items[]> {
	// Even after a stop, n8n's Retry On Fail starts the node again.
	if (!isCanceled(functions)) {
		const items = await runItems(functions, settings).catch((error: unknown) => {
			if (!isCanceled(functions)) throw error;
			return undefined;
		});
		if (items !== undefined) return [items];
	}
	throw new NodeOperationError(functions.getNode(), 'The execution was canceled');
}

const isCanceled = (functions: IExecuteFunctions): boolean =>
	functions.getExecutionCancelSignal?.()?.aborted ?? false;

async function runItems(functions: IExecuteFunctions, settings: ClientSettings): Promise<Items> {
	const opened = await openBatch(functions, settings).then(
		(batch) => ({ batch }),
		(error: unknown) => ({ error }),
	);
	if ('error' in opened) {
		// If this were thrown with "continue" set, n8n would pass the input to the success output.
		if (!functions.continueOnFail()) throw toNodeError(functions.getNode(), opened.error);
		const failed = (_: unknown, item: number) => failedItem(functions, opened.error, { item });
		return functions.getInputData().map(failed);
	}
	const { batch } = opened;
	const outcomes: Outcome[] = [];
	if (batch.operation.kind === 'read')
		outcomes.push(...(await inParallel(batch.size, async (item) => await outcomeOf(batch, item))));
	// Writes keep their order. After a failure that ends the run, no further one begins.
	else for (let item = 0; item < batch.size; item += 1) outcomes.push(await outcomeOf(batch, item));
	const unresolved = outcomes.find((one) => one.kind === 'unresolved');
	if (unresolved !== undefined) throw unresolved.error;
	endBatch(batch, outcomes.filter(({ kind }) => kind === 'failed').length);
	return outcomes.flatMap((one) => ('items' in one ? one.items : []));
}

type Outcome =
	| { readonly kind: 'done' | 'failed'; readonly items: Items }
	/** The outcome is unknown since an earlier attempt. The other items still run first. */
	| { readonly kind: 'unresolved'; readonly error: Error };

/** Throws if the failure of this item ends the run. */
async function outcomeOf(batch: Batch, item: number): Promise<Outcome> {
	const { functions, operation, clientIds } = batch;
	try {
		const records = await runItem(batch, item);
		// If output items are input items with added fields, they keep their binary data.
		const { binary } = (operation.keepsItem && functions.getInputData()[item]) || {};
		return { kind: 'done', items: records.map((json) => outputItem(json, { item, binary })) };
	} catch (error) {
		const goesOn = functions.continueOnFail();
		const failure = toNodeError(functions.getNode(), error, { itemIndex: item });
		const clientId = clientIds.get(item);
		// n8n hands the error to the error workflow, which can then tell whose item it was.
		if (clientId !== undefined) failure.context.client_id = clientId;
		if (error instanceof OpenWriteError && !goesOn) return { kind: 'unresolved', error: failure };
		if (!goesOn || isCanceled(functions)) throw failure;
		return { kind: 'failed', items: [failedItem(functions, error, { item, clientId })] };
	}
}

/** The item for a record. An item without files has no `binary` key. */
function outputItem(
	json: object,
	{ item, binary }: { item: number; binary: INodeExecutionData['binary'] },
): INodeExecutionData {
	const made: INodeExecutionData = {
		json: json as INodeExecutionData['json'],
		pairedItem: { item },
	};
	if (binary !== undefined) made.binary = binary;
	return made;
}

/** The item for the error output: exactly `error`, `message` and `details`. */
function failedItem(
	functions: IExecuteFunctions,
	error: unknown,
	{ item, clientId }: { item: number; clientId?: string },
): INodeExecutionData {
	const { message, description } = toNodeError(functions.getNode(), error);
	const sentence = /[.!?…]$/.test(message) ? message : `${message}.`;
	const words = description ? `${sentence} ${description}` : sentence;
	const client = clientId === undefined ? {} : { client_id: clientId };
	const details = { ...detailsOf(error), ...client } as INodeExecutionData['json'];
	return { json: { error: message, message: words, details }, pairedItem: { item } };
}

const PARALLEL_READS = 10;

/**
 * Runs `size` tasks, at most ten at a time. The results keep their order. After a failure, no
 * further task begins, and running tasks are awaited, so that nothing is sent after the node has
 * ended.
 *
 * Tasks begin one after another, with a pause between them. If several began at once, they would from
 * then on send, wait and compute together, and the process would be idle while all of them wait.
 */
async function inParallel<T>(size: number, task: (index: number) => Promise<T>): Promise<T[]> {
	const results: T[] = [];
	const failures: Array<{ index: number; error: unknown }> = [];
	const workers = Math.min(PARALLEL_READS, size);
	let next = 0;
	let lastBeginning = Promise.resolve();
	const afterOthers = async () => {
		lastBeginning = lastBeginning.then(async () => await sleep(0));
		await lastBeginning;
	};
	const worker = async () => {
		for (;;) {
			if (workers > 1) await afterOthers();
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
	await Promise.all(Array.from({ length: workers }, worker));
	const [first] = failures.sort((a, b) => a.index - b.index);
	if (first !== undefined) throw first.error;
	return results;
}
