// `npm run docs:film`: takes the animated picture of the README anew, from the demo as a person sees
// it: somebody comments the keyword, n8n asks for the lead, and the lead is in the CRM.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { CDPSession, Locator, Page } from 'playwright-core';

import { followLeads } from '../demo/follow';
import type { Stage } from '../demo/stage';
import { runOnStage } from '../demo/runOnStage';
import { openBrowser, provideChromium } from '../n8n/chromium';
import { Editor } from '../n8n/editor';
import { ROOT } from '../n8n/folders';
import { say, step } from '../n8n/progress';
import { animatedWebp, type Frame } from './animatedWebp';

const PICTURE = join(ROOT, 'docs', 'images', 'comment-to-crm.webp');
const MAX_BYTES = 2_000_000;
const ROOM = { width: 1280, height: 720 };
const SCALE = 0.75;
const SIZE = { width: ROOM.width * SCALE, height: ROOM.height * SCALE };
const QUALITY = 72;
const MOVE = { steps: 8, ms: 60 };

class Camera {
	readonly frames: Frame[] = [];
	private pointer = { x: ROOM.width * 0.62, y: ROOM.height * 0.7 };

	constructor(
		private readonly page: Page,
		private readonly session: CDPSession,
	) {}

	static async on(page: Page): Promise<Camera> {
		return new Camera(page, await page.context().newCDPSession(page));
	}

	/** What is on the page now, with a sentence below it. */
	async take(caption: string, ms: number): Promise<void> {
		await this.page.evaluate(overlayScript({ caption, ...this.pointer }));
		const { data } = await this.session.send('Page.captureScreenshot', {
			format: 'webp',
			quality: QUALITY,
			clip: { x: 0, y: 0, ...ROOM, scale: SCALE },
		});
		this.frames.push({ webp: Buffer.from(data, 'base64'), ms });
	}

	/** Moves the pointer there in a few pictures. */
	async moveTo(target: Locator, caption: string): Promise<void> {
		const box = await target.boundingBox();
		if (!box) throw new Error('what the pointer should move to is not to be seen');
		const from = this.pointer;
		const to = { x: box.x + Math.min(box.width / 2, 260), y: box.y + box.height / 2 };
		for (let done = 1; done <= MOVE.steps; done++) {
			const part = 0.5 - Math.cos((done / MOVE.steps) * Math.PI) / 2;
			this.pointer = {
				x: from.x + (to.x - from.x) * part,
				y: from.y + (to.y - from.y) * part,
			};
			await this.take(caption, MOVE.ms);
		}
	}
}

/** Runs in the page: a pointer, which no screenshot has, and a line of text. */
const overlayScript = (shown: { caption: string; x: number; y: number }): string => `{
	const { caption, x, y } = ${JSON.stringify(shown)};
	const old = document.getElementById('film-overlay');
	const overlay = old ?? document.createElement('div');
	overlay.id = 'film-overlay';
	overlay.style.cssText = 'position:fixed;inset:0;z-index:99999;pointer-events:none';
	overlay.innerHTML =
		'<svg width="30" height="30" viewBox="0 0 24 24" style="position:absolute">' +
		'<path d="M3 2l7 18 2.6-7.4L20 10z" fill="#111" stroke="#fff" stroke-width="1.6"/></svg>' +
		'<div style="position:absolute;left:0;right:0;bottom:0;padding:14px;background:#1d2330;' +
		'color:#fff;font:600 21px/1.3 system-ui,sans-serif;text-align:center"></div>';
	Object.assign(overlay.firstElementChild.style, { left: x + 'px', top: y + 'px' });
	overlay.lastElementChild.textContent = caption;
	if (!old) document.body.append(overlay);
}`;

async function film(stage: Stage): Promise<Frame[]> {
	const { service, n8n, api, tables, workflows } = stage;
	const browser = await openBrowser();
	try {
		const editor = await Editor.open(browser, n8n.url);
		const { page } = editor;
		await page.setViewportSize(ROOM);
		const camera = await Camera.on(page);

		await editor.openWorkflow(workflows['new-leads-to-crm'].id);
		await editor.tidy();
		await camera.take('A workflow of two nodes: each new lead goes into the CRM', 2_600);

		await page.goto(String(service.controlUrl));
		const button = page.getByText('Someone comments your keyword');
		await button.waitFor();
		await camera.moveTo(button, 'Somebody comments the keyword of your lead magnet');
		await button.click();
		const lead = service.world.own.leads.at(-1);
		await page.getByText(`${lead?.name} commented`).waitFor();
		await camera.take('Somebody comments the keyword of your lead magnet', 1_800);
		await page.getByText('leads asked for').first().waitFor();
		await camera.take('The trigger asks for new leads …', 1_500);
		await page.getByText('in the table').first().waitFor();
		await camera.take('… and a few seconds later the lead is in the table', 2_200);

		await page.goto(api.tablePage(tables.own));
		const row = page
			.getByText(lead?.name ?? '')
			.filter({ visible: true })
			.first();
		await row.waitFor();
		await editor.tidy();
		await camera.take('The CRM, here one of n8n’s own tables', 1_000);
		await camera.moveTo(row, 'The CRM, here one of n8n’s own tables');
		await camera.take(
			`${lead?.name}: name, email and keyword, a few seconds after the comment`,
			3_500,
		);
		return camera.frames;
	} finally {
		await browser.close();
	}
}

runOnStage(async ({ open }) => {
	await provideChromium();
	const stage = await open({ name: 'film' });
	const stop = followLeads(stage);
	const frames = await step('Filming', () => film(stage)).finally(stop);
	const picture = animatedWebp(frames, SIZE);
	if (picture.length > MAX_BYTES) throw new Error(`${picture.length} bytes are too many`);
	writeFileSync(PICTURE, picture);
	say(`${PICTURE}: ${frames.length} pictures, ${(picture.length / 1000).toFixed(0)} kB`);
	return 0;
});
