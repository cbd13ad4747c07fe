// `npm run docs:panels`: takes the pictures of five panels anew, in n8n's light and dark theme.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

import { openBrowser, provideChromium } from '../n8n/chromium';
import { runCommand } from '../n8n/command';
import { Editor } from '../n8n/editor';
import { CREDENTIAL_NAMES } from '../n8n/examples';
import { ROOT } from '../n8n/folders';
import { openGallery, type Gallery } from '../n8n/gallery';
import { CREDENTIAL_TYPE, type JsonRecord, type Workflow, type WorkflowNode } from '../n8n/n8nApi';
import { step } from '../n8n/progress';

const PICTURES = join(ROOT, 'docs', 'images', 'panels');
const THEMES = ['light', 'dark'] as const;
const PACKAGE = 'n8n-nodes-leadgen-publishing';
const QUALITY = 80;
/** High enough for each of them. */
const ROOM = { width: 1280, height: 1060 };

type Kind = 'leadGenPublishing' | 'leadGenPublishingTrigger';

const chosen = (value: string, cachedResultName: string): JsonRecord => ({
	...{ __rl: true, mode: 'list', value, cachedResultName },
});

/** By the name of the picture; what a person has set, as n8n stores it. */
function panelsOf({ service: { world } }: Gallery): Record<string, [Kind, JsonRecord]> {
	const { clientA, own } = world;
	const post = own.posts.at(-1);
	return {
		'post-create': [
			'leadGenPublishing',
			{
				...{ resource: 'post', operation: 'create', status: 'scheduled' },
				text: 'Three things that we learned from 1,000 lead magnets',
				scheduledAt: '2030-01-31T09:30:00',
			},
		],
		'lead-get-many': [
			'leadGenPublishing',
			{
				...{ resource: 'lead', operation: 'getAll', actAs: 'client', returnAll: true },
				clientId: chosen(clientA.id, clientA.fullName),
				filters: { hasEmail: true },
			},
		],
		'lead-magnet-create': [
			'leadGenPublishing',
			{
				...{ resource: 'leadMagnet', operation: 'create', keyword: 'GUIDE' },
				resourceName: 'The onboarding guide',
				resourceLink: 'https://files.example.com/guide.pdf',
			},
		],
		'post-start-fast-response': [
			'leadGenPublishing',
			{
				...{ resource: 'post', operation: 'startFastResponse' },
				postId: chosen(post?.id ?? '', post?.text ?? ''),
			},
		],
		trigger: [
			'leadGenPublishingTrigger',
			{ event: 'newLead', watch: 'allClients', options: { afterRestart: 'redeliverLast' } },
		],
	};
}

function workflowOf(panels: ReturnType<typeof panelsOf>, credential: string): Workflow {
	const nodes = Object.entries(panels).map(([name, [kind, parameters]], place): WorkflowNode => ({
		...{ id: name, name, type: `${PACKAGE}.${kind}`, typeVersion: 1 },
		...{ position: [place * 240, 0], parameters },
		credentials: { [CREDENTIAL_TYPE]: { id: credential, name: CREDENTIAL_NAMES.agency } },
	}));
	return { name: 'Five panels', nodes, connections: {}, settings: { executionOrder: 'v1' } };
}

async function take(gallery: Gallery): Promise<void> {
	const browser = await openBrowser();
	try {
		const editor = await Editor.open(browser, gallery.n8n.url);
		const { page } = editor;
		await page.setViewportSize(ROOM);
		const panels = panelsOf(gallery);
		const { id } = await gallery.api.createWorkflow(workflowOf(panels, gallery.ids.agency));
		for (const theme of THEMES) {
			// n8n follows the system unless a person has chosen a theme.
			await page.emulateMedia({ colorScheme: theme });
			await editor.openWorkflow(id);
			for (const name of Object.keys(panels)) {
				await editor.openPanel(name);
				await editor.tidy();
				const path = join(PICTURES, `${name}-${theme}.jpg`);
				const panel = page.getByTestId('node-parameters');
				await panel.screenshot({ path, type: 'jpeg', quality: QUALITY });
				await editor.closePanel();
			}
		}
	} finally {
		await browser.close();
	}
}

runCommand(async () => {
	await provideChromium();
	const gallery = await openGallery();
	try {
		mkdirSync(PICTURES, { recursive: true });
		await step('Taking the pictures', () => take(gallery));
		return 0;
	} finally {
		await gallery.close();
	}
});
