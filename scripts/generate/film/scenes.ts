// How each scene of the storyboard is played: every click as a person makes it.

import { setTimeout as pause } from 'node:timers/promises';

import type { Locator } from 'playwright-core';

import { followLeads } from '../../demo/follow';
import type { Editor } from '../../n8n/editor';
import { asRecord } from '../../n8n/n8nApi';
import { packageName } from '../../n8n/package';
import type { Camera } from './camera';
import { commentToCrm } from './commentToCrm';
import type { Filled, FreshN8n } from './freshN8n';
import type { SceneName } from './storyboard';

export interface Playing {
	fresh: FreshN8n;
	editor: Editor;
	camera: Camera;
	/** Known once there is a credential. */
	filled?: Filled;
	/** Says the next sentence of the scene. */
	next(): Promise<void>;
}

const ACTION = 'Get many leads';
const DRAFT = 'Three things that we learned from 1,000 lead magnets';
const POLL_EVERY_MS = 60_000;
/** So long before the next poll somebody comments. */
const BEFORE_POLL_MS = 6_000;

export const SCENES: Readonly<Record<SceneName, (playing: Playing) => Promise<void>>> = {
	async install({ editor: { page }, fresh, camera, next }) {
		await page.goto(`${fresh.n8n.url}/settings/community-nodes`);
		const install = page.getByRole('button', { name: /install/i }).first();
		await install.waitFor();
		await next();
		await camera.click(install);
		await next();
		await camera.type(page.locator('input[name="packageNameInput"]'), packageName());
		await camera.click(page.getByTestId('user-agreement-checkbox'));
		const confirm = page.getByTestId('install-community-package-button');
		await camera.click(confirm);
		await camera.during(confirm.waitFor({ state: 'hidden' }));
		await next();
		await camera.moveTo(page.getByTestId('community-package-card').getByText(packageName()));
	},

	async add({ editor: { page }, fresh, camera, next }) {
		await page.goto(`${fresh.n8n.url}/workflow/new`);
		const add = page.getByTestId('canvas-add-button');
		await add.waitFor();
		await next();
		await camera.click(add);
		const search = page.getByTestId('node-creator-search-bar');
		await camera.type(search, 'lead gen');
		const found = page.getByTestId('node-creator-item-name');
		await next();
		await camera.click(found.getByText('Lead Gen & Publishing', { exact: true }));
		await camera.click(
			page.getByTestId('node-creator-category-item').filter({ hasText: 'Actions' }),
		);
		await next();
		await camera.click(found.getByText(ACTION, { exact: true }));
		await page.getByTestId('node-parameters').waitFor();
	},

	async credential(playing) {
		const { editor, fresh, camera, next } = playing;
		const { page } = editor;
		const { service } = fresh;
		await next();
		await camera.click(page.getByTestId('node-credentials-empty-state').getByRole('button'));
		const field = (name: string) => page.getByTestId(`parameter-input-${name}`).locator('input');
		await camera.type(field('baseUrl'), service.baseUrl);
		await camera.type(field('apiKey'), service.world.keys.own);
		await next();
		const created = page.waitForResponse(
			(response) =>
				response.url().endsWith('/rest/credentials') && response.request().method() === 'POST',
		);
		await camera.click(page.getByTestId('credential-save-button'));
		const { id } = asRecord(asRecord(await (await created).json()).data);
		// It closes by itself once the test has passed.
		await camera.during(field('baseUrl').waitFor({ state: 'hidden' }));
		await next();
		await camera.click(page.getByTestId('credential-edit-button'));
		await camera.during(page.getByTestId('credentials-config-container-test-success').waitFor());
		playing.filled = await fresh.fill(String(id));
	},

	async actions({ editor, camera, next }) {
		const { page, output } = editor;
		const execute = page.getByTestId('ndv').getByTestId('node-execute-button');
		const pick = async (parameter: string, option: string) => {
			await camera.click(page.getByTestId(`parameter-input-${parameter}`));
			const options = page.locator('.el-select-dropdown__item:visible');
			await camera.click(options.filter({ has: page.getByText(option, { exact: true }) }));
		};
		await next();
		const dialog = page.getByTestId('editCredential-modal');
		await camera.click(dialog.getByRole('button', { name: 'Close this dialog' }));
		await camera.click(execute);
		await camera.during(output.getByText('profile_url').first().waitFor());
		await next();
		await camera.click(output.getByTestId('radio-button-table'));
		await next();
		await pick('resource', 'Post');
		await pick('operation', 'Create');
		await camera.type(page.getByTestId('parameter-input-text').locator('textarea'), DRAFT);
		await camera.click(execute);
		await camera.during(output.getByText(DRAFT).first().waitFor());
		await next();
		await camera.moveTo(output.getByText('draft').first());
	},

	async trigger({ editor, fresh, camera, filled, next }) {
		const { page } = editor;
		const { api, service } = fresh;
		const { newLeads, tables } = wanted(filled);
		await editor.openWorkflow(newLeads.id);
		await editor.tidy();
		await next();
		await camera.click(nodeOf(editor, 'New Lead'), { double: true });
		await page.getByTestId('node-credentials-select').waitFor();
		await next();
		await camera.click(page.getByTestId('ndv').getByTestId('node-execute-button'));
		await camera.during(editor.output.getByText('profile_url').first().waitFor());
		await camera.finishSentence();
		await camera.click(page.getByTestId('ndv-close-button'));
		await next();
		await camera.click(page.getByTestId('workflow-open-publish-modal-button'));
		await camera.click(page.getByTestId('workflow-publish-button'));
		await camera.finishSentence();

		await shortlyBeforePoll(fresh);
		const stop = followLeads({ api, service, tables });
		const stage = { api, service, tables };
		await commentToCrm({ stage, editor, camera, say: next }).finally(stop);
	},

	async agent({ editor, camera, filled, next }) {
		await editor.openWorkflow(wanted(filled).mcpServer.id);
		await editor.tidy();
		await next();
		await camera.finishSentence();
		await next();
		await camera.click(nodeOf(editor, 'Create Draft'), { double: true });
		await editor.page.getByTestId('node-parameters').waitFor();
	},
};

const nodeOf = ({ page }: Editor, name: string): Locator =>
	page.locator(`[data-test-id="canvas-node"][data-node-name="${name}"]`);

function wanted(filled: Filled | undefined): Filled {
	if (filled === undefined) throw new Error('there is no credential yet');
	return filled;
}

/** The trigger polls once a minute, at a second of n8n's choice. What it looks like to wait is not filmed. */
async function shortlyBeforePoll({ service: { requests } }: FreshN8n): Promise<void> {
	const latest = () => requests.findLast(({ route }) => route === 'leads.list')?.startedAt ?? 0;
	// The one that comes with publishing is not of that beat.
	await pause(BEFORE_POLL_MS);
	const first = latest();
	while (latest() === first) await pause(500);
	await pause(Math.max(0, latest() + POLL_EVERY_MS - BEFORE_POLL_MS - Date.now()));
}
