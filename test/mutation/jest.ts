/** Runs test files in a process of their own, with at most one mutant. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';

import { ROOT } from './places';

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
	}: { args?: readonly string[]; env?: Record<string, string>; timeoutMs?: number } = {},
): Promise<JestResult> {
	const child = spawn(
		process.execPath,
		[
			'--experimental-vm-modules',
			join(ROOT, 'node_modules/jest/bin/jest.js'),
			'--config=test/jest.config.cjs',
			'--runInBand',
			'--bail',
			'--silent',
			...args,
			'--runTestsByPath',
			...tests,
		],
		{ cwd: ROOT, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] },
	);
	let output = '';
	const keep = (text: Buffer): void => void (output = (output + text.toString()).slice(-20_000));
	child.stdout.on('data', keep);
	child.stderr.on('data', keep);
	let timedOut = false;
	const timer = setTimeout(() => {
		timedOut = true;
		child.kill('SIGKILL');
	}, timeoutMs);
	const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
	clearTimeout(timer);
	return { passed: code === 0, timedOut, output };
}
