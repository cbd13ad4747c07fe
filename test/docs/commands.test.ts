/** Runs the commands of the documents that are quick enough for a test. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import { ROOT } from './example';

const run = promisify(execFile);
/** Each starts npm and a compiler, which is slow on a busy machine. */
const PATIENCE_MS = 120_000;

it.each([
	[
		'npx tsx fake-service/main.ts --help',
		['--port', '--control-port', '--leads', '--words', '--shapes', '--lively', '--likely'],
	],
	['npm start -- --dev --help', ['--fresh']],
	['npm start -- --help', ['--check', '--fresh', '--containers', '--install', '--likely']],
] as const)(
	'%s says what it can do',
	async (command, options) => {
		const [program = '', ...given] = command.split(' ');
		const { stdout } = await run(program, given, {
			cwd: ROOT,
			// npm is a .cmd file on Windows, which only a shell can start.
			shell: process.platform === 'win32',
		});
		const said = [...stdout.matchAll(/^ +(--[a-z-]+)/gm)].map(([, option]) => option);
		expect(said).toEqual(options);
	},
	PATIENCE_MS,
);
