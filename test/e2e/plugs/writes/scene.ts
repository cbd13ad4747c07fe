// A real n8n with a calendar, and the ways to run it again after a kill.

import { setTimeout as pause } from 'node:timers/promises';

import type { CredentialIds } from '../../../../scripts/n8n/examples';
import type { StoredWorkflow, Workflow } from '../../../../scripts/n8n/n8nApi';
import { logIn } from '../../../../scripts/n8n/session';
import { openGround, type Ground } from '../../ground';
import type { Place } from '../../program';
import { isUnderWay } from '../../waiting';
import { WEBHOOK } from './calendar';

const PATIENCE_MS = 300_000;
const MAX_RETRIES = 5;

export interface Scene extends Ground {
	workflow: StoredWorkflow;
	/** What the webhook is given. */
	rows: readonly unknown[];
}

export async function setUp(
	{ folder, service }: Place,
	made: {
		workflow: (ids: CredentialIds) => Workflow;
		rows: readonly unknown[];
		/** Slow enough that a run is still going on when it is killed. */
		latencyMs: number;
	},
): Promise<Scene> {
	service.latency.global = made.latencyMs;
	const ground = await openGround({ folder, service });
	const workflow = await ground.api.createWorkflow(made.workflow(ground.ids));
	await ground.api.activate(workflow);
	return Object.assign(ground, { workflow, rows: made.rows });
}

/** Starts the workflow by its webhook, which answers at once. */
export async function runAnew({ n8n, rows }: Scene): Promise<void> {
	const deadline = Date.now() + PATIENCE_MS;
	for (;;) {
		const response = await fetch(`${n8n.url}/webhook/${WEBHOOK}`, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify({ rows }),
		});
		if (response.ok) return;
		// After a start, n8n knows the webhook only after a while.
		if (response.status !== 404 || Date.now() > deadline)
			throw new Error(`the webhook answered ${response.status}`);
		await pause(200);
	}
}

/**
 * n8n's Retry of the newest execution, if that was cut short. It answers when the execution has ended,
 * which a kill may prevent, so it is not awaited.
 */
export async function retryNewest({ api, workflow, n8n }: Scene): Promise<boolean> {
	const [newest] = await api.executions({ workflowId: workflow.id });
	if (newest === undefined || !['crashed', 'error'].includes(newest.status)) return false;
	const { retry } = await logIn(n8n.url);
	void retry(newest.id).catch(() => undefined);
	return true;
}

/** Until no execution is under way; gives the status of the newest. */
export async function ended({ api, workflow }: Scene): Promise<string> {
	const deadline = Date.now() + PATIENCE_MS;
	for (;;) {
		const executions = await api.executions({ workflowId: workflow.id });
		if (!executions.some(isUnderWay) || Date.now() > deadline)
			return executions[0]?.status ?? 'none';
		await pause(300);
	}
}

/** Retries it until it has succeeded, or so often that it will not. */
export async function runToEnd(scene: Scene): Promise<string> {
	let status = await ended(scene);
	for (let tries = 0; tries < MAX_RETRIES && status !== 'success'; tries++) {
		if (await retryNewest(scene)) await anotherOne(scene);
		else await runAnew(scene);
		status = await ended(scene);
	}
	return status;
}

/** n8n's Retry is not awaited, so its execution may not be stored yet. */
async function anotherOne({ api, workflow }: Scene): Promise<void> {
	const filter = { workflowId: workflow.id };
	const { length } = await api.executions(filter);
	const deadline = Date.now() + 10_000;
	while ((await api.executions(filter)).length === length && Date.now() < deadline);
}
