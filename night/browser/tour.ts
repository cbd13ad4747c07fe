// Through everything the package shows. What is not as it should be is collected, so that one run
// tells it all.

import { join } from 'node:path';

import type { Browser } from 'playwright-core';

import type { Stage } from '../../scripts/demo/stage';
import { Editor, type Seen } from '../../scripts/n8n/editor';
import { prepareExample, readExample } from '../../scripts/n8n/examples';
import type { Workflow } from '../../scripts/n8n/n8nApi';
import { step } from '../../scripts/n8n/progress';
import { until } from '../../scripts/n8n/waiting';
import { PICTURES, recordPicture } from '../../test/docs/pictures';
import { showCalendar } from './calendarTour';
import { diagnoseAccounts } from './diagnoses';
import { filmComment } from './film';
import { allPanels, newPanels, panelsWorkflow, type Panel } from './panels';

/** What must never be read by a person. */
const LEFTOVERS = ['undefined', '{{', '[object Object]', 'NaN'];
const READ_NODE = 'Get Leads';
const SETTLING_MS = 20_000;
const MAX_PICTURE_BYTES = 150_000;

interface Tour {
	editor: Editor;
	stage: Stage;
	picture: (name: string) => Promise<void>;
}

export interface TourOptions {
	/** Where the pictures go that a page shows, and the others. */
	readonly pictures: string;
	readonly aside: string;
	/** Only parts whose names contain one of these, in lower case. */
	readonly only: readonly string[];
}

/** Gives everything that is wrong, in words. */
export async function tour(
	browser: Browser,
	stage: Stage,
	{ pictures, aside, only }: TourOptions,
): Promise<string[]> {
	const editor = await step('Logging in', () => Editor.open(browser, stage.n8n.url));
	const problems: string[] = [];
	/** Only what a page shows is kept with the pages. */
	const shots = (name: string) => join(`${name}.jpg` in PICTURES ? pictures : aside, `${name}.jpg`);
	const picture = async (name: string) => {
		await editor.tidy();
		for (let quality = 85; quality > 30; quality -= 10) {
			const taken = await editor.page.screenshot({ path: shots(name), type: 'jpeg', quality });
			if (taken.length < MAX_PICTURE_BYTES) break;
		}
		if (pictures !== aside) recordPicture(`${name}.jpg`);
	};
	const part = async (what: string, work: (given: Tour) => Promise<string[]>) => {
		if (!only.some((one) => what.toLowerCase().includes(one))) return;
		try {
			const found = await step(what, () => work({ editor, stage, picture }));
			problems.push(...found.map((problem) => `${what}: ${problem}`));
		} catch (error) {
			problems.push(`${what}: ${error instanceof Error ? error.message : String(error)}`);
			await editor.page.screenshot({ path: shots(`failed-${problems.length}`), type: 'jpeg' });
		}
	};
	editor.page.on('pageerror', ({ message }) => problems.push(`The page failed: ${message}`));

	await part('Diagnosing four accounts', (given) => diagnoseAccounts({ ...given, aside }));

	const panels = allPanels(stage.credentials);
	await part(`Opening ${panels.length} panels`, (given) => openAll(given, panels));
	const fresh = newPanels(stage.credentials);
	await part(`Opening ${fresh.length} panels of new nodes`, (given) => openAll(given, fresh));
	await part('Choosing a client and reading their leads', readClientLeads);
	await part('Running with a wrong key', useWrongKey);
	await part('Running the trigger by hand', runTrigger);
	await part('Editing a row of the content calendar', showCalendar);
	await part('Filming a comment on its way to the CRM', async (given) => {
		await filmComment({ ...given, aside, film: join(pictures, 'comment-to-crm.webp') });
		if (pictures !== aside) recordPicture('comment-to-crm.webp');
		return [];
	});
	await part('Opening the CRM', async () => {
		await editor.page.goto(stage.api.tablePage(stage.tables.own));
		await editor.page.getByText('@').filter({ visible: true }).first().waitFor();
		return [];
	});
	return problems;
}

