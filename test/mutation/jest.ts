/** Runs test files in a process of their own, with at most one mutant. */
import { join } from 'node:path';

import { startProgram } from '../../scripts/n8n/children';
import { ROOT } from '../../scripts/n8n/folders';

export interface JestResult {
	readonly passed: boolean;
	readonly timedOut: boolean;
	readonly output: string;
}

export async function jest(
	tests: readonly string[],
	{
		args = [],
		env = {},
		timeoutMs = 900_000,
		testTimeoutMs = 120_000,
	}: {
		args?: readonly string[];
		env?: Record<string, string>;
		timeoutMs?: number;
		/** Of a single test, unless it has one of its own. */
		testTimeoutMs?: number;
	} = {},
): Promise<JestResult> {
	let output = '';
	const child = startProgram({
		command: process.execPath,
		args: [
			'--experimental-vm-modules',
			join(ROOT, 'node_modules/jest/bin/jest.js'),
			'--config=test/jest.config.cjs',
			'--runInBand',
			'--bail',
			'--silent',
			`--testTimeout=${testTimeoutMs}`,
			// The other project runs some of the files once more, by other words.
			'--selectProjects',
			'as documented',
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
	const timer = setTimeout(() => {
		timedOut = true;
		child.kill('SIGKILL');
	}, timeoutMs);
	const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
	clearTimeout(timer);
	return { passed: code === 0, timedOut, output };
}
