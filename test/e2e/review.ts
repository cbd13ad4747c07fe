// The pages of the example that corrects a published post, as a person goes through them.

import type { Page } from 'playwright-core';

export interface Correction {
	url: string;
	post: string;
	text: string;
	/** The choice on the second page. */
	decision: string;
	/** While the person looks at the second page. */
	meanwhile?: () => void;
}

export interface Reviewed {
	/** What the second page showed. */
	compared: string;
	/** What the last page says. */
	end: string;
}

const SUBMIT = '#submit-btn';

export async function review(page: Page, correction: Correction): Promise<Reviewed> {
	const { url, post, text, decision, meanwhile } = correction;
	await page.goto(url);
	const first = page.locator('input[name="field-0"]');
	const allow = page.getByRole('button', { name: 'Allow access' });
	// n8n asks only once whether the form may know who fills it in.
	await first.or(allow).waitFor();
	if (await allow.isVisible()) await allow.click();
	await first.fill(post);
	await page.locator('textarea[name="field-1"]').fill(text);
	await page.locator(SUBMIT).click();
	const choice = page.getByText(decision, { exact: true });
	await choice.waitFor();
	const compared = await page.locator('body').innerText();
	meanwhile?.();
	await choice.click();
	await page.locator(SUBMIT).click();
	await choice.waitFor({ state: 'detached' });
	const title = page.locator('h1').filter({ visible: true });
	await title.first().waitFor();
	return { compared, end: await page.locator('body').innerText() };
}