/** Opens each, looks until nothing is wrong or a while has passed, and at its lists. */
async function openAll({ editor, stage }: Tour, panels: readonly Panel[]): Promise<string[]> {
	const { id } = await stage.api.createWorkflow(panelsWorkflow(panels));
	await editor.openWorkflow(id);
	/** Lists that look the same in every panel are opened once. */
	const opened = new Set<string>();
	const problems: string[] = [];
	for (const panel of panels) {
		await editor.openPanel(panel.name, panel);
		// The editor fetches what it needs for a kind of field when it first meets one.
		const wrong = await until(async () => judge(panel, await editor.look()), {
			isEnough: ({ length }) => length === 0,
			patienceMs: SETTLING_MS,
		});
		for (const list of panel.fresh?.lists ?? []) {
			const key = keyOf(panel, list);
			if (opened.has(key)) continue;
			opened.add(key);
			const { clipped, choices } = await editor.lookAtChoices(list);
			wrong.push(...clipped.map((text) => `cuts off, in the list "${list}": ${text}`));
			if (choices.length === 0) wrong.push(`offers nothing in the list "${list}"`);
		}
		problems.push(...wrong.map((problem) => `"${panel.name}" ${problem}`));
		await editor.closePanel();
	}
	return problems;
}

/** The operations differ from resource to resource, other lists from operation to operation. */
const keyOf = ({ node }: Panel, list: string): string => {
	const { resource, operation } = node.parameters;
	if (['resource', 'actAs', 'event', 'watch'].includes(list)) return `${node.type} ${list}`;
	return `${String(resource)} ${list === 'operation' ? '' : String(operation)} ${list}`;
};

function judge({ labels, notices, hasExpression, fresh }: Panel, seen: Seen): string[] {
	const allowed = hasExpression ? LEFTOVERS.filter((one) => one !== '[object Object]') : [];
	const { editors, marked } = fresh ?? seen;
	const found: ReadonlyArray<readonly [what: string, those: readonly string[]]> = [
		['does not show', without(labels, seen.labels)],
		['does not say:', notices.filter((notice) => !seen.text.includes(notice))],
		['does not let anyone reach', seen.unreachable],
		['cuts off', [...seen.cut, ...seen.clipped]],
		['shows', without(leftoversIn(seen.text), allowed)],
		['has an open editor for', without(seen.editors, editors)],
		['lacks an open editor for', without(editors, seen.editors)],
		['has a mark at', without(seen.marked, marked)],
		['lacks a mark at', without(marked, seen.marked)],
	];
	return found.flatMap(([what, those]) => those.map((one) => `${what} ${one}`));
}

const leftoversIn = (text: string) => LEFTOVERS.filter((leftover) => text.includes(leftover));

/** Two parameters may have the same label: then it has to be there twice. */
function without(those: readonly string[], others: readonly string[]): string[] {
	const left = [...others];
	return those.filter((one) => {
		const place = left.indexOf(one);
		return place < 0 || left.splice(place, 1).length === 0;
	});
}

async function openNode({ editor, stage }: Tour, workflow: Workflow, node: string) {
	const { id } = await stage.api.createWorkflow(workflow);
	await editor.openWorkflow(id);
	await editor.openPanel(node);
}

async function readClientLeads(given: Tour): Promise<string[]> {
	const { editor, stage, picture } = given;
	const { agency } = stage.credentials;
	const example = prepareExample('read-leads', { own: agency, agency });
	await openNode(given, { ...example, name: 'Leads of a client' }, READ_NODE);
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

async function useWrongKey(given: Tour): Promise<string[]> {
	const { editor, stage, picture } = given;
	const { baseUrl, world } = stage.service;
	const apiKey = world.keys.unknown;
	const own = await stage.api.createCredential('Wrong key', { baseUrl, apiKey });
	const example = prepareExample('read-leads', { own, agency: own });
	await openNode(given, { ...example, name: 'Wrong key' }, READ_NODE);
	await editor.runNode();
	await editor.output.getByTestId('node-error-message').waitFor();
	const text = await editor.output.innerText();
	await picture('error-wrong-key');
	return [
		...(text.includes('API key was not accepted') ? [] : [`the error reads: ${text}`]),
		...(text.includes(apiKey) ? ['the error shows the key'] : []),
		...leftoversIn(text).map((one) => `shows ${one}`),
	];
}

async function runTrigger(given: Tour): Promise<string[]> {
	const { editor, stage, picture } = given;
	// With the poll times of the example itself, which are those that a person sees.
	const { nodes: polling } = readExample('new-leads-to-crm');
	const example = prepareExample('new-leads-to-crm', stage.credentials);
	const nodes = example.nodes.map((node, place) => ({
		...node,
		parameters: polling[place]?.parameters ?? node.parameters,
	}));
	await openNode(given, { ...example, nodes, name: 'New leads, by hand' }, 'New Lead');
	await editor.runNode();
	await editor.output.getByText('profile_url').first().waitFor();
	await picture('trigger-panel');
	return [];
}
