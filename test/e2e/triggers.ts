// Several triggers in one n8n, each in a workflow of its own, and what they have delivered.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startService } from '../../fake-service';
import { DURABLE_CURSORS } from '../../scripts/n8n/launch';
import { installHost } from '../../scripts/n8n/host';
import type { JsonRecord, StoredWorkflow } from '../../scripts/n8n/n8nApi';
import type { CredentialIds } from '../../scripts/n8n/examples';
import { until } from '../../scripts/n8n/waiting';
import { storedAt } from './deliveries';
import { openGround, type Ground } from './ground';
import { credentialOf, inARow, ours } from './workflows';

const TRIGGER = 'Trigger';
const POLLS_UNTIL_SETTLED = 3;
/** n8n gives a workflow its trigger back up to 15 s after a start, if nothing else is said. */
const QUICK_PUBLICATION = {
	N8N_WORKFLOW_PUBLICATION_OUTBOX_POLL_INTERVAL_MS: '1000',
	N8N_WORKFLOW_PUBLICATION_RECONCILE_INTERVAL_SECONDS: '5',
};

/** How n8n keeps what a poll has stored. */
export const MODES = {
	'in memory': {},
	'with durable cursors': DURABLE_CURSORS,
} as const;
export type Mode = keyof typeof MODES;

/** An n8n and a service whose accounts have no records. */
export async function openEmptyGround(mode: Mode): Promise<Ground> {
	await installHost();
	const service = await startService({ control: false, sample: 'none' });
	const folder = mkdtempSync(join(tmpdir(), 'triggers-'));
	const env = { ...QUICK_PUBLICATION, ...MODES[mode] };
	try {
		return await openGround({ folder, service, env });
	} catch (error) {
		// Left open, it would keep the tests from ending.
		await service.close();
		throw error;
	}
}

export async function closeGround(ground: Ground | undefined): Promise<void> {
	await ground?.n8n.stop();
	await ground?.service.close();
	if (ground !== undefined) rmSync(ground.folder, { recursive: true, force: true });
}

/** Published, but its first polls may still be to come. */
export async function publishTrigger(
	{ api, ids }: Ground,
	{ name, key, parameters }: { name: string; key: keyof CredentialIds; parameters: JsonRecord },
): Promise<StoredWorkflow> {
	const trigger = ours(TRIGGER, credentialOf(ids, key), parameters);
	const workflow = await api.createWorkflow(inARow(name, [trigger]));
	await api.activate(workflow);
	await until(() => api.isPublished(workflow));
	return workflow;
}

/**
 * Until each trigger has polled a few times. Every poll asks for the first page of its lists once,
 * so with several triggers on a list, each has had its turns when so many requests have come.
 */
export async function settled(
	{ service: { requests } }: Ground,
	triggersOn: Readonly<Record<string, number>>,
): Promise<void> {
	const polled = (path: string) =>
		requests.filter((one) => one.path === path && one.query.offset === '0').length;
	const wanted = Object.entries(triggersOn).map(
		([path, triggers]) => [path, polled(path) + POLLS_UNTIL_SETTLED * triggers] as const,
	);
	await until(() => wanted.every(([path, count]) => polled(path) >= count));
}

export interface CameItem {
	readonly item: JsonRecord;
	/** When n8n stored the execution that it started. */
	readonly at: number;
}

/** The items of all executions that its polls have started, the oldest first. */
export async function cameTo({ api }: Ground, workflow: StoredWorkflow): Promise<CameItem[]> {
	const started = await api.executions({ workflowId: workflow.id });
	const came: CameItem[] = [];
	for (const execution of started.reverse()) {
		const { output } = await api.execution(execution.id);
		const at = storedAt(execution);
		came.push(...output(TRIGGER).map((item) => ({ item, at })));
	}
	return came;
}

/** What its failed polls have said. */
export async function errorsOf({ api }: Ground, { id }: StoredWorkflow): Promise<string[]> {
	const failed = await api.executions({ workflowId: id, status: ['error'] });
	return await Promise.all(failed.map(async (one) => (await api.execution(one.id)).problem));
}
