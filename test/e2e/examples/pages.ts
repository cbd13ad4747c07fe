// n8n's pages in one browser with one login: its editor, and its forms as a person goes through them.

import type { Browser } from 'playwright-core';

import { hasBrowser, openBrowser } from '../../../scripts/n8n/chromium';
import { Editor } from '../../../scripts/n8n/editor';
import type { ExampleName } from '../../../scripts/n8n/examples';
import { activate, gallery, stored } from './runs';

const OPENING_MS = 180_000;
const SUBMIT = '#submit-btn';

let browser: Browser | undefined;
let opened: Promise<Editor> | undefined;
let editor: Editor;

async function open(): Promise<Editor> {
	browser = await openBrowser();
	return await Editor.open(browser, gallery().n8n.url);
}
export const theEditor = (): Editor => editor;
afterAll(async () => await browser?.close());

/** Left out where there is no browser. */
export function describeInBrowser(what: string, tests: () => void): void {
	(hasBrowser() ? describe : describe.skip)(what, () => {
		beforeAll(async () => {
			editor = await (opened ??= open());
		}, OPENING_MS);
		tests();
	});
}

/** The address of a form that starts the example, once that is active. */
export async function formOf(name: ExampleName, node: string): Promise<string> {
	const workflow = await stored(name);
	await activate(workflow);
	const form = workflow.nodes.find((one) => one.name === node);
	return `${gallery().n8n.url}/form/${String(form?.webhookId)}`;
}

interface File {
	name: string;
	mimeType: string;
	buffer: Buffer;
}

/** Opens the form, and fills in its fields in their order. */
export async function fillIn(url: string, fields: ReadonlyArray<string | File>): Promise<void> {
	const { page } = editor;
	await page.goto(url);
	const first = page.locator('[name="field-0"]');
	const allow = page.getByRole('button', { name: 'Allow access' });
	// n8n asks only once whether the form may know who fills it in.
	await first.or(allow).first().waitFor({ state: 'attached' });
	if (await allow.isVisible()) await allow.click();
	await first.waitFor({ state: 'attached' });
	for (const [index, value] of fields.entries()) {
		const field = page.locator(`[name="field-${index}"]`);
		if (typeof value === 'string') await field.fill(value);
		else await field.setInputFiles(value);
	}
	await page.locator(SUBMIT).click();
}

/** Takes one of the choices of the next page, and gives what that page showed. */
export async function choose(
	option: string,
	/** Happens while the person looks at it. */
	meanwhile?: () => void,
): Promise<string> {
	const { page } = editor;
	const choice = page.getByText(option, { exact: true });
	await choice.waitFor();
	const shown = await page.locator('body').innerText();
	meanwhile?.();
	await choice.click();
	await page.locator(SUBMIT).click();
	await choice.waitFor({ state: 'detached' });
	return shown;
}

/** What the last page says, once it has this title. */
export async function lastPage(title: string): Promise<string> {
	await editor.page.getByRole('heading', { name: title }).waitFor();
	return await editor.page.locator('body').innerText();
}
