// What one would use instead of this package: n8n's HTTP Request node as an able user sets it up (the
// largest page, the end told by `has_more`, the answer known to be JSON), and a trigger made of n8n's
// own nodes.

import { createHash } from 'node:crypto';

import { DataDeduplicationService } from 'n8n-core';
import type {
	DeduplicationItemTypes,
	ICheckProcessedOptions,
	IDataDeduplicator,
	IDeduplicationOutput,
} from 'n8n-workflow';

import type { Contender } from './measure';
import type { Nodes, Step } from './nodes';

const PAGE = 100;
const AUTHENTICATION = {
	authentication: 'genericCredentialType',
	genericAuthType: 'httpBearerAuth',
};
const JSON_ANSWER = { response: { response: { responseFormat: 'json' } } };

interface Batches {
	size: number;
	interval: number;
}

/** Every page of a list, one after another: n8n's pagination knows no other way. */
export const everyPage = (url: string): Step => ({
	name: 'Read',
	node: 'HttpRequest',
	parameters: {
		...AUTHENTICATION,
		method: 'GET',
		url,
		sendQuery: true,
		queryParameters: { parameters: [{ name: 'limit', value: String(PAGE) }] },
		options: {
			...JSON_ANSWER,
			pagination: {
				pagination: {
					paginationMode: 'updateAParameterInEachRequest',
					parameters: {
						parameters: [{ type: 'qs', name: 'offset', value: `={{ $pageCount * ${PAGE} }}` }],
					},
					paginationCompleteWhen: 'other',
					completeExpression: '={{ !$response.body.pagination.has_more }}',
					limitPagesFetched: false,
					requestInterval: 0,
				},
			},
		},
	},
});

/** One request for each item; `body` is an expression. */
export const request = (url: string, more: { body?: string; batches?: Batches } = {}): Step => {
	const { body, batches } = more;
	const sending = { sendBody: true, contentType: 'json', specifyBody: 'json', jsonBody: body };
	const batching = { batch: { batchSize: batches?.size, batchInterval: batches?.interval } };
	return {
		name: 'Request',
		node: 'HttpRequest',
		parameters: {
			...AUTHENTICATION,
			...{ method: body === undefined ? 'GET' : 'POST', url },
			...(body === undefined ? {} : sending),
			options: { ...JSON_ANSWER, ...(batches && { batching }) },
		},
	};
};

/** Loop Over Items around a step: each round waits for the one before. */
export const looped = (step: Step, batchSize: number): Step[] => [
	{
		name: 'Loop',
		node: 'SplitInBatches',
		parameters: { batchSize, options: {} },
		to: [[], [step.name]],
	},
	{ ...step, to: [['Loop']] },
];

/**
 * Where Remove Duplicates remembers. n8n keeps one row for each node in its database, with an MD5
 * digest per value; this follows its DeduplicationHelper step by step, with a text in place of the
 * row: the database itself is left out, in the rival's favour.
 */
class ProcessedItems implements IDataDeduplicator {
	row = '[]';

	async checkProcessedAndRecord(
		items: DeduplicationItemTypes[],
		_scope: unknown,
		_context: unknown,
		{ maxEntries }: ICheckProcessedOptions,
	): Promise<IDeduplicationOutput> {
		const row = JSON.parse(this.row) as string[];
		const known = new Set(row);
		const output: IDeduplicationOutput = { new: [], processed: [] };
		for (const item of items) {
			const hash = createHash('md5').update(item.toString()).digest('base64');
			output[known.has(hash) ? 'processed' : 'new'].push(item);
			if (!known.has(hash)) row.push(hash);
		}
		if (maxEntries !== undefined) row.splice(0, row.length - maxEntries);
		this.row = JSON.stringify(row);
		return output;
	}

	async getProcessedDataCount(): Promise<number> {
		return (JSON.parse(this.row) as string[]).length;
	}

	async removeProcessed(): Promise<void> {
		throw new Error('Not available in the benchmark');
	}

	async clearAllProcessedItems(): Promise<void> {
		this.row = '[]';
	}
}

let processed: ProcessedItems | undefined;

/** HTTP Request, Split Out and Remove Duplicates, which has met the whole list. */
export async function homeMadeTrigger(
	nodes: Nodes,
	{ apiKey, reading, size }: { apiKey: string; reading: Step[]; size: number },
): Promise<Contender> {
	// n8n allows one per process.
	if (processed === undefined)
		await DataDeduplicationService.init((processed = new ProcessedItems()));
	const memory = processed;
	const split: Step = {
		name: 'Split',
		node: 'SplitOut',
		parameters: { fieldToSplitOut: 'data' },
		to: [['Unseen']],
	};
	const unseen: Step = {
		name: 'Unseen',
		node: 'RemoveDuplicates',
		parameters: {
			operation: 'removeItemsSeenInPreviousExecutions',
			logic: 'removeItemsWithAlreadySeenKeyValues',
			dedupeValue: '={{ $json.id }}',
			options: { scope: 'node', historySize: 2 * (size + 10_000) },
		},
	};
	const steps = [...reading, split, unseen];
	const poll = async () => (await nodes.run({ steps, apiKey }))[0]?.length ?? 0;
	memory.row = '[]';
	await poll();
	const { row } = memory;
	return {
		name: 'HTTP Request + Remove Duplicates',
		stateBytes: Buffer.byteLength(row),
		run: async () => {
			memory.row = row;
			return await poll();
		},
	};
}
