// A real n8n with the trigger on all clients of an agency, and a workflow that reads and writes every
// few seconds; both run until the end.

import { setTimeout as pause } from 'node:timers/promises';

import { runByHand } from '../../../scripts/demo/stage';
import { CREDENTIAL_NAMES, prepareExample, TABLES } from '../../../scripts/n8n/examples';
import { launch, type RunningN8n } from '../../../scripts/n8n/launch';
import { N8nApi, type StoredWorkflow } from '../../../scripts/n8n/n8nApi';
import { installPackage, packPackage } from '../../../scripts/n8n/package';
import { freePort } from '../../../scripts/n8n/ports';
import type { Account, FakeService } from '../../../fake-service';
import { openDatabase } from '../database';
import { startAgain } from '../plugs/startAgain';
import { until } from '../quiet';
import { Inspector } from './inspector';
import { readsAndWrites } from './workflow';

const SETTLING_MS = 10_000;
const MAX_STARTS = 4;

export interface Scene {
	service: FakeService;
	clients: Account[];
	api: N8nApi;
	/** The trigger's. */
	workflow: StoredWorkflow;
	/** The one that reads and writes. */
	other: StoredWorkflow;
	table: string;
	inspector: Inspector;
	/** Of all clients together. */
	leads(): number;
	/** Characters that n8n stores for the trigger. */
	stateSize(): number;
	/** `kill`: without warning; `stop`: as an update does it. */
	restart(how: 'kill' | 'stop'): Promise<void>;
	end(): Promise<void>;
}

interface SetUp {
	folder: string;
	service: FakeService;
	clients: number;
	leadsEach: number;
}

export async function setUp({ folder, service, clients, leadsEach }: SetUp): Promise<Scene> {
	const { world, baseUrl } = service;
	for (let place = 1; place <= clients; place++) {
		const client = world.addClient(world.agency, `Client ${place}`);
		world.seedLeads(client, leadsEach);
	}
	world.seedLeads(world.agency, leadsEach);
	await installPackage(await packPackage(), folder);
	const [port, inspectorPort] = [await freePort(), await freePort()];
	const env = { NODE_OPTIONS: `--inspect=127.0.0.1:${inspectorPort}` };
	const start = () => launch({ userFolder: folder, port, env });
	let n8n: RunningN8n = await start();
	const api = new N8nApi(n8n.url);
	await api.setUpOwner();
	const key = { baseUrl, apiKey: world.keys.agency };
	const credential = await api.createCredential(CREDENTIAL_NAMES.agency, key);
	const ids = { own: credential, agency: credential };
	await runByHand(api, await api.createWorkflow(prepareExample('create-crm-tables', ids)));
	const workflow = await api.createWorkflow(prepareExample('all-clients-new-leads', ids));
	const other = await api.createWorkflow(readsAndWrites(credential));
	await api.activate(workflow);
	await api.activate(other);
	const scene: Scene = {
		service,
		clients: world.agency.grants
			.toArray()
			.filter(({ status }) => status === 'active')
			.map(({ client }) => world.account(client)),
		api,
		workflow,
		other,
		table: await api.tableId(TABLES.clients),
		inspector: await Inspector.attach(inspectorPort),
		leads: () => scene.clients.reduce((sum, client) => sum + client.leads.size, 0),
		stateSize: () => stateSizeIn(folder, workflow),
		restart: async (how) => {
			scene.inspector.detach();
			await n8n[how]();
			n8n = await startForGood(start);
			await api.logIn();
			scene.inspector = await Inspector.attach(inspectorPort);
		},
		end: async () => {
			scene.inspector.detach();
			await n8n.stop();
		},
	};
	// Nothing is promised before the first scan has been kept.
	await until(async () => (await api.countRows(scene.table)) >= scene.leads());
	return scene;
}

/** n8n's recovery of executions that a crash cut short can also end n8n when it answers already. */
async function startForGood(start: () => Promise<RunningN8n>): Promise<RunningN8n> {
	for (let starts = 1; ; starts++) {
		const { n8n } = await startAgain(start);
		const ended = n8n.ended.then(() => true);
		if (!(await Promise.race([ended, pause(SETTLING_MS, false)]))) return n8n;
		if (starts === MAX_STARTS) throw new Error('n8n ends itself after each start');
	}
}

function stateSizeIn(folder: string, { id }: StoredWorkflow): number {
	const database = openDatabase(folder);
	try {
		const select = database.prepare('SELECT staticData FROM workflow_entity WHERE id = ?');
		const state = select.get(id)?.staticData;
		return typeof state === 'string' ? state.length : 0;
	} finally {
		database.close();
	}
}
