// Which worker has which execution, as the workers' logs say it.

import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';

import type { RunningN8n } from '../../../scripts/n8n/launch';

const STARTED = /Worker started execution (\d+)/g;
const FINISHED = /Worker finished execution (\d+)/g;

async function mentions(logFile: string, pattern: RegExp): Promise<string[]> {
	const log = await readFile(logFile, 'utf8');
	return [...log.matchAll(pattern)].map(([, id]) => id ?? '');
}

/** The first worker that has begun an execution and not ended it. */
export async function atWork(
	workers: readonly RunningN8n[],
): Promise<{ worker: RunningN8n; execution: string }> {
	const deadline = Date.now() + 180_000;
	for (;;) {
		for (const worker of workers) {
			const finished = new Set(await mentions(worker.logFile, FINISHED));
			const execution = (await mentions(worker.logFile, STARTED)).find((id) => !finished.has(id));
			if (execution !== undefined) return { worker, execution };
		}
		if (Date.now() > deadline) throw new Error('no worker has begun an execution');
		await pause(50);
	}
}

export async function begunBy(logFile: string): Promise<number> {
	return (await mentions(logFile, STARTED)).length;
}
