// The five chapters of the video, in which a person sees what they will see in their own n8n.

import { CREDENTIAL_NAMES } from '../../scripts/n8n/examples';
import { inTime } from '../../scripts/n8n/waiting';
import { fieldOf, openNode, ownCredential, runUntil, type, type Scene } from './scene';

const TRIGGER_NODE = 'Lead Gen & Publishing Trigger';
const PUBLISHED_MS = 180_000;

/** A credential is made and tested, first with a key that the service does not know. */
export async function makeCredential(scene: Scene): Promise<void> {
	const { editor, recorder, service } = scene;
	const { page } = editor;
	recorder.beginChapter('1  Credential');
	await recorder.leaveOut(() => editor.newWorkflow());
	recorder.say('A new workflow. Search for the node by its name.');
	await page.getByTestId('canvas-add-button').click();
	await page.getByTestId('node-creator-search-bar').waitFor();
	await page.keyboard.type('lead gen', { delay: 60 });
	const found = page.getByTestId('node-creator-action-item').first();
	await found.waitFor();
	await recorder.stay(1.5);
	await found.click();
	const event = page.getByText('On new lead', { exact: true });
	await event.waitFor();
	recorder.say('The package has five trigger events and 30 actions. Choose "On new lead".');
	await recorder.stay(2);
	await event.click();
	await page.getByTestId('node-parameters').waitFor();
	recorder.say('The node asks for a credential. Enter the URL and the key from the service.');
	await page.getByTestId('node-credentials-empty-state').locator('button').click();
	await fieldOf(scene, 'baseUrl').waitFor();
	await type(fieldOf(scene, 'baseUrl'), service.baseUrl);
	// A key is pasted, not typed.
	await fieldOf(scene, 'apiKey').fill(service.world.keys.unknown);
	// The editor takes over what is typed a moment later.
	await recorder.stay(1.5);
	const save = page.getByTestId('credential-save-button');
	await save.click();
	const details = page.getByText('More details', { exact: true });
	await recorder.leaveOut(() => details.waitFor());
	await details.click();
	await page.getByText('API key was not accepted').first().waitFor();
	await editor.tidy();
	recorder.say('n8n tests the credential. This key is wrong, and the message says what to check.');
	await recorder.stay(4);
	recorder.say('With the right key, the test passes.');
	await fieldOf(scene, 'apiKey').fill(service.world.keys.own);
	await recorder.stay(0.5);
	await save.click();
	const dialog = page.getByTestId('editCredential-modal');
	await recorder.leaveOut(() => dialog.waitFor({ state: 'hidden' }));
	await recorder.stay(2.5);
	await editor.tidy();
}

/** The trigger shows what it delivers, is published, and a lead arrives. */
export async function receiveLead(scene: Scene): Promise<void> {
	const { editor, recorder, service, api } = scene;
	const { page } = editor;
	recorder.beginChapter('2  Trigger');
	recorder.say('"Trigger On" offers the five events. Keep "New Lead", and poll every minute.');
	await page.getByTestId('parameter-input-event').click();
	await page.locator('.el-select-dropdown__item:visible').first().waitFor();
	await recorder.stay(3);
	await page
		.locator('.el-select-dropdown__item:visible')
		.filter({ has: page.getByText('New Lead', { exact: true }) })
		.click();
	recorder.say('"Fetch Test Event" shows your newest leads as the workflow will receive them.');
	await runUntil(scene, 'profile_url');
	await editor.widenOutput();
	await recorder.stay(4);
	await editor.closePanel();
	recorder.say('Publish the workflow. Leads that already exist do not start it. New ones do.');
	await page.getByTestId('workflow-open-publish-modal-button').click();
	await page.getByTestId('workflow-publish-button').waitFor();
	await recorder.stay(1);
	await page.getByTestId('workflow-publish-button').click();
	await recorder.leaveOut(async () => {
		const indicator = page.getByTestId('workflow-active-version-indicator');
		await indicator.waitFor({ timeout: PUBLISHED_MS });
	});
	await recorder.stay(1.5);
	const address = page.url();
	const id = editor.openWorkflowId();
	recorder.say('Someone comments the keyword on a post. (A fake service plays the real one here.)');
	await recorder.leaveOut(() => page.goto(service.controlUrl ?? ''));
	await page.locator('#comment').waitFor();
	await page.locator('#comment').click();
	await page.getByText('became a lead').first().waitFor();
	await recorder.stay(2.5);
	recorder.say(
		'The next poll finds the lead and starts the workflow: an execution for each batch.',
	);
	await recorder.leaveOut(async () => {
		await inTime('The execution for the new lead', async () =>
			(await api.executions({ workflowId: id, status: ['success'] })).some(
				({ mode }) => mode === 'trigger',
			),
		);
		await page.goto(`${address.replace(/\?.*/, '')}/executions`);
		await page.getByTestId('canvas-node').first().waitFor();
		const close = page.getByTestId('suggested-actions-close');
		await close.click({ timeout: 4_000 }).catch(() => undefined);
	});
	await recorder.stay(2);
	await page.locator(`[data-test-id="canvas-node"][data-node-name="${TRIGGER_NODE}"]`).dblclick();
	await editor.output.getByText('latest_keyword').first().waitFor();
	recorder.say('This is the new lead. Add the node of your CRM to store it.');
	await recorder.stay(4);
}

