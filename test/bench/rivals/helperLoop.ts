// The least that a node can do: call n8n's HTTP helper, some requests at a time, and parse the
// answers. Shows which part of our time is n8n's.

import {
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	NodeConnectionTypes,
} from 'n8n-workflow';

import type { Bench } from '../result';
import type { Page } from './bare';
import { runSteps } from './workflow';

const TYPE = 'bench.helperLoop';
const CREDENTIAL = 'leadGenPublishingApi';
const { Main } = NodeConnectionTypes;

class HelperNode implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Helper Loop',
		name: 'helperLoop',
		group: ['transform'],
		version: 1,
		description: '',
		defaults: {},
		inputs: [Main],
		outputs: [Main],
		credentials: [{ name: CREDENTIAL, required: true }],
		properties: [],
	};

	constructor(private readonly work: (functions: IExecuteFunctions) => Promise<unknown[]>) {}

	get execute() {
		const { work } = this;
		return async function (this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
			const records = await work(this);
			return [records.map((json) => ({ json: json as INodeExecutionData['json'] }))];
		};
	}
}

export class HelperLoop {
	constructor(
		private readonly bench: Bench,
		private readonly given: { apiKey: string; parallel: number },
	) {}

	/** Each worker takes the next page until one of them has met the end. */
	async everyPage(path: string): Promise<INodeExecutionData[]> {
		return await this.run(async (functions) => {
			const pages: Array<Page['data']> = [];
			let next = 0;
			let ended = false;
			await this.each(async () => {
				while (!ended) {
					const index = next;
					next += 1;
					const page = (await this.ask(functions, {
						url: `${path}?limit=100&offset=${index * 100}`,
					})) as Page;
					pages[index] = page.data;
					ended ||= !page.pagination.has_more;
				}
			});
			return pages.flat();
		});
	}

	async eachOf<T>(
		items: readonly T[],
		request: (item: T) => { url: string; body?: unknown },
	): Promise<INodeExecutionData[]> {
		return await this.run(async (functions) => {
			const results: unknown[] = [];
			let next = 0;
			await this.each(async () => {
				while (next < items.length) {
					const index = next;
					next += 1;
					const answer = await this.ask(functions, request(items[index] as T));
					results[index] = (answer as { data: unknown }).data;
				}
			});
			return results;
		});
	}

	private async each(worker: () => Promise<void>): Promise<void> {
		await Promise.all(Array.from({ length: this.given.parallel }, worker));
	}

	private async ask(
		functions: IExecuteFunctions,
		{ url, body }: { url: string; body?: unknown },
	): Promise<unknown> {
		return (await functions.helpers.httpRequestWithAuthentication.call(functions, CREDENTIAL, {
			method: body === undefined ? 'GET' : 'POST',
			url: this.bench.service.baseUrl + url,
			...(body === undefined ? {} : { body }),
			json: true,
		})) as unknown;
	}

	private async run(
		work: (functions: IExecuteFunctions) => Promise<unknown[]>,
	): Promise<INodeExecutionData[]> {
		const { ours, service } = this.bench;
		const data = { baseUrl: service.baseUrl, apiKey: this.given.apiKey };
		const given = {
			steps: [{ name: 'Node', type: TYPE, parameters: {}, credential: true }],
			types: { [TYPE]: new HelperNode(work) },
			credential: { type: ours.credential, data },
		};
		const [output = []] = await runSteps(given, 'Node');
		return output;
	}
}
