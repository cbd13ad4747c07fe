// n8n's editor as a person uses it, as far as we need it.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Browser, Locator, Page } from 'playwright-core';

import { asRecord, OWNER } from './n8nApi';

const SIZE = { width: 1280, height: 800 };
const PATIENCE_MS = 120_000;
const MOST_HOVERS = 20;
const PROBE = readFileSync(join(__dirname, 'panelProbe.js'), 'utf8');

/** The id of the open workflow. A new one has one too, before it is saved. */
const IN_ADDRESS = /\/workflow\/([A-Za-z0-9]{10,})/;
const NOT_INSTALLED = '[data-test-id="node-not-installed"]';
const isSaved = ({ searchParams }: URL): boolean => !searchParams.has('new');

/** What stands in a panel; parameters go by their labels. */
export interface Seen {
	labels: string[];
	cut: string[];
	unreachable: string[];
	/** Parameters with an open editor for code or JSON. */
	editors: string[];
	/** Parameters that n8n marks, because something is missing or wrong. */
	marked: string[];
	/** Descriptions that cannot be read to their end. */
	clipped: string[];
	/** What an open list offers. */
	choices: string[];
	text: string;
}

export class Editor {
	private constructor(
		readonly page: Page,
		private readonly url: string,
	) {}

	/** Logged in, in a browser that talks to this machine only. */
	static async open(browser: Browser, url: string): Promise<Editor> {
		const page = await browser.newPage({ viewport: SIZE });
		page.setDefaultTimeout(PATIENCE_MS);
		await page.route(
			({ hostname }) => hostname !== new URL(url).hostname,
			(route) => route.abort(),
		);
		await page.goto(`${url}/signin`);
		await page.getByTestId('emailOrLdapLoginId').locator('input').fill(OWNER.email);
		await page.getByTestId('password').locator('input').fill(OWNER.password);
		await page.getByTestId('form-submit-button').click();
		await page.waitForURL(({ pathname }) => !pathname.includes('signin'));
		return new Editor(page, url);
	}

	async openWorkflow(id: string): Promise<void> {
		await this.page.goto(`${this.url}/workflow/${id}`);
		await this.page.getByTestId('canvas-node').first().waitFor();
		await this.page.getByTestId('zoom-to-fit').click();
	}

	async newWorkflow(): Promise<void> {
		await this.page.getByTestId('universal-add').click();
		const entry = this.page.getByText('New workflow', { exact: true });
		await entry.filter({ visible: true }).first().click();
		await this.page.getByTestId('canvas-add-button').waitFor();
	}

	/** The id of the workflow that is open. */
	openWorkflowId(): string {
		return IN_ADDRESS.exec(this.page.url())?.[1] ?? '';
	}

	/** "Import from File" in the menu of a new workflow; gives the id of what is saved. */
	async importWorkflow(file: Parameters<Locator['setInputFiles']>[0]): Promise<string> {
		await this.newWorkflow();
		await this.page.getByTestId('workflow-import-input').setInputFiles(file);
		await this.page.getByTestId('canvas-node').first().waitFor();
		await this.page.keyboard.press('Control+s');
		await this.page.waitForURL((url) => IN_ADDRESS.test(url.href) && isSaved(url));
		return this.openWorkflowId();
	}

	/** Nodes that n8n does not know, what it marks red on the canvas, and what it has said aside. */
	async complaints(): Promise<string[]> {
		const nodes = this.page.getByTestId('canvas-node');
		const nameOf = async (node: Locator) => String(await node.getAttribute('data-node-name'));
		const found: string[] = [];
		for (const node of await nodes.filter({ has: this.page.getByText('?', { exact: true }) }).all())
			found.push(`${await nameOf(node)} is not known`);
		const mark = this.page.locator(`[data-test-id="node-issues"], ${NOT_INSTALLED}`);
		for (const node of await nodes.filter({ has: mark }).all()) {
			const words = await this.hoveredWords(node.locator(mark));
			found.push(`${await nameOf(node)}: ${words.replace(/\s+/g, ' ')}`);
		}
		return [...found, ...(await this.page.locator('.el-notification').allInnerTexts())];
	}

