// A real n8n with the trigger on all clients of an agency, and a workflow that reads and writes every
// few seconds; both run until the end.

import type { Account } from '../../fake-service';
import { runByHand } from '../../scripts/demo/furnishN8n';
import { prepareExample, TABLES } from '../../scripts/n8n/examples';
import type { JsonRecord, StoredWorkflow, Workflow } from '../../scripts/n8n/n8nApi';
import { freePort } from '../../scripts/n8n/ports';
import { until } from '../../scripts/n8n/waiting';
import { openDatabase, openGround, type Ground } from '../../test/e2e/ground';
import type { Place } from '../program';
import { credentialOf, inARow, node, ours } from '../../test/e2e/workflows';
import { inspect, type Inspector } from './inspector';

const SETTLING_MS = 10_000;

export interface Scene extends Ground {
	clients: Account[];
	/** The trigger's. */
	workflow: StoredWorkflow;
	table: string;
	inspector: Inspector;
	/** Of all clients together. */
	leads(): number;
	/** `kill`: without warning; `stop`: as an update does it. */
	startAgainAfter(how: 'kill' | 'stop'): Promise<void>;
}

export async function setUp(
	{ folder, service }: Place,
	{ clients: count, leadsEach }: { clients: number; leadsEach: number },
): Promise<Scene> {
	const { world } = service;
	for (let place = 1; place <= count; place++)
		world.seedLeads(world.addClient(world.agency, `Client ${place}`), leadsEach);
	world.seedLeads(world.agency, leadsEach);
	const port = await freePort();
	const env = { NODE_OPTIONS: `--inspect=127.0.0.1:${port}` };
	const ground = await openGround({ folder, service, env, settlingMs: SETTLING_MS });
	const { api, ids } = ground;
	await runByHand(api, await api.createWorkflow(prepareExample('create-crm-tables', ids)));
	const workflow = await api.createWorkflow(prepareExample('all-clients-new-leads', ids));
	const other = await api.createWorkflow(readsAndWrites(credentialOf(ids, 'agency')));
	for (const one of [workflow, other]) await api.activate(one);
	const clients = world.agency.grants
		.toArray()
		.filter(({ status }) => status === 'active')
		.map(({ client }) => world.account(client));
	const scene: Scene = Object.assign(ground, {
		...{ clients, workflow, table: await api.tableId(TABLES.clients) },
		inspector: await inspect(port),
		leads: () => clients.reduce((sum, { leads }) => sum + leads.size, 0),
		startAgainAfter: async (how: 'kill' | 'stop') => {
			scene.inspector.detach();
			await scene.n8n[how]();
			await scene.restart();
			scene.inspector = await inspect(port);
		},
	});
	await allHere(scene);
	return scene;
}

/** Every lead has a row, or it takes too long. Nothing is promised before the first scan has been kept. */
export const allHere = async ({ api, table, leads }: Scene): Promise<unknown> =>
	await until(async () => (await api.countRows(table)) >= leads());

/** Characters that n8n stores for the trigger. */
export function stateSize({ folder, workflow }: Scene): number {
	const database = openDatabase(folder);
	try {
		const select = database.prepare('SELECT staticData FROM workflow_entity WHERE id = ?');
		const state = select.get(workflow.id)?.staticData;
		return typeof state === 'string' ? state.length : 0;
	} finally {
		database.close();
	}
}

/** Reads whole lists, and creates and deletes a post, every ten seconds; no node stops the others. */
function readsAndWrites(credential: Parameters<typeof ours>[1]): Workflow {
	const rule = { interval: [{ field: 'seconds', secondsInterval: 10 }] };
	const goingOn = { alwaysOutputData: true, executeOnce: true, onError: 'continueRegularOutput' };
	const step = (name: string, parameters: JsonRecord) =>
		ours(name, credential, parameters, goingOn);
	const nodes = [
		node('Every Ten Seconds', ['scheduleTrigger', 1.2], { rule }),
		step('Read Leads', { resource: 'lead', operation: 'getAll', returnAll: true }),
		step('Read Clients', { resource: 'client', operation: 'getAll', returnAll: true }),
		step('Create Post', {
			...{ resource: 'post', operation: 'create', status: 'draft', text: 'A draft' },
			options: { uniqueKey: '={{ "soak " + $execution.id }}' },
		}),
		step('Delete Post', {
			...{ resource: 'post', operation: 'delete' },
			postId: { __rl: true, mode: 'id', value: '={{ $json.id }}' },
		}),
	];
	return inARow('Read and write every ten seconds', nodes, { saveDataSuccessExecution: 'none' });
}
