// `npm run docs:video`: plays the storyboard of the demo video in a real n8n, and writes the film into a
// folder that git ignores.
// `npm run docs:video -- --stills`: also takes the pictures of docs/demo-video.md anew.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { openBrowser, provideChromium } from '../../n8n/chromium';
import { runCommand } from '../../n8n/command';
import { Editor } from '../../n8n/editor';
import { CACHE, ROOT } from '../../n8n/folders';
import { say, step } from '../../n8n/progress';
import { Camera } from './camera';
import { drawStill, drawVideo } from './drawing';
import { openFreshN8n } from './freshN8n';
import { SCENES, type Playing } from './scenes';
import type { Shot } from './shots';
import { MAX_SECONDS, SCENE_NAMES, STORYBOARD, type SceneName } from './storyboard';

const FOLDER = join(CACHE, 'demo-video');
const FILE = join(FOLDER, 'demo.webm');
const STILLS = join(ROOT, 'docs', 'images', 'demo-video');
/** The last picture of these scenes. */
const WITH_STILL: readonly SceneName[] = ['install', 'credential', 'trigger'];
const STILL = { scale: 0.625, maxBytes: 60_000 };

const { values } = parseArgs({ options: { stills: { type: 'boolean', default: false } } });

async function main(): Promise<number> {
	await provideChromium();
	mkdirSync(FOLDER, { recursive: true });
	const fresh = await openFreshN8n();
	const browser = await openBrowser();
	try {
		const editor = await Editor.open(browser, fresh.n8n.url);
		const camera = await Camera.on(editor.page);
		const last: Partial<Record<SceneName, Shot>> = {};
		const playing = { fresh, editor, camera };
		for (const name of SCENE_NAMES) {
			await step(STORYBOARD[name].title, () => play(name, playing)).catch(
				async (error: unknown) => {
					await editor.page.screenshot({ path: join(FOLDER, 'failed.png') });
					throw error;
				},
			);
			last[name] = camera.shots.at(-1);
		}
		const film = await step('Drawing and encoding', () => drawVideo(browser, camera.shots));
		writeFileSync(FILE, film);
		const seconds = camera.ms / 1000;
		say(`${FILE}: ${seconds.toFixed(0)} s, ${(film.length / 1e6).toFixed(1)} MB`);
		say(`Cut out of long waits: ${(camera.cutMs / 1000).toFixed(0)} s`);
		if (values.stills) await takeStills(last, (shot) => drawStill(browser, shot, STILL));
		if (seconds <= MAX_SECONDS) return 0;
		say(`It may take ${MAX_SECONDS} s at most.`);
		return 1;
	} finally {
		await browser.close();
		await fresh.close();
	}
}

async function play(name: SceneName, playing: Omit<Playing, 'next'>): Promise<void> {
	const { title, said } = STORYBOARD[name];
	const left: string[] = [...said];
	const next = async () => {
		const sentence = left.shift();
		if (sentence === undefined) throw new Error(`"${title}" has no more sentences`);
		await playing.camera.say(sentence);
	};
	const scene = Object.assign(playing, { next });
	await SCENES[name](scene);
	await playing.camera.finishSentence();
	if (left.length > 0) throw new Error(`not said in "${title}": ${left.join(' / ')}`);
}

async function takeStills(
	last: Partial<Record<SceneName, Shot>>,
	draw: (shot: Shot) => Promise<Buffer>,
): Promise<void> {
	mkdirSync(STILLS, { recursive: true });
	for (const name of WITH_STILL) {
		const shot = last[name];
		if (shot) writeFileSync(join(STILLS, `${name}.jpg`), await draw(shot));
	}
}

runCommand(main);
