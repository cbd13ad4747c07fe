/** Runs the action node over its input items, and reports each failure as the node is set to. */
import {
	NodeOperationError,
	sleep,
	type IExecuteFunctions,
	type INodeExecutionData,
} from 'n8n-workflow';

import type { ClientSettings } from '../api/client';
import { detailsOf } from '../words/errorDetails';
import { toNodeError } from '../words/nodeErrors';
import { OpenWriteError } from '../api/failure';
import { openBatch, type Batch } from './batch';

type Items = INodeExecutionData[];

/**
 * After the user has stopped the run, it always ends with this error, whatever happened to its
 * items: n8n recognizes a canceled execution by a word in the error's message.
 */
export async function executeItems(
	functions: IExecuteFunctions,
	settings: ClientSettings = {},
): Promise<Items[]> {
	const isCanceled = () => functions.getExecutionCancelSignal?.()?.aborted ?? false;
	// Even after a stop, n8n's Retry On Fail starts the node again.
	const outcome = isCanceled()
		? undefined
		: await execute(functions, settings, isCanceled).catch((error: unknown) => ({ error }));
	if (outcome === undefined || ('error' in outcome && isCanceled()))
		throw new NodeOperationError(functions.getNode(), 'The execution was canceled');
	if ('error' in outcome) throw outcome.error;
	return [outcome];
}

async function execute(
	functions: IExecuteFunctions,
	settings: ClientSettings,
	isCanceled: () => boolean,
): Promise<Items> {
	const items = functions.getInputData();
	const goesOn = functions.continueOnFail();
	const opened = await openBatch(functions, settings).catch((error: unknown) => ({ error }));
	if ('error' in opened) {
		// If this were thrown with "continue" set, n8n would pass the input to the success output.
		if (!goesOn) throw toNodeError(functions.getNode(), opened.error);
		return items.map((_, item) => failedItem(functions, opened.error, { item }));
	}
	const batch: Batch = opened;
	let failures = 0;
	let unresolved: Error | undefined;
	const perItem = await inOrder(batch, async (item): Promise<Items> => {
		try {
			const records = await batch.run(item);
			const binary = batch.keepsBinary ? items[item]?.binary : undefined;
			return records.map((json) => outputItem(json, { item, binary }));
		} catch (error) {
			const failure = toNodeError(functions.getNode(), error, { itemIndex: item });
			const clientId = batch.clientId(item);
			// n8n hands the error to the error workflow, which can then tell whose item it was.
			if (clientId !== undefined) failure.context.client_id = clientId;
			if (error instanceof OpenWriteError && !goesOn) {
				// The outcome is unknown since an earlier attempt. The other items still run first.
				unresolved ??= failure;
				return [];
			}
			if (!goesOn || isCanceled()) throw failure;
			failures += 1;
			return [failedItem(functions, error, { item, clientId })];
		}
	});
	if (unresolved !== undefined) throw unresolved;
	batch.end(failures);
	return perItem.flat();
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

/**
 * Runs `size` tasks, at most `width` at a time. The results keep their order. After a failure, no
 * further task begins, and running tasks are awaited, so that nothing is sent after the node has
 * ended.
 *
 * Parallel tasks begin one by one, each in its own turn of the event loop. If several began in the
 * same turn, they would from then on send, wait and compute together, and the process would be idle
 * while all of them wait.
 */
async function inOrder<T>(
	{ size, width }: Pick<Batch, 'size' | 'width'>,
	task: (index: number) => Promise<T>,
): Promise<T[]> {
	const results: T[] = [];
	const failures: Array<{ index: number; error: unknown }> = [];
	const workers = Math.min(width, size);
	let next = 0;
	let turn = Promise.resolve();
	const ownTurn = async () => {
		turn = turn.then(async () => await sleep(0));
		await turn;
	};
	const worker = async () => {
		for (;;) {
			if (workers > 1) await ownTurn();
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
