// The process of the fake service: its computing must not count in that of whoever is measured.
// Started by service.ts, ends with the process that started it.

import { setTimeout as pause } from 'node:timers/promises';

import { startService, type FakeService } from '../../fake-service/index';

/** What one may ask of it. */
export interface Levers {
	/** A new account with so many leads. */
	leads: { ask: { count: number }; answer: { apiKey: string } };
	/** A new agency whose clients have so many leads each. */
	clients: { ask: { count: number; leads: number }; answer: { apiKey: string } };
	/** A new account with so many posts. */
	posts: { ask: { count: number }; answer: { apiKey: string; ids: string[] } };
	/** How long it thinks before each answer. */
	latency: { ask: { ms: number }; answer: null };
	/** What has arrived since this was last asked, and how much of it was refused. */
	counted: { ask: null; answer: { requests: number; refused: number } };
}

export type Lever = keyof Levers;
export type Ask = { [K in Lever]: { id: number; lever: K; ask: Levers[K]['ask'] } }[Lever];
export type Reply = { id: number; answer: unknown } | { id: number; error: string };

type Handlers = {
	[K in Lever]: (ask: Levers[K]['ask']) => Levers[K]['answer'] | Promise<Levers[K]['answer']>;
};

function handlersOf(service: FakeService): Handlers {
	const { world, latency } = service;
	let made = 0;
	const owner = (options?: { isAgency: boolean }) => {
		made += 1;
		const account = world.addAccount(`Bench ${made}`, options);
		const apiKey = world.addKey(account, `svc_live_NOT_A_REAL_KEY_bench_${made}_0000`, ['*']);
		return { account, apiKey };
	};
	return {
		leads: ({ count }) => {
			const { account, apiKey } = owner();
			world.seedLeads(account, count);
			return { apiKey };
		},
		clients: ({ count, leads }) => {
			const { account, apiKey } = owner({ isAgency: true });
			for (let place = 0; place < count; place += 1)
				world.seedLeads(world.addClient(account, `Client ${made}-${place}`), leads);
			return { apiKey };
		},
		posts: ({ count }) => {
			const { account, apiKey } = owner();
			return { apiKey, ids: Array.from({ length: count }, () => world.addPost(account).id) };
		},
		latency: ({ ms }) => {
			latency.global = ms;
			return null;
		},
		counted: async () => {
			// A caller may be done without waiting for every answer.
			while (service.requests.some(({ endedAt }) => endedAt === null)) await pause(5);
			const refused = service.requests.filter(({ status }) => status === null || status >= 300);
			const requests = service.requests.length + service.storageRequests.length;
			service.clearLog();
			return { requests, refused: refused.length };
		},
	};
}

async function main(): Promise<void> {
	const service = await startService({ sample: 'none' });
	const handlers = handlersOf(service);
	const answer = async ({ id, lever, ask }: Ask): Promise<Reply> => {
		try {
			// Each lever fits its question; the union of all of them does not say so.
			const handler = handlers[lever] as (ask: Ask['ask']) => unknown;
			return { id, answer: await handler(ask) };
		} catch (error) {
			return { id, error: String(error) };
		}
	};
	process.on('message', (ask: Ask) => void answer(ask).then((reply) => process.send?.(reply)));
	process.once('disconnect', () => process.exit());
	process.send?.(service.baseUrl);
}

void main();
