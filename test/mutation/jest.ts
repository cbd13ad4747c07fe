/** Runs test files in a process of their own. */
import { join } from 'node:path';

import { endProgram, startProgram } from '../../scripts/n8n/children';
import { ROOT } from '../../scripts/n8n/folders';

export interface JestResult {
	readonly passed: boolean;
	readonly timedOut: boolean;
	readonly output: string;
}

interface JestOptions {
	readonly config: 'test/jest.config.cjs' | 'test/mutation/jest.config.cjs';
	readonly args?: readonly string[];
	readonly env?: Record<string, string>;
	/** Asked every few seconds; the process ends when it is. */
	readonly hasStopped: (seconds: number) => boolean;
}

const ASKED_EVERY_MS = 2_000;

export async function jest(
	tests: readonly string[],
	{ config, args = [], env = {}, hasStopped }: JestOptions,
): Promise<JestResult> {
	let output = '';
	const child = startProgram({
		command: process.execPath,
		args: [
			'--experimental-vm-modules',
			join(ROOT, 'node_modules/jest/bin/jest.js'),
			`--config=${config}`,
			'--runInBand',
			'--silent',
			...args,
			'--runTestsByPath',
			...tests,
		],
		cwd: ROOT,
		env: { ...process.env, ...env },
		onLine: (line) => {
			output = `${output}${line}\n`.slice(-20_000);
		},
	});
	let timedOut = false;
	const began = Date.now();
	const timer = setInterval(() => {
		if (timedOut || !hasStopped((Date.now() - began) / 1_000)) return;
		timedOut = true;
		void endProgram(child, 0);
	}, ASKED_EVERY_MS);
	const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
	clearInterval(timer);
	return { passed: code === 0, timedOut, output };
}
