// The process of the fake service. Started by service.ts, ends with the process that started it.

import { setTimeout as wait } from 'node:timers/promises';

import { startService, type LoggedRequest, type FakeService } from '../../fake-service/index';
import type { Ask, Counted, Lever, Levers, Ready, Reply } from './levers';

type Handlers = {
	[K in Lever]: (ask: Levers[K]['ask']) => Levers[K]['answer'] | Promise<Levers[K]['answer']>;
};

function handlersOf(service: FakeService): Handlers {
	const { world, latency } = service;
	let made = 0;
	const keyOf = (account: Parameters<typeof world.addKey>[0]): string => {
		made += 1;
		return world.addKey(account, `svc_live_NOT_A_REAL_KEY_bench_${made}_0000`, ['*']);
	};
	const owner = (what: string) => {
		const account = world.addAccount(`Bench ${what} ${made}`);
		return { account, apiKey: keyOf(account) };
	};
	return {
		list: ({ leads }) => {
			const { account, apiKey } = owner('list');
			world.seedLeads(account, leads);
			return { account: account.id, apiKey };
		},
		key: ({ account }) => ({ apiKey: keyOf(world.account(account)) }),
		grow: ({ account, count }) => {
			world.seedLeads(account, count, { from: Date.now(), everyMs: 0 });
			return null;
		},
		shrink: ({ account, count }) => {
			for (let left = count; left > 0; left -= 1) {
				world.removeLead(account, world.account(account).leads.at(-1)?.id ?? '');
			}
			return null;
		},
		clients: ({ count, leads }) => {
			made += 1;
			const agency = world.addAccount(`Bench agency ${made}`, { isAgency: true });
			const apiKey = world.addKey(agency, `svc_live_NOT_A_REAL_KEY_agency_${made}_0000`, ['*']);
			const clients = Array.from({ length: count }, (_, index) => {
				const client = world.addClient(agency, `Bench client ${made} ${index}`);
				world.seedLeads(client, leads);
				return client.id;
			});
			return { apiKey, clients };
		},
		posts: ({ count }) => {
			const { account, apiKey } = owner('posts');
			const ids = Array.from({ length: count }, () => world.addPost(account).id);
			return { apiKey, ids };
		},
		latency: ({ ms, client }) => {
			if (client === undefined) {
				latency.clear();
				latency.global = ms;
			} else latency.client(client, ms);
			return null;
		},
		counted: async () => {
			// A caller may be done without waiting for every answer.
			while (service.requests.some(({ endedAt }) => endedAt === null)) await wait(5);
			const counted = count(service.requests, service.storageRequests.length);
			service.clearLog();
			return counted;
		},
	};
}

function count(log: readonly LoggedRequest[], stored: number): Counted {
	const first = Math.min(...log.map(({ startedAt }) => startedAt));
	const lastAfter: Record<string, number> = {};
	for (const { clientId, endedAt } of log) {
		const key = clientId ?? 'own';
		lastAfter[key] = Math.max(lastAfter[key] ?? 0, (endedAt ?? first) - first);
	}
	const refused = log.filter(({ status }) => status === null || status >= 300).length;
	const bytes = log.reduce((sum, { sent }) => sum + sent, 0);
	return { requests: log.length + stored, atOnce: mostAtOnce(log), refused, bytes, lastAfter };
}

/** In whole milliseconds: what ends and what begins in the same one do not overlap. */
function mostAtOnce(log: readonly LoggedRequest[]): number {
	const steps = log.flatMap(({ startedAt, endedAt }) => [
		{ at: startedAt, by: 1 },
		{ at: endedAt ?? startedAt, by: -1 },
	]);
	steps.sort((left, right) => left.at - right.at || left.by - right.by);
	let now = 0;
	let most = 0;
	for (const { by } of steps) most = Math.max(most, (now += by));
	return most;
}

async function main(): Promise<void> {
	const service = await startService({ sample: 'none' });
	const handlers = handlersOf(service);
	const send = (message: Ready | Reply): void => void process.send?.(message);
	const answer = async ({ id, lever, ask }: Ask): Promise<Reply> => {
		try {
			// Each lever fits its question; the union of all of them does not say so.
			const handler = handlers[lever] as (ask: Ask['ask']) => unknown;
			return { id, answer: await handler(ask) };
		} catch (error) {
			return { id, error: error instanceof Error ? error.message : String(error) };
		}
	};
	process.on('message', (ask: Ask) => void answer(ask).then(send));
	process.once('disconnect', () => process.exit());
	send({ baseUrl: service.baseUrl, storageUrl: service.storageUrl });
}

void main();