	/** While the canvas still moves, n8n may miss that the mouse is there: then it comes again. */
	private async hoveredWords(mark: Locator): Promise<string> {
		const words = this.page.getByTestId('tooltip-content');
		for (let left = MOST_HOVERS; ; left -= 1) {
			await mark.hover();
			await words.waitFor({ timeout: 5_000 }).catch((error: unknown) => {
				if (left === 1) throw error;
			});
			const text = (await words.isVisible()) ? await words.innerText() : undefined;
			await this.page.mouse.move(SIZE.width / 2, 2);
			await words.waitFor({ state: 'detached' });
			if (text !== undefined) return text;
		}
	}

	async openPanel(node: string, { asksForCredential = true } = {}): Promise<void> {
		const onCanvas = `[data-test-id="canvas-node"][data-node-name="${node}"]`;
		await this.page.locator(onCanvas).dblclick();
		await this.page.getByTestId('node-parameters').waitFor();
		// The list of credentials comes after the parameters.
		if (asksForCredential) await this.page.getByTestId('node-credentials-select').waitFor();
	}

	async closePanel(): Promise<void> {
		await this.page.getByTestId('ndv-close-button').click();
		await this.page.getByTestId('ndv').waitFor({ state: 'hidden' });
	}

	/** Looks through the open panel from top to bottom. */
	async look(): Promise<Seen> {
		const seen = asRecord(await this.page.evaluate<unknown>(PROBE));
		const texts = (name: string) => (Array.isArray(seen[name]) ? seen[name].map(String) : []);
		return {
			labels: texts('labels'),
			cut: texts('cut'),
			unreachable: texts('unreachable'),
			editors: texts('editors'),
			marked: texts('marked'),
			clipped: texts('clipped'),
			choices: texts('choices'),
			text: String(seen.text),
		};
	}

	/** Opens the list of a parameter, looks at it, and closes it. */
	async lookAtChoices(parameter: string): Promise<Seen> {
		const input = this.page.getByTestId(`parameter-input-${parameter}`);
		await input.click();
		await this.page.locator('.el-select-dropdown__item:visible').first().waitFor();
		// It grows while it opens.
		await this.page.waitForTimeout(400);
		const seen = await this.look();
		await input.click();
		await this.page
			.locator('.el-select-dropdown__item:visible')
			.first()
			.waitFor({ state: 'hidden' });
		return seen;
	}

	async choose(parameter: string, option: string): Promise<void> {
		await this.page.getByTestId(`parameter-input-${parameter}`).click();
		await this.page
			.locator('.el-select-dropdown__item:visible')
			.filter({ has: this.page.getByText(option, { exact: true }) })
			.click();
	}

	/** The open list of a searchable parameter. */
	async openList(parameter: string): Promise<Locator> {
		await this.page.getByTestId(`resource-locator-${parameter}`).getByTestId('rlc-input').click();
		const items = this.page.getByTestId('rlc-item').filter({ visible: true });
		await items.first().waitFor();
		return items;
	}

	async searchList(text: string): Promise<void> {
		const [box, inBox] = ['[data-test-id="rlc-search"]', '[data-test-id="rlc-search"] input'];
		await this.page.locator(`input${box}, ${inBox}`).filter({ visible: true }).fill(text);
	}

	/** Drags the panel of the parameters to the left, so that a table has room next to it. */
	async widenOutput(): Promise<void> {
		const handle = await this.page.getByTestId('panel-drag-button').boundingBox();
		if (handle === null) return;
		const [x, y] = [handle.x + handle.width / 2, handle.y + handle.height / 2];
		await this.page.mouse.move(x, y);
		await this.page.mouse.down();
		await this.page.mouse.move(x / 2, y, { steps: 5 });
		await this.page.mouse.move(0, y, { steps: 5 });
		await this.page.mouse.up();
	}

	async runNode(): Promise<void> {
		await this.page.getByTestId('ndv').getByTestId('node-execute-button').click();
	}

	/** Removes elements that appear and disappear on their own. */
	async tidy(): Promise<void> {
		for (const message of await this.page.locator('.el-notification__closeBtn').all())
			await message.click({ timeout: 2_000 }).catch(() => undefined);
		await this.page.mouse.move(SIZE.width / 2, 2);
		await this.page.waitForTimeout(500);
	}

	get output(): Locator {
		return this.page.getByTestId('output-panel');
	}
}
