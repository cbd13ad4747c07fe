// A comment becomes a row in the CRM, as a film of four pictures with a line below each.

import { join } from 'node:path';

import type { Stage } from '../../scripts/demo/stage';
import type { Editor } from '../../scripts/n8n/editor';
import { runFfmpeg } from '../../scripts/n8n/ffmpeg';
import { until } from '../../scripts/n8n/waiting';

const SIZE = { width: 1200, height: 620 };
const SECONDS_PER_PICTURE = 3;
const BAR = `position:fixed;left:0;right:0;bottom:0;z-index:2147483647;padding:14px;text-align:center;
	background:#1b2130;color:#fff;font:600 20px sans-serif`;

interface Scene {
	readonly editor: Editor;
	readonly stage: Stage;
	/** Where the single pictures go. */
	readonly aside: string;
	/** The path of the film. */
	readonly film: string;
}

export async function filmComment({ editor, stage, aside, film }: Scene): Promise<void> {
	const { page } = editor;
	const { world, controlUrl } = stage.service;
	const usual = page.viewportSize();
	let taken = 0;
	const take = async (line: string) => {
		await editor.tidy();
		// A text, because the types of a page are not known here.
		await page.evaluate(`document.body.append(Object.assign(document.createElement('div'),
			{ textContent: ${JSON.stringify(line)}, style: ${JSON.stringify(BAR)} }))`);
		taken += 1;
		await page.screenshot({ path: join(aside, `film-${taken}.png`) });
	};
	await page.setViewportSize(SIZE);
	try {
		await editor.openWorkflow(stage.workflows['new-leads-to-crm'].id);
		await take('A workflow of two nodes: each new lead goes into the CRM');
		await page.goto(controlUrl ?? '');
		await page.locator('#comment').waitFor();
		await take('Someone comments the keyword');
		const known = new Set(world.own.leads.toArray().map(({ id }) => id));
		await page.locator('#comment').click();
		const lead = await until(
			() => Promise.resolve(world.own.leads.toArray().find(({ id }) => !known.has(id))),
			{ isEnough: (found) => found !== undefined },
		);
		await take('The service makes a lead of the comment');
		await page.goto(stage.api.tablePage(stage.tables.own));
		// The table does not reload, and shows its first rows first.
		await until(async () => (await stage.api.rows(stage.tables.own)).map((row) => row.lead_id), {
			isEnough: (ids) => ids.includes(lead?.id ?? ''),
		});
		await page.reload();
		await page.getByText('@').filter({ visible: true }).first().waitFor();
		await page.getByText(/^\d+$/).filter({ visible: true }).last().click();
		await page
			.getByText(lead?.name ?? '')
			.first()
			.waitFor();
		await take('A few seconds later, the lead is in the table');
	} finally {
		if (usual !== null) await page.setViewportSize(usual);
	}
	joinPictures(aside, film);
}

function joinPictures(aside: string, film: string): void {
	runFfmpeg([
		...['-framerate', `1/${SECONDS_PER_PICTURE}`, '-i', join(aside, 'film-%d.png')],
		...['-c:v', 'libwebp_anim', '-quality', '70', '-loop', '0', film],
	]);
}
