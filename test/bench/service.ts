// The fake service as the benchmark sees it: an address, and levers to pull.

import { fork } from 'node:child_process';
import { join } from 'node:path';

import type { Lever, Levers, Reply } from './fakeService';

export interface Service {
	baseUrl: string;
	pull: <K extends Lever>(lever: K, ask: Levers[K]['ask']) => Promise<Levers[K]['answer']>;
	stop: () => void;
}

export async function startedService(): Promise<Service> {
	const child = fork(join(__dirname, 'fakeService.ts'));
	const message = async <T>(): Promise<T> =>
		await new Promise((resolve, reject) => {
			const gone = () => reject(new Error('The fake service is gone'));
			child.once('exit', gone);
			child.once('message', (received) => {
				child.off('exit', gone);
				resolve(received as T);
			});
		});
	const baseUrl = await message<string>();
	let asked = 0;
	return {
		baseUrl,
		// One lever at a time: nothing here asks for two things at once.
		pull: async (lever, ask) => {
			const id = (asked += 1);
			const replied = message<Reply>();
			child.send({ id, lever, ask });
			const reply = await replied;
			if ('error' in reply) throw new Error(reply.error);
			if (reply.id !== id) throw new Error('The fake service has answered another question');
			return reply.answer as never;
		},
		stop: () => void child.disconnect(),
	};
}
