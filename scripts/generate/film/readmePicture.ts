// `npm run docs:film`: takes the animated picture of the README anew, from the demo as a person sees
// it: somebody comments the keyword, n8n asks for the lead, and the lead is in the CRM.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { followLeads } from '../../demo/follow';
import { runOnStage } from '../../demo/runOnStage';
import type { Stage } from '../../demo/stage';
import { openBrowser, provideChromium } from '../../n8n/chromium';
import { Editor } from '../../n8n/editor';
import { ROOT } from '../../n8n/folders';
import { say, step } from '../../n8n/progress';
import { animatedWebp, type Frame } from '../animatedWebp';
import { Camera } from './camera';
import { commentToCrm } from './commentToCrm';
import { drawPictures, sizeAt } from './drawing';

const PICTURE = join(ROOT, 'docs', 'images', 'comment-to-crm.webp');
const MAX_BYTES = 2_000_000;
const SCALE = 0.75;
const QUALITY = 0.72;

async function film(stage: Stage): Promise<Frame[]> {
	const browser = await openBrowser();
	try {
		const editor = await Editor.open(browser, stage.n8n.url);
		const camera = await Camera.on(editor.page);
		await editor.openWorkflow(stage.workflows['new-leads-to-crm'].id);
		await editor.tidy();
		await camera.say('A workflow of two nodes: each new lead goes into the CRM');
		await camera.finishSentence();
		await commentToCrm({ stage, editor, camera, say: (sentence) => camera.say(sentence) });
		return await drawPictures(browser, camera.shots, { scale: SCALE, quality: QUALITY });
	} finally {
		await browser.close();
	}
}

runOnStage(async ({ open }) => {
	await provideChromium();
	const stage = await open({ name: 'film' });
	const stop = followLeads(stage);
	const frames = await step('Filming', () => film(stage)).finally(stop);
	const picture = animatedWebp(frames, sizeAt(SCALE));
	if (picture.length > MAX_BYTES) throw new Error(`${picture.length} bytes are too many`);
	writeFileSync(PICTURE, picture);
	say(`${PICTURE}: ${frames.length} pictures, ${(picture.length / 1000).toFixed(0)} kB`);
	return 0;
});
