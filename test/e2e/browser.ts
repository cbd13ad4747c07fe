// `npm run test:browser`: opens everything the package shows in n8n's editor, as a person would.
// `npm run test:browser -- --pictures`: also takes the pictures in `docs/images` anew.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import type { Browser } from 'playwright-core';

import { endAllPrograms } from './children';
import { NoBrowser, openBrowser, provideChromium } from './chromium';
import { DEMO, ROOT } from './folders';
import { say, seconds } from './progress';
import { openStage, type Stage } from './stage';
import { tour } from './tour';

const { values } = parseArgs({ options: { pictures: { type: 'boolean', default: false } } });

let stage: Stage | undefined;
let browser: Browser | undefined;

async function leave(code: number): Promise<never> {
	await browser?.close();
	await stage?.close();
	await endAllPrograms();
	process.exit(code);
}

async function main(): Promise<void> {
	const since = Date.now();
	await provideChromium();
	stage = await openStage({ name: 'browser' });
	browser = await openBrowser();
	const pictures = values.pictures ? join(ROOT, 'docs', 'images') : join(DEMO, 'pictures');
	mkdirSync(pictures, { recursive: true });
	const { n8n, api, service, credentials, tables } = stage;
	const problems = await tour(browser, {
		url: n8n.url,
		api,
		service: { baseUrl: service.baseUrl, unknownKey: service.world.keys.unknown },
		credentials,
		crm: api.tablePage(tables.own),
		pictures,
	});
	for (const problem of problems) say(`✗ ${problem}`);
	say(
		problems.length === 0
			? `\nEverything is as it should be, after ${seconds(since)}. Pictures: ${pictures}`
			: `\n${problems.length} problems.`,
	);
	await leave(problems.length === 0 ? 0 : 1);
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
	process.on(signal, () => void leave(1).catch(() => process.exit(1)));
}

main().catch(async (error: unknown) => {
	const expected = error instanceof NoBrowser || !(error instanceof Error);
	process.stderr.write(`\n${expected ? String(error) : (error.stack ?? error.message)}\n`);
	await leave(1);
});
