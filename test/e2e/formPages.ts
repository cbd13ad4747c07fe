// The pages of a form of n8n, as a person goes through them.

import type { Page } from 'playwright-core';

const SUBMIT = '#submit-btn';

interface File {
	name: string;
	mimeType: string;
	buffer: Buffer;
}

/** Opens the form, and fills in its fields in their order. */
export async function fillIn(
	page: Page,
	{ url, fields }: { url: string; fields: ReadonlyArray<string | File> },
): Promise<void> {
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
	page: Page,
	option: string,
	/** Happens while the person looks at it. */
	meanwhile?: () => void,
): Promise<string> {
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
export async function lastPage(page: Page, title: string): Promise<string> {
	await page.getByRole('heading', { name: title }).waitFor();
	return await page.locator('body').innerText();
}