/** A post is made as a draft. */
export async function createPost(scene: Scene): Promise<void> {
	const { editor, recorder, api } = scene;
	recorder.beginChapter('3  Action');
	recorder.say('The action node has every endpoint of the service. Here it creates a post.');
	await openNode(scene, {
		name: 'Create a post',
		parameters: { resource: 'post', operation: 'create', actAs: 'own' },
		credential: await ownCredential(api),
		byHand: true,
	});
	await recorder.stay(2);
	await type(
		fieldOf(scene, 'text'),
		'Three lessons from 100 launches. Comment GUIDE to get all of them.',
	);
	// n8n takes over what was typed once the field is left.
	await fieldOf(scene, 'text').blur();
	recorder.say('A new post is a draft unless you choose another status. Run the node.');
	await recorder.stay(1);
	await runUntil(scene, 'draft');
	await editor.widenOutput();
	await recorder.stay(4);
}

/** A time in the past is rejected before anything is sent, and the error says what to change. */
export async function correctMistake(scene: Scene): Promise<void> {
	const { editor, recorder } = scene;
	const { page } = editor;
	recorder.beginChapter('4  Error');
	recorder.say('What if something is wrong? This post is to be scheduled for a time in the past.');
	await openNode(scene, {
		name: 'Schedule a post',
		parameters: {
			...{ resource: 'post', operation: 'create', actAs: 'own', status: 'scheduled' },
			...{ text: 'Doors open on Monday.', scheduledAt: '2020-01-31T09:00:00Z' },
		},
		credential: await ownCredential(scene.api),
		byHand: true,
	});
	await recorder.stay(2);
	await editor.runNode();
	const message = editor.output.getByTestId('node-error-message');
	await recorder.leaveOut(() => message.waitFor());
	await editor.tidy();
	recorder.say(
		'The error names the parameter and says what to do. Nothing was sent to the service.',
	);
	await recorder.stay(5);
	recorder.say('Correct the time and run the node again: the post is scheduled.');
	const time = fieldOf(scene, 'scheduledAt');
	await time.fill('');
	await type(time, '2040-01-31T09:00:00Z');
	await page.keyboard.press('Enter');
	await recorder.stay(1);
	await runUntil(scene, 'scheduled_at');
	await editor.widenOutput();
	await recorder.stay(3);
}

/** An agency works for one of its clients, and watches all of them. */
export async function workForClients(scene: Scene): Promise<void> {
	const { editor, recorder, api, service } = scene;
	const { baseUrl, world } = service;
	recorder.beginChapter('5  Agency');
	recorder.say(
		'With the key of an agency, the same nodes work for clients. Set "Act As" to "Client".',
	);
	const name = CREDENTIAL_NAMES.agency;
	const id = await api.createCredential(name, { baseUrl, apiKey: world.keys.agency });
	await openNode(scene, {
		name: 'Get leads of a client',
		parameters: { resource: 'lead', operation: 'getAll', actAs: 'own', returnAll: false, limit: 5 },
		credential: { id, name },
		byHand: true,
	});
	await editor.choose('actAs', 'Client');
	recorder.say('The list holds the clients that have given the agency a grant. Search for one.');
	const clients = await editor.openList('clientId');
	await recorder.stay(2);
	await editor.searchList('marlowe');
	await clients.filter({ hasNotText: 'Ada Marlowe' }).first().waitFor({ state: 'hidden' });
	await clients.first().waitFor();
	await recorder.stay(2);
	await clients.first().click();
	recorder.say('Run the node. These are the leads of this client.');
	await runUntil(scene, 'profile_url');
	await editor.widenOutput();
	await recorder.stay(3);
	recorder.say('Each item names the client it belongs to.');
	await editor.output.getByText('client_id').first().scrollIntoViewIfNeeded();
	await recorder.stay(3);
	recorder.say('One trigger watches all clients. A new client is included automatically.');
	await openNode(scene, {
		name: 'New leads of all clients',
		parameters: { event: 'newLead', watch: 'own' },
		credential: { id, name },
		byHand: false,
	});
	await editor.choose('watch', 'All Clients');
	await runUntil(scene, 'profile_url');
	await editor.widenOutput();
	await recorder.stay(5);
}
