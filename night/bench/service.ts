// The fake service in a process of its own: its computing must not count in that of whoever is measured.
// The benchmark sees an address, and levers to pull.

import { fork } from 'node:child_process';
import { once } from 'node:events';

import { startService, type FakeService } from '../../fake-service/index';
import { until } from '../../scripts/n8n/waiting';

/** The post of a row, as *Create* has made it with a unique key. */
export const textOfRow = (row: number, edit = 0): string =>
	`Post ${row}, edit ${edit}. ${'Three things we have learned this quarter. '.repeat((row % 10) + 1)}`;
export const imageOfRow = (row: number): string => `https://files.example.com/${row}.png`;
export const markerOfRow = (row: number): string => `[unique-key: row-${row}]`;

/** What one may ask of it. */
function leversOf(service: FakeService) {
	const { world, latency } = service;
	let made = 0;
	return {
		/** A new account with so many records, or an agency whose clients have so many each. */
		account: ({ leads = 0, posts = 0, rows = 0, clients = 0, likelyShapes = false }) => {
			service.settings.likelyShapes = likelyShapes;
			made += 1;
			const account = world.addAccount(`Bench ${made}`, { isAgency: clients > 0 });
			const apiKey = world.addKey(account, `svc_live_NOT_A_REAL_KEY_bench_${made}_0000`, ['*']);
			const names = Array.from({ length: clients }, (_, place) => `Client ${made}-${place}`);
			const holders = names.map((name) => world.addClient(account, name));
			for (let row = 0; row < rows; row += 1)
				world.addPost(account, {
					status: 'draft',
					text: textOfRow(row),
					notes: markerOfRow(row),
					images: [imageOfRow(row)],
				});
			for (const holder of clients > 0 ? holders : [account]) world.seedLeads(holder, leads);
			return { apiKey, ids: Array.from({ length: posts }, () => world.addPost(account).id) };
		},
		/** How long it thinks before each answer. */
		latency: ({ ms }: { ms: number }) => void (latency.global = ms),
		/** What has arrived since this was last asked, and how much of it was refused. */
		counted: async () => {
			// A caller may be done without waiting for every answer.
			const isDone = () => service.requests.every(({ endedAt }) => endedAt !== null);
			await until(isDone, { everyMs: 5 });
			const refused = service.requests.filter(({ status }) => status === null || status >= 300);
			const requests = service.requests.length + service.storageRequests.length;
			service.clearLog();
			return { requests, refused: refused.length };
		},
	};
}

type Levers = ReturnType<typeof leversOf>;

export interface Service {
	baseUrl: string;
	/** One at a time: nothing here asks for two things at once. */
	pull: <K extends keyof Levers>(
		lever: K,
		...ask: Parameters<Levers[K]>
	) => Promise<Awaited<ReturnType<Levers[K]>>>;
	stop: () => void;
}

export async function startedService(): Promise<Service> {
	const child = fork(__filename);
	const gone = once(child, 'exit').then(() => {
		throw new Error('The fake service is gone');
	});
	gone.catch(() => undefined);
	const answered = async (): Promise<unknown> => {
		const [message] = await Promise.race([once(child, 'message'), gone]);
		return (message as { answer?: unknown }).answer;
	};
	return {
		baseUrl: String(await answered()),
		pull: async (lever, ...[ask]) => {
			const reply = answered();
			child.send({ lever, ask });
			return (await reply) as never;
		},
		stop: () => void child.disconnect(),
	};
}

/** Ends with the process that started it. */
async function serve(): Promise<void> {
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

if (require.main === module) void serve();
