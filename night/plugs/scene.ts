// A real n8n with the example that brings new leads into the CRM.

import { runByHand } from '../../scripts/demo/furnishN8n';
import { prepareExample, TABLES, type AfterRestart } from '../../scripts/n8n/examples';
import { DURABLE_CURSORS } from '../../scripts/n8n/launch';
import type { StoredWorkflow } from '../../scripts/n8n/n8nApi';
import { until } from '../../scripts/n8n/waiting';
import { openGround, type Ground } from '../../test/e2e/ground';
import type { Place } from '../program';

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

export interface Scene extends Ground {
	workflow: StoredWorkflow;
	table: string;
}

export async function setUp(
	{ folder, service }: Place,
	{ durable, afterRestart }: { durable: boolean; afterRestart: AfterRestart },
): Promise<Scene> {
	const { world } = service;
	world.seedLeads(world.own, FIRST_LEADS);
	const env = { ...PROMPT, ...(durable ? DURABLE_CURSORS : {}) };
	const ground = await openGround({ folder, service, env });
	const { api, ids } = ground;
	await runByHand(api, await api.createWorkflow(prepareExample('create-crm-tables', ids)));
	const workflow = await api.createWorkflow(prepareExample('new-leads-to-crm', ids, afterRestart));
	await api.activate(workflow);
	const table = await api.tableId(TABLES.own);
	// Nothing is promised before the first scan has been kept.
	await until(async () => (await api.countRows(table)) >= world.own.leads.size);
	return Object.assign(ground, { workflow, table });
}
