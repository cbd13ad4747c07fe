/**
 * `npm run test:n8n`: credential, example workflows and trigger in a real n8n, as a suite of jest;
 * `npm run test:n8n -- n8n.test.ts` the one file of it that needs no browser.
 * `npm run test:n8n -- browser`: one of the programs below, each with arguments of its own.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

import { NoBrowser, provideChromium } from '../scripts/n8n/chromium';
import { ROOT } from '../scripts/n8n/folders';
import { say } from '../scripts/n8n/progress';

const PROGRAMS: Readonly<Record<string, () => Promise<unknown>>> = {
	browser: () => import('./browser/main'),
	containers: () => import('./containers/main'),
	matrix: () => import('./matrix/main'),
	plugs: () => import('./plugs/main'),
	prism: () => import('./prism/main'),
	queue: () => import('./queue/main'),
	release: () => import('./release/main'),
	soak: () => import('./soak/main'),
	video: () => import('./video/main'),
};
const JEST = join(ROOT, 'node_modules', 'jest', 'bin', 'jest.js');

const [first = ''] = process.argv.slice(2);
const program = PROGRAMS[first];

async function inJest(): Promise<never> {
	// Those that need a browser are left out where none can be had.
	if (!/^\w+\.test/.test(first))
		await provideChromium().catch((error: unknown) => {
			if (!(error instanceof NoBrowser)) throw error;
			say(`${error.message}: what needs a browser is left out`);
		});
	const given = process.argv.slice(2);
	const command = [JEST, '--config', join(ROOT, 'test', 'e2e', 'jest.config.cjs'), ...given];
	process.exit(spawnSync(process.execPath, command, { stdio: 'inherit' }).status ?? 1);
}

// What it hands the work to reads the arguments behind the name.
if (program !== undefined) process.argv.splice(2, 1);
void (program ?? inJest)();
