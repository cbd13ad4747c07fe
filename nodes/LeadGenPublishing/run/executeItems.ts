/** Runs the action node over its input items, and reports each failure as the node is set to. */
import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { ClientSettings } from '../api/clientParts';
import { toNodeError } from '../api/errors';
import { OpenWriteError } from '../api/failure';
import { openBatch } from './batch';
import { failedItem } from './failedItem';
import { inOrder } from './inOrder';

export async function executeItems(
	functions: IExecuteFunctions,
	settings: ClientSettings = {},
): Promise<INodeExecutionData[][]> {
	const items = functions.getInputData();
	const opened = await openBatch(functions, settings).catch((error: unknown) => ({ error }));
	if ('error' in opened) {
		// If thrown with "continue" set, n8n would pass the input to the success output.
		if (!functions.continueOnFail()) throw toNodeError(functions.getNode(), opened.error);
		return [
			items.map((_, item) => ({
				json: failedItem(functions, opened.error, item),
				pairedItem: { item },
			})),
		];
	}
	const batch = opened;
	const before = functions.continueOnFail() ? undefined : batch.earlierFailure();
	if (before !== undefined)
		throw toNodeError(functions.getNode(), before.error, { itemIndex: before.itemIndex });
	let failures = 0;
	let unresolved: { error: OpenWriteError; itemIndex: number } | undefined;
	const perItem = await inOrder(batch, async (item): Promise<INodeExecutionData[]> => {
		try {
			const records = await batch.run(item);
			const binary = batch.keepsBinary ? items[item]?.binary : undefined;
			return records.map((json) => ({
				json: json as INodeExecutionData['json'],
				...(binary === undefined ? {} : { binary }),
				pairedItem: { item },
			}));
		} catch (error) {
			if (error instanceof OpenWriteError && !functions.continueOnFail()) {
				// Its outcome is unknown since an earlier attempt: the other items still run first.
				unresolved ??= { error, itemIndex: item };
				return [];
			}
			if (!functions.continueOnFail() || batch.cancelled())
				throw toNodeError(functions.getNode(), error, { itemIndex: item });
			failures += 1;
			return [
				{ json: failedItem(functions, error, item, batch.clientId(item)), pairedItem: { item } },
			];
		}
	});
	if (unresolved !== undefined) {
		throw toNodeError(functions.getNode(), unresolved.error, { itemIndex: unresolved.itemIndex });
	}
	batch.end(failures);
	return [perItem.flat()];
}
