// Prism, a mock server that others wrote: it is installed once, outside the repository's own packages.

import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

import { endProgram, npm, runProgram, startProgram } from '../../scripts/n8n/children';
import { CACHE, ROOT } from '../../scripts/n8n/folders';
import { freePort } from '../../scripts/n8n/ports';
import { step } from '../../scripts/n8n/progress';
import { inTime } from '../../scripts/n8n/waiting';

const VERSION = '5.16.0';
const FOLDER = join(CACHE, `prism-${VERSION}`);
const PROGRAM = join(FOLDER, 'node_modules', '@stoplight', 'prism-cli', 'dist', 'index.js');
const DESCRIPTION = join(ROOT, 'docs', 'openapi.json');

export interface Prism {
	url: string;
	/** What it reported about requests and responses since it started. */
	violations: string[];
	close(): Promise<void>;
}

async function install(): Promise<void> {
	if (existsSync(PROGRAM)) return;
	mkdirSync(FOLDER, { recursive: true });
	const flags = ['--no-save', '--no-audit', '--no-fund', '--ignore-scripts', '--prefix', FOLDER];
	await step('Installing Prism', () =>
		runProgram({ ...npm(['install', ...flags, `@stoplight/prism-cli@${VERSION}`]), cwd: FOLDER }),
	);
}

/** `kind`: its examples, random values, or the validation of what an upstream service gets and sends. */
export async function startPrism(
	kind: 'examples' | 'random' | { upstream: string },
): Promise<Prism> {
	await install();
	const port = await freePort();
	const given =
		typeof kind === 'object'
			? ['proxy', DESCRIPTION, kind.upstream, '--errors']
			: ['mock', DESCRIPTION, ...(kind === 'random' ? ['--dynamic'] : [])];
	const violations: string[] = [];
	let listens = false;
	const child = startProgram({
		command: process.execPath,
		args: [PROGRAM, ...given, '--port', String(port)],
		cwd: FOLDER,
		onLine: (line) => {
			listens ||= line.includes('is listening');
			if (/Violation/i.test(line)) violations.push(line);
		},
	});
	await inTime('Prism', () => listens);
	return { url: `http://127.0.0.1:${port}`, violations, close: () => endProgram(child) };
}
