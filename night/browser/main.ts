// `npm run test:n8n -- browser`: opens everything the package shows in n8n's editor, as a person would.
// `npm run test:n8n -- browser --pictures`: also retakes the pictures in `docs/images`.
// `npm run test:n8n -- browser --only diagnosing,film`: only the parts with one of these in their names.
// Ends with 69 where there is no Chromium and none can be installed.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { openStage } from '../../scripts/demo/stage';
import { NoBrowser, openBrowser, provideChromium } from '../../scripts/n8n/chromium';
import { runCommand } from '../../scripts/n8n/command';
import { DEMO, ROOT } from '../../scripts/n8n/folders';
import { say, seconds } from '../../scripts/n8n/progress';
import { tour } from './tour';

/** "Service unavailable", as sysexits.h numbers it. */
const NO_BROWSER = 69;

const { values } = parseArgs({
	options: {
		pictures: { type: 'boolean', default: false },
		only: { type: 'string', default: '' },
	},
});

async function main(): Promise<number> {
	const since = Date.now();
	try {
		await provideChromium();
	} catch (error) {
		if (!(error instanceof NoBrowser)) throw error;
		say(`${error.message}\n${error.cause instanceof Error ? error.cause.message : ''}`);
		return NO_BROWSER;
	}
	const stage = await openStage({ name: 'browser' });
	const browser = await openBrowser();
	try {
		const aside = join(DEMO, 'pictures');
		const pictures = values.pictures ? join(ROOT, 'docs', 'images') : aside;
		for (const folder of [aside, pictures]) mkdirSync(folder, { recursive: true });
		const only = values.only.toLowerCase().split(',');
		const problems = await tour(browser, stage, { pictures, aside, only });
		for (const problem of problems) say(`✗ ${problem}`);
		say(
			problems.length === 0
				? `\nEverything is as it should be, after ${seconds(since)}. Pictures: ${pictures}`
				: `\n${problems.length} problems.`,
		);
		return problems.length === 0 ? 0 : 1;
	} finally {
		await browser.close();
		await stage.close();
	}
}

runCommand(main);
