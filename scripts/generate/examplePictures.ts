// `npm run docs -- --pictures`: retakes the pictures of the examples in `docs/images/examples`.
// `npm run docs -- --pictures -- weekly-report`: only those that are named.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import type { Browser } from 'playwright-core';

import { recordPicture } from '../../test/docs/pictures';

import { endAllPrograms } from '../n8n/children';
import { openBrowser, provideChromium } from '../n8n/chromium';
import { Editor } from '../n8n/editor';
import { EXAMPLE_NAMES } from '../n8n/examples';
import { ROOT } from '../n8n/folders';
import { openGallery, type Gallery } from '../n8n/gallery';
import { say, step } from '../n8n/progress';

const PICTURES = join(ROOT, 'docs', 'images', 'examples');
const MAX_BYTES = 60_000;
const WIDTH = 1200;
const MAX_SCALE = 1.2;
const ROOM = { width: 1600, height: 1000 };
/** The name of a node stands below it, and what starts a workflow has a sign on its left. */
const MARGIN = { left: 56, right: 96, top: 24, bottom: 64 };
const VIEWPORT = '.vue-flow__viewport';
const ONLY_THE_CANVAS = `
	body * { visibility: hidden; }
	body, #app { background: white !important; }
	${VIEWPORT}, ${VIEWPORT} * { visibility: visible; }
`;

const { positionals } = parseArgs({ allowPositionals: true });

let gallery: Gallery | undefined;
let browser: Browser | undefined;

async function main(): Promise<void> {
	await provideChromium();
	gallery = await openGallery();
	browser = await openBrowser();
	const editor = await Editor.open(browser, gallery.n8n.url);
	mkdirSync(PICTURES, { recursive: true });
	const wanted = EXAMPLE_NAMES.filter((name) => !positionals.length || positionals.includes(name));
	for (const name of wanted) {
		const { id } = await gallery.api.createWorkflow(await gallery.prepared(name));
		const bytes = await step(name, () => picture(editor, id, join(PICTURES, `${name}.jpg`)));
		recordPicture(`examples/${name}.jpg`);
		say(`  ${(bytes / 1000).toFixed(0)} kB`);
	}
}

/** The nodes and notes alone, at the same width whatever their number. */
async function picture(editor: Editor, id: string, path: string): Promise<number> {
	const { page } = editor;
	await page.setViewportSize(ROOM);
	await editor.openWorkflow(id);
	await page.addStyleTag({ content: ONLY_THE_CANVAS });
	await editor.tidy();
	const placesOf = async (what: string) => {
		const found = await page.locator(`${VIEWPORT} ${what}`).all();
		const places = await Promise.all(found.map((one) => one.boundingBox()));
		return places.filter((place) => place !== null);
	};
	const places = await placesOf('.vue-flow__node');
	const bottoms = [...places, ...(await placesOf('.vue-flow__edge'))].map(
		(one) => one.y + one.height,
	);
	const left = Math.min(...places.map(({ x }) => x)) - MARGIN.left;
	const top = Math.min(...places.map(({ y }) => y)) - MARGIN.top;
	const width = Math.max(...places.map((one) => one.x + one.width)) + MARGIN.right - left;
	const height = Math.max(...bottoms) + MARGIN.bottom - top;
	const clip = { x: left, y: top, width, height, scale: Math.min(MAX_SCALE, WIDTH / width) };
	const session = await page.context().newCDPSession(page);
	for (let quality = 85; ; quality -= 5) {
		const { data } = await session.send('Page.captureScreenshot', {
			format: 'jpeg',
			quality,
			clip,
			captureBeyondViewport: false,
		});
		const bytes = Buffer.from(data, 'base64');
		if (bytes.length > MAX_BYTES && quality > 40) continue;
		writeFileSync(path, bytes);
		return bytes.length;
	}
}

async function leave(code: number): Promise<never> {
	await browser?.close();
	await gallery?.close();
	await endAllPrograms();
	process.exit(code);
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
	process.on(signal, () => void leave(1).catch(() => process.exit(1)));
}

main().then(
	() => leave(0),
	(error: unknown) => {
		process.stderr.write(
			`\n${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
		);
		return leave(1);
	},
);
