// The process of the fake service: its computing must not count in that of whoever is measured.
// Started by service.ts, ends with the process that started it.

import { setTimeout as pause } from 'node:timers/promises';

import { startService, type FakeService } from '../../fake-service/index';

/** What one may ask of it. */
function leversOf(service: FakeService) {
	const { world, latency } = service;
	let made = 0;
	const owner = (options?: { isAgency: boolean }) => {
		made += 1;
		const account = world.addAccount(`Bench ${made}`, options);
		const apiKey = world.addKey(account, `svc_live_NOT_A_REAL_KEY_bench_${made}_0000`, ['*']);
		return { account, apiKey };
	};
	return {
		/** A new account with so many leads. */
		leads: ({ count }: { count: number }) => {
			const { account, apiKey } = owner();
			world.seedLeads(account, count);
			return { apiKey };
		},
		/** A new agency whose clients have so many leads each. */
		clients: ({ count, leads }: { count: number; leads: number }) => {
			const { account, apiKey } = owner({ isAgency: true });
			for (let place = 0; place < count; place += 1)
				world.seedLeads(world.addClient(account, `Client ${made}-${place}`), leads);
			return { apiKey };
		},
		/** A new account with so many posts. */
		posts: ({ count }: { count: number }) => {
			const { account, apiKey } = owner();
			return { apiKey, ids: Array.from({ length: count }, () => world.addPost(account).id) };
		},
		/** How long it thinks before each answer. */
		latency: ({ ms }: { ms: number }) => void (latency.global = ms),
		/** What has arrived since this was last asked, and how much of it was refused. */
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

export type Levers = ReturnType<typeof leversOf>;

async function main(): Promise<void> {
	const service = await startService({ sample: 'none' });
	const levers = leversOf(service);
	process.on('message', ({ lever, ask }: { lever: keyof Levers; ask: unknown }) => {
		// Each lever fits its question; the union of all of them does not say so.
		const pulled = levers[lever] as (given: unknown) => unknown;
		void Promise.resolve(pulled(ask)).then((answer) => process.send?.({ answer }));
	});
	process.once('disconnect', () => process.exit());
	process.send?.({ answer: service.baseUrl });
}

void main();
