// Through everything the package shows. What is not as it should be is collected, so that one run
// tells it all.

import { join } from 'node:path';

import type { Browser } from 'playwright-core';

import { Editor, type Seen } from '../../scripts/n8n/editor';
import { prepareExample, readExample, type CredentialIds } from '../../scripts/n8n/examples';
import { CREDENTIAL_TYPE, type N8nApi, type Workflow } from '../../scripts/n8n/n8nApi';
import { step } from '../../scripts/n8n/progress';
import { allPanels, newPanels, panelsWorkflow, type NewPanel, type Panel } from './panels';

export interface Scene {
	url: string;
	api: N8nApi;
	service: { baseUrl: string; unknownKey: string };
	credentials: CredentialIds;
	/** The page of the table that the leads go to. */
	crm: string;
	/** Folder for the pictures. */
	pictures: string;
}

/** What must never be read by a person. */
const LEFTOVERS = ['undefined', '{{', '[object Object]', 'NaN'];
const READ_NODE = 'Get Leads';
const SETTLING_MS = 20_000;
const MAX_PICTURE_BYTES = 150_000;

/** Gives everything that is wrong, in words. */
export async function tour(browser: Browser, scene: Scene): Promise<string[]> {
	const editor = await step('Logging in', () => Editor.open(browser, scene.url));
	const problems: string[] = [];
	const shots = (name: string) => join(scene.pictures, `${name}.jpg`);
	const picture = async (name: string) => {
		await editor.tidy();
		for (let quality = 85; quality > 30; quality -= 10) {
			const taken = await editor.page.screenshot({ path: shots(name), type: 'jpeg', quality });
			if (taken.length < MAX_PICTURE_BYTES) return;
		}
	};
	const part = async (what: string, work: () => Promise<string[]>) => {
		try {
			const found = await step(what, work);
			problems.push(...found.map((problem) => `${what}: ${problem}`));
		} catch (error) {
			problems.push(`${what}: ${error instanceof Error ? error.message : String(error)}`);
			await editor.page.screenshot({ path: shots(`failed-${problems.length}`), type: 'jpeg' });
		}
	};
	editor.page.on('pageerror', ({ message }) => problems.push(`The page failed: ${message}`));

	const panels = allPanels(scene.credentials);
	await part(`Opening ${panels.length} panels`, () => openAll(editor, scene, panels, judge));
	const fresh = newPanels(scene.credentials);
	/** Lists that look the same in every panel are opened once. */
	const opened = new Set<string>();
	await part(`Opening ${fresh.length} panels of new nodes`, () =>
		openAll(editor, scene, fresh, judgeNew, (panel) => openLists(editor, panel, opened)),
	);
	await part('Choosing a client and reading their leads', () =>
		readClientLeads(editor, scene, picture),
	);
	await part('Running with a wrong key', () => useWrongKey(editor, scene, picture));
	await part('Running the trigger by hand', () => runTrigger(editor, scene, picture));
	await part('Opening the CRM', async () => {
		await editor.page.goto(scene.crm);
		await editor.page.getByText('@').filter({ visible: true }).first().waitFor();
		return [];
	});
	return problems;
}

/** Opens each, looks until nothing is wrong or a while has passed, and at what else there is. */
async function openAll<T extends Panel | NewPanel>(
	editor: Editor,
	scene: Scene,
	panels: readonly T[],
	judged: (panel: T, seen: Seen) => string[],
	further: (panel: T) => Promise<string[]> = async () => await Promise.resolve([]),
): Promise<string[]> {
	const { id } = await scene.api.createWorkflow(panelsWorkflow(panels));
	await editor.openWorkflow(id);
	const problems: string[] = [];
	for (const panel of panels) {
		await editor.openPanel(panel.name, panel);
		// The editor fetches what it needs for a kind of field when it first meets one.
		const deadline = Date.now() + SETTLING_MS;
		let wrong = judged(panel, await editor.look());
		while (wrong.length > 0 && Date.now() < deadline) {
			await editor.page.waitForTimeout(250);
			wrong = judged(panel, await editor.look());
		}
		wrong.push(...(await further(panel)));
		problems.push(...wrong.map((problem) => `"${panel.name}" ${problem}`));
		await editor.closePanel();
	}
	return problems;
}

async function openLists(editor: Editor, panel: NewPanel, opened: Set<string>): Promise<string[]> {
	const wrong: string[] = [];
	for (const list of panel.lists) {
		const key = keyOf(panel, list);
		if (opened.has(key)) continue;
		opened.add(key);
		const { clipped, choices } = await editor.lookAtChoices(list);
		wrong.push(...clipped.map((text) => `cuts off, in the list "${list}": ${text}`));
		if (choices.length === 0) wrong.push(`offers nothing in the list "${list}"`);
	}
	return wrong;
}

/** The operations differ from resource to resource, other lists from operation to operation. */
const keyOf = ({ node }: NewPanel, list: string): string => {
	const { resource, operation } = node.parameters;
	if (['resource', 'actAs', 'event', 'watch'].includes(list)) return `${node.type} ${list}`;
	return `${String(resource)} ${list === 'operation' ? '' : String(operation)} ${list}`;
};

