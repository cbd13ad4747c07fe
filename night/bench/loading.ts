// What n8n pays for this package when it starts: a thread that has loaded n8n's own code loads ours.

import { once } from 'node:events';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';

import manifest from '../../package.json';
import { ROOT } from '../../scripts/n8n/folders';
import type { Contender } from './measure';

/** Runs in the thread, from its source text: it sees nothing of this file. */
const THREAD = `
	const { parentPort, workerData } = require('node:worker_threads');
	const { basename } = require('node:path');
	require(workerData.before);
	parentPort.once('message', () => {
		const made = workerData.files.map((file) => new (require(file)[basename(file).split('.')[0]])());
		parentPort.postMessage(made.length);
	});
	parentPort.postMessage('ready');
`;

/** How many classes n8n looks for in this package, and one who loads them. */
export function loadingOfAll(name: string): { contender: Contender; classes: number } {
	const files = [...manifest.n8n.nodes, ...manifest.n8n.credentials].map((f) => join(ROOT, f));
	const before = require.resolve('n8n-workflow', { paths: [ROOT] });
	let thread: Worker | undefined;
	const prepare = async (): Promise<void> => {
		// Without the hooks that let this program be TypeScript: n8n has none.
		thread = new Worker(THREAD, { eval: true, execArgv: [], workerData: { before, files } });
		await once(thread, 'message');
	};
	const run = async (): Promise<number> => {
		if (thread === undefined) throw new Error('There is no thread');
		const loaded = once(thread, 'message');
		thread.postMessage('load');
		const [made] = (await loaded) as [number];
		return made;
	};
	return { contender: { name, prepare, run }, classes: files.length };
}
