// The fake service as the benchmark sees it: an address, and levers to pull.

import { fork, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';

import type { Lever, Levers, Ready, Reply } from './levers';

interface Waiting {
	resolve: (answer: unknown) => void;
	reject: (error: Error) => void;
}

export class Service {
	private readonly waiting = new Map<number, Waiting>();
	private asked = 0;

	private constructor(
		private readonly child: ChildProcess,
		readonly baseUrl: string,
	) {
		child.on('message', ({ id, answer, error }: Reply) => {
			const waiting = this.waiting.get(id);
			this.waiting.delete(id);
			if (error === undefined) waiting?.resolve(answer);
			else waiting?.reject(new Error(error));
		});
		child.once('exit', () => {
			for (const { reject } of this.waiting.values()) reject(new Error('The service is gone'));
		});
	}

	static async start(): Promise<Service> {
		const child = fork(join(__dirname, 'fakeService.ts'));
		const { baseUrl } = await new Promise<Ready>((resolve, reject) => {
			child.once('message', (message) => resolve(message as Ready));
			child.once('exit', () => reject(new Error('The service did not start')));
		});
		return new Service(child, baseUrl);
	}

	async pull<K extends Lever>(lever: K, ask: Levers[K]['ask']): Promise<Levers[K]['answer']> {
		const id = (this.asked += 1);
		const answer = await new Promise<unknown>((resolve, reject) => {
			this.waiting.set(id, { resolve, reject });
			this.child.send({ id, lever, ask });
		});
		return answer as Levers[K]['answer'];
	}

	stop(): void {
		this.child.disconnect();
	}
}
