// Where Remove Duplicates remembers. n8n's application keeps one row per node in its database, with
// an MD5 digest per value; this follows its DeduplicationHelper step by step, with a text in place
// of the database row. Reading and writing the row costs what JSON costs; the database itself is
// left out, in the rival's favour.

import { createHash } from 'node:crypto';

import { DataDeduplicationService } from 'n8n-core';
import type {
	DeduplicationItemTypes,
	ICheckProcessedOptions,
	IDataDeduplicator,
	IDeduplicationOutput,
} from 'n8n-workflow';

interface Row {
	mode: string;
	data: string[];
}

class ProcessedItems implements IDataDeduplicator {
	row: string | undefined;

	async checkProcessedAndRecord(
		items: DeduplicationItemTypes[],
		_scope: unknown,
		_context: unknown,
		{ mode, maxEntries }: ICheckProcessedOptions,
	): Promise<IDeduplicationOutput> {
		const hashes = items.map((item) => createHash('md5').update(item.toString()).digest('base64'));
		const row = this.read() ?? { mode, data: [] };
		const known = new Set(row.data);
		const output: IDeduplicationOutput = { new: [], processed: [] };
		hashes.forEach((hash, index) => {
			const item = items[index] ?? '';
			output[known.has(hash) ? 'processed' : 'new'].push(item);
			if (!known.has(hash)) row.data.push(hash);
		});
		if (maxEntries !== undefined) row.data.splice(0, row.data.length - maxEntries);
		this.row = JSON.stringify(row);
		return output;
	}

	async getProcessedDataCount(): Promise<number> {
		return this.read()?.data.length ?? 0;
	}

	async removeProcessed(): Promise<void> {
		throw new Error('Not available in the benchmark');
	}

	async clearAllProcessedItems(): Promise<void> {
		this.row = undefined;
	}

	private read(): Row | undefined {
		return this.row === undefined ? undefined : (JSON.parse(this.row) as Row);
	}
}

let shared: ProcessedItems | undefined;

/** n8n allows one per process. */
export async function processedItems(): Promise<ProcessedItems> {
	if (shared === undefined) {
		shared = new ProcessedItems();
		await DataDeduplicationService.init(shared);
	}
	return shared;
}
