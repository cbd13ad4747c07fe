// What a diagnosis looks like in n8n: of a healthy account, and of three that something is wrong with.

import { join } from 'node:path';

import type { Stage } from '../../scripts/demo/stage';
import { differenceOf } from '../../fake-service/differences';
import type { Editor } from '../../scripts/n8n/editor';
import type { Workflow } from '../../scripts/n8n/n8nApi';
import { COLUMNS_OF_CHECK } from '../../test/diagnose/columns';
import { credentialOf, inARow, ours, start } from '../../test/e2e/workflows';

const NODE = 'Diagnose account';
/** As wide as the window of most people: what is cut off there is cut off for them. */
const WINDOW = { width: 1440, height: 900 };

interface Account {
	/** Of the picture. */
	readonly name: string;
	readonly whose: 'own' | 'agency';
	readonly planted: readonly string[];
	/** Begins the sentence of the summary. */
	readonly says: RegExp;
	/** Whether it is shown on a page. */
	readonly isShown?: boolean;
}

const ACCOUNTS: readonly Account[] = [
	{ name: 'diagnosis-healthy', whose: 'own', planted: [], says: /^No check found a problem/ },
	{
		name: 'diagnosis-refused-key',
		whose: 'own',
		planted: ['keyRevoked'],
		says: /^1 check needs your attention: URL and key/,
	},
	{
		name: 'diagnosis-incomplete',
		whose: 'own',
		planted: ['offsetIgnored', 'hasEmailIgnored'],
		says: /^2 checks need your attention: Complete lists and Filters/,
	},
	{
		name: 'diagnosis',
		whose: 'agency',
		planted: ['grantsEnded', 'activityFails', 'notesNotShown'],
		says: /^3 checks need your attention: Clients, Reads and Unique keys/,
		isShown: true,
	},
];

const workflowOf = (stage: Stage, { whose }: Account, output: string): Workflow =>
	inARow(NODE, [
		start,
		ours(NODE, credentialOf(stage.credentials, whose), {
			resource: 'account',
			operation: 'diagnose',
			output,
			show: 'needsAttention',
			options: { maxWaitSeconds: 5 },
		}),
	]);

interface Scene {
	readonly editor: Editor;
	readonly stage: Stage;
	/** Where pictures go that no page shows. */
	readonly aside: string;
	/** Takes a picture that a page shows. */
	readonly picture: (name: string) => Promise<void>;
}

/** Diagnoses each account, and gives what a person would stumble over, in words. */
export async function diagnoseAccounts(scene: Scene): Promise<string[]> {
	const { page } = scene.editor;
	const before = page.viewportSize();
	await page.setViewportSize(WINDOW);
	try {
		const problems: string[] = [];
		for (const account of ACCOUNTS) problems.push(...(await diagnose(scene, account)));
		return problems;
	} finally {
		if (before !== null) await page.setViewportSize(before);
	}
}

async function diagnose(scene: Scene, account: Account): Promise<string[]> {
	const { stage, editor } = scene;
	const removes = account.planted.map((name) => differenceOf(name)?.plant(stage.service));
	try {
		const columns = await open(scene, account, 'checks');
		const says = await editor.output.locator('tbody tr').first().innerText();
		await take(scene, account, account.name);
		const isSaid = says.split('\t').some((text) => account.says.test(text.trim()));
		if (account.isShown === true) {
			await open(scene, account, 'report');
			await take(scene, account, `${account.name}-report`);
		}
		return [
			...(columns.join() === COLUMNS_OF_CHECK.join() ? [] : [`shows columns ${columns.join()}`]),
			...(isSaid ? [] : [`${account.name} begins with: ${says}`]),
		];
	} finally {
		for (const remove of removes) remove?.();
	}
}

/** Runs the node and shows its output as a table; gives the names of its columns. */
async function open({ editor, stage }: Scene, account: Account, output: string): Promise<string[]> {
	const { id } = await stage.api.createWorkflow(workflowOf(stage, account, output));
	await editor.openWorkflow(id);
	await editor.openPanel(NODE);
	await editor.runNode();
	await editor.output
		.getByText(output === 'report' ? 'report' : 'check')
		.first()
		.waitFor();
	await editor.output.getByTestId('radio-button-table').click();
	await editor.widenOutput();
	const heads = editor.output.locator('th');
	await heads.first().waitFor();
	return (await heads.allInnerTexts()).map((text) => text.trim()).filter((text) => text !== '');
}

async function take({ editor, aside, picture }: Scene, account: Account, name: string) {
	await editor.tidy();
	await editor.page.screenshot({ path: join(aside, `${name}.png`) });
	if (account.isShown === true) await picture(name);
}
