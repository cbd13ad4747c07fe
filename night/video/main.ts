// `npm run test:n8n -- video`: a video for n8n's Creator Portal, recorded from a real n8n: credential,
// trigger, action, error, agency, each with lines that explain it. Needs Chromium and ffmpeg.
// Ends with 69 where one of them is missing.

import { mkdirSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

import { NoBrowser, openBrowser, provideChromium } from '../../scripts/n8n/chromium';
import { runCommand } from '../../scripts/n8n/command';
import { Editor } from '../../scripts/n8n/editor';
import { lengthOf, NoFfmpeg, requireFfmpeg } from '../../scripts/n8n/ffmpeg';
import { CACHE } from '../../scripts/n8n/folders';
import { say, step } from '../../scripts/n8n/progress';
import {
	correctMistake,
	createPost,
	makeCredential,
	receiveLead,
	workForClients,
} from './chapters';
import { Recorder } from './recorder';
import type { Scene } from './scene';
import { openStudio } from './studio';

/** "Service unavailable", as sysexits.h numbers it. */
const UNAVAILABLE = 69;
/** n8n's Creator Portal takes none that is longer. */
const MOST_SECONDS = 300;

const HELP = `Records a video of the package in a real n8n, for n8n's Creator Portal.

  --out FILE   where it goes, instead of .cache/video/creator-portal.mp4
  --keep       also keeps the single pictures, in .cache/video/pictures
`;

const CHAPTERS: ReadonlyArray<readonly [name: string, play: (scene: Scene) => Promise<void>]> = [
	['Credential', makeCredential],
	['Trigger', receiveLead],
	['Action', createPost],
	['Error', correctMistake],
	['Agency', workForClients],
];

const { values } = parseArgs({
	options: {
		out: { type: 'string', default: join(CACHE, 'video', 'creator-portal.mp4') },
		keep: { type: 'boolean', default: false },
		help: { type: 'boolean', default: false },
	},
});

async function main(): Promise<number> {
	if (values.help) {
		say(HELP);
		return 0;
	}
	try {
		requireFfmpeg();
		await provideChromium();
	} catch (error) {
		if (!(error instanceof NoFfmpeg) && !(error instanceof NoBrowser)) throw error;
		say(error.message);
		return UNAVAILABLE;
	}
	const film = resolve(values.out);
	const pictures = join(CACHE, 'video', 'pictures');
	mkdirSync(dirname(film), { recursive: true });
	const { service, api, close } = await openStudio();
	const browser = await openBrowser();
	try {
		const editor = await step('Logging in', () => Editor.open(browser, api.url));
		const recorder = await Recorder.start(editor.page, pictures);
		const scene: Scene = { editor, recorder, api, service };
		for (const [name, play] of CHAPTERS)
			await step(`Recording: ${name}`, () => play(scene)).catch(async (error: unknown) => {
				const path = join(CACHE, 'video', 'failed.png');
				await editor.page.screenshot({ path });
				say(`The chapter "${name}" failed, see ${path}`);
				throw error;
			});
		await step('Writing the video', () => recorder.finish(film));
	} finally {
		await browser.close();
		await close();
	}
	if (!values.keep) rmSync(pictures, { recursive: true, force: true });
	const seconds = lengthOf(film);
	say(`${film}: ${seconds.toFixed(0)} seconds`);
	if (seconds <= MOST_SECONDS) return 0;
	say(`Too long: the Creator Portal takes ${MOST_SECONDS} seconds`);
	return 1;
}

runCommand(main);
