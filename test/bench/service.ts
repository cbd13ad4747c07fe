// The fake service as the benchmark sees it: an address, and levers to pull.

import { fork } from 'node:child_process';
import { join } from 'node:path';

import type { Levers } from './fakeService';

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
	const child = fork(join(__dirname, 'fakeService.ts'));
	const answered = async (): Promise<unknown> =>
		await new Promise((resolve, reject) => {
			const gone = () => reject(new Error('The fake service is gone'));
			child.once('exit', gone);
			child.once('message', (message) => {
				child.off('exit', gone);
				resolve((message as { answer?: unknown }).answer);
			});
		});
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
