// A real n8n with the example that brings new leads into the CRM, and a way to start it again.

import { runByHand } from '../../../scripts/demo/stage';
import {
	CREDENTIAL_NAMES,
	prepareExample,
	TABLES,
	type AfterRestart,
} from '../../../scripts/n8n/examples';
import { DURABLE_CURSORS, launch, type RunningN8n } from '../../../scripts/n8n/launch';
import { N8nApi, type StoredWorkflow } from '../../../scripts/n8n/n8nApi';
import { installPackage, packPackage } from '../../../scripts/n8n/package';
import { freePort } from '../../../scripts/n8n/ports';
import type { FakeService } from '../../../fake-service';
import { until } from '../quiet';
import { startAgain } from './startAgain';

const FIRST_LEADS = 30;
/**
 * n8n gives a workflow its trigger back up to 15 s after a start, and after 2 minutes if a kill came
 * while it did so. Left at that, most kills would hit an n8n that does not poll.
 */
const PROMPT = {
	N8N_WORKFLOW_PUBLICATION_OUTBOX_POLL_INTERVAL_MS: '1000',
	N8N_WORKFLOW_PUBLICATION_OUTBOX_LEASE_SECONDS: '20',
	N8N_WORKFLOW_PUBLICATION_RECONCILE_INTERVAL_SECONDS: '5',
};

export interface Scene {
	folder: string;
	service: FakeService;
	api: N8nApi;
	workflow: StoredWorkflow;
	table: string;
	n8n: RunningN8n;
	restart(): Promise<void>;
	/** How often n8n did not survive its own start. */
	failedStarts: number;
}

export interface SetUp {
	folder: string;
	service: FakeService;
	durable: boolean;
	afterRestart: AfterRestart;
}

export async function setUp({ folder, service, durable, afterRestart }: SetUp): Promise<Scene> {
	const { world, baseUrl } = service;
	world.seedLeads(world.own, FIRST_LEADS);
	await installPackage(await packPackage(), folder);
	const port = await freePort();
	const env = { ...PROMPT, ...(durable ? DURABLE_CURSORS : {}) };
	const start = () => launch({ userFolder: folder, port, env });
	const n8n = await start();
	const api = new N8nApi(n8n.url);
	await api.setUpOwner();
	const { own: name } = CREDENTIAL_NAMES;
	const credential = await api.createCredential(name, { baseUrl, apiKey: world.keys.own });
	const ids = { own: credential, agency: credential };
	await runByHand(api, await api.createWorkflow(prepareExample('create-crm-tables', ids)));
	const workflow = await api.createWorkflow(prepareExample('new-leads-to-crm', ids, afterRestart));
	await api.activate(workflow);
	const table = await api.tableId(TABLES.own);
	const scene: Scene = {
		folder,
		service,
		api,
		workflow,
		table,
		n8n,
		failedStarts: 0,
		restart: async () => {
			const { n8n: started, failed } = await startAgain(start);
			scene.n8n = started;
			scene.failedStarts += failed;
		},
	};
	// Nothing is promised before the first scan has been kept.
	await until(async () => (await api.countRows(table)) >= world.own.leads.size);
	return scene;
}