function judgeNew(panel: NewPanel, { editors, marked, clipped }: Seen): string[] {
	const differences = (seen: string[], expected: string[], what: string): string[] => [
		...seen.filter((one) => !expected.includes(one)).map((one) => `has ${what} ${one}`),
		...expected.filter((one) => !seen.includes(one)).map((one) => `lacks ${what} ${one}`),
	];
	return [
		...differences(editors, panel.editors, 'an open editor for'),
		...differences(marked, panel.demanded, 'a mark at'),
		...clipped.map((text) => `cuts off: ${text}`),
	];
}

function judge({ labels, notices, hasExpression }: Panel, seen: Seen): string[] {
	const left = [...seen.labels];
	const missing = labels.filter((label) => {
		const place = left.indexOf(label);
		// Two parameters may have the same label.
		return place < 0 || left.splice(place, 1).length === 0;
	});
	const untold = notices.filter((notice) => !seen.text.includes(notice));
	const leftovers = LEFTOVERS.filter(
		(leftover) =>
			seen.text.includes(leftover) && !(hasExpression && leftover !== '[object Object]'),
	);
	return [
		...missing.map((label) => `does not show ${label}`),
		...untold.map((notice) => `does not say: ${notice}`),
		...seen.unreachable.map((label) => `does not let anyone reach ${label}`),
		...seen.cut.map((label) => `cuts off ${label}`),
		...seen.clipped.map((text) => `cuts off: ${text}`),
		...leftovers.map((leftover) => `shows ${leftover}`),
	];
}

type Picture = (name: string) => Promise<void>;

async function readClientLeads(
	editor: Editor,
	{ api, credentials }: Scene,
	picture: Picture,
): Promise<string[]> {
	const { agency } = credentials;
	const example = prepareExample('read-leads', { own: agency, agency });
	const { id } = await api.createWorkflow({ ...example, name: 'Leads of a client' });
	await editor.openWorkflow(id);
	await editor.openPanel(READ_NODE);
	await editor.choose('actAs', 'Client');
	const items = await editor.openList('clientId');
	const all = await items.allInnerTexts();
	await picture('client-list');
	await editor.searchList('marlowe');
	await items.filter({ hasNotText: 'Ada Marlowe' }).first().waitFor({ state: 'hidden' });
	await items.first().waitFor();
	const found = await items.allInnerTexts();
	await items.first().click();
	await editor.runNode();
	await editor.output.getByText('profile_url').first().waitFor();
	const text = await editor.output.innerText();
	await picture('action-panel');
	return [
		...(all.length >= 3 ? [] : [`the list holds only ${all.join(', ')}`]),
		...(found.length === 1 && found[0]?.includes('Ada Marlowe') ? [] : [`found ${found.join()}`]),
		...(/\b\d+ items\b/.test(text) ? [] : ['the output does not say how many items it has']),
	];
}

async function useWrongKey(
	editor: Editor,
	{ api, service }: Scene,
	picture: Picture,
): Promise<string[]> {
	const { baseUrl, unknownKey } = service;
	const name = 'Wrong key';
	const wrong = await api.createCredential(name, { baseUrl, apiKey: unknownKey });
	const example: Workflow = prepareExample('read-leads', { own: wrong, agency: wrong });
	const nodes = example.nodes.map((node) =>
		node.credentials ? { ...node, credentials: { [CREDENTIAL_TYPE]: { id: wrong, name } } } : node,
	);
	const { id } = await api.createWorkflow({ ...example, nodes, name });
	await editor.openWorkflow(id);
	await editor.openPanel(READ_NODE);
	await editor.runNode();
	await editor.output.getByTestId('node-error-message').waitFor();
	const text = await editor.output.innerText();
	await picture('error-wrong-key');
	return [
		...(text.includes('API key was not accepted') ? [] : [`the error reads: ${text}`]),
		...(text.includes(unknownKey) ? ['the error shows the key'] : []),
		...LEFTOVERS.filter((leftover) => text.includes(leftover)).map((one) => `shows ${one}`),
	];
}

async function runTrigger(
	editor: Editor,
	{ api, credentials }: Scene,
	picture: Picture,
): Promise<string[]> {
	// With the poll times of the example itself, which are those that a person sees.
	const { nodes: polling } = readExample('new-leads-to-crm');
	const example = prepareExample('new-leads-to-crm', credentials);
	const nodes = example.nodes.map((node, place) => ({
		...node,
		parameters: polling[place]?.parameters ?? node.parameters,
	}));
	const { id } = await api.createWorkflow({ ...example, nodes, name: 'New leads, by hand' });
	await editor.openWorkflow(id);
	await editor.openPanel('New Lead');
	await editor.runNode();
	await editor.output.getByText('profile_url').first().waitFor();
	await picture('trigger-panel');
	return [];
}
