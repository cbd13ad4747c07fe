// One browser and one login for all tests of a file that need n8n's pages.

import type { Browser } from 'playwright-core';

import { hasBrowser, openBrowser } from '../../scripts/n8n/chromium';
import { Editor } from '../../scripts/n8n/editor';
import type { Gallery } from '../../scripts/n8n/gallery';

const OPENING_MS = 180_000;

let browser: Browser | undefined;
let opened: Promise<Editor> | undefined;

async function open({ n8n }: Gallery): Promise<Editor> {
	browser = await openBrowser();
	return await Editor.open(browser, n8n.url);
}

/** Left out where there is no browser. */
export function describeInBrowser(
	what: string,
	gallery: () => Gallery,
	tests: (editor: () => Editor) => void,
): void {
	(hasBrowser() ? describe : describe.skip)(what, () => {
		let editor: Editor;
		beforeAll(async () => {
			editor = await (opened ??= open(gallery()));
		}, OPENING_MS);
		tests(() => editor);
	});
}

export const closeBrowser = async (): Promise<void> => await browser?.close();
