// The limit: undici with connections that stay open, and nothing else around it. No n8n, no
// retries, no checks of what the service says about its pages.

import { Pool } from 'undici';

export interface Page {
	data: Array<Record<string, unknown>>;
	pagination: { has_more: boolean };
}

export class Bare {
	private readonly pool: Pool;
	private readonly path: string;
	private readonly headers: Record<string, string>;

	constructor(
		given: { baseUrl: string; apiKey: string },
		readonly parallel: number,
	) {
		const { origin, pathname } = new URL(given.baseUrl);
		this.pool = new Pool(origin, { connections: parallel });
		this.path = pathname;
		this.headers = { authorization: `Bearer ${given.apiKey}`, accept: 'application/json' };
	}

	async get(path: string): Promise<unknown> {
		const { body } = await this.pool.request({
			method: 'GET',
			path: this.path + path,
			headers: this.headers,
		});
		return await body.json();
	}

	async post(path: string, json: unknown): Promise<unknown> {
		const { body } = await this.pool.request({
			method: 'POST',
			path: this.path + path,
			headers: { ...this.headers, 'content-type': 'application/json' },
			body: JSON.stringify(json),
		});
		return await body.json();
	}

	/** Every page of a list: each worker takes the next one until one of them has met the end. */
	async everyPage(path: string): Promise<Page['data']> {
		const pages: Array<Page['data']> = [];
		let next = 0;
		let ended = false;
		await this.each(async () => {
			while (!ended) {
				const index = next;
				next += 1;
				const page = (await this.get(`${path}?limit=100&offset=${index * 100}`)) as Page;
				pages[index] = page.data;
				ended ||= !page.pagination.has_more;
			}
		});
		return pages.flat();
	}

	async eachOf<T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<unknown[]> {
		const results: unknown[] = [];
		let next = 0;
		await this.each(async () => {
			while (next < items.length) {
				const index = next;
				next += 1;
				results[index] = await work(items[index] as T);
			}
		});
		return results;
	}

	async close(): Promise<void> {
		await this.pool.close();
	}

	private async each(worker: () => Promise<void>): Promise<void> {
		await Promise.all(Array.from({ length: this.parallel }, worker));
	}
}
