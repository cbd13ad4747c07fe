// A real n8n with a calendar, and the ways to run it again after a kill.

import type { CredentialIds } from '../../../scripts/n8n/examples';
import { isUnderWay, type Execution } from '../../../scripts/n8n/n8nApi';
import type { StoredWorkflow, Workflow } from '../../../scripts/n8n/n8nApi';
import { logIn } from '../../../scripts/n8n/session';
import { inTime, until } from '../../../scripts/n8n/waiting';
import { openGround, type Ground } from '../../../test/e2e/ground';
import type { Place } from '../../program';
import { WEBHOOK } from './calendar';

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
	const init = {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({ rows }),
	};
	await inTime('The webhook', async () => {
		const { ok, status } = await fetch(`${n8n.url}/webhook/${WEBHOOK}`, init);
		// After a start, n8n knows the webhook only after a while.
		if (ok || status === 404) return ok;
		throw new Error(`the webhook answered ${status}`);
	});
}

const executionsOf = ({ api, workflow }: Scene): Promise<Execution[]> =>
	api.executions({ workflowId: workflow.id });

/**
 * n8n's Retry of the newest execution, if that was cut short. It answers when the execution has ended,
 * which a kill may prevent, so it is not awaited.
 */
export async function retryNewest(scene: Scene): Promise<boolean> {
	const [newest] = await executionsOf(scene);
	if (newest === undefined || !['crashed', 'error'].includes(newest.status)) return false;
	const { retry } = await logIn(scene.n8n.url);
	void retry(newest.id).catch(() => undefined);
	return true;
}

/** Until no execution is under way; gives the status of the newest. */
export async function ended(scene: Scene): Promise<string> {
	const [newest] = await until(() => executionsOf(scene), {
		isEnough: (executions) => !executions.some(isUnderWay),
	});
	return newest?.status ?? 'none';
}

/** Retries it until it has succeeded, or so often that it will not. */
export async function runToEnd(scene: Scene): Promise<string> {
	let status = await ended(scene);
	for (let tries = 0; tries < MAX_RETRIES && status !== 'success'; tries++) {
		const { length } = await executionsOf(scene);
		if (!(await retryNewest(scene))) await runAnew(scene);
		// Retry is not awaited, so its execution may not be stored yet.
		await until(async () => (await executionsOf(scene)).length > length, { patienceMs: 10_000 });
		status = await ended(scene);
	}
	return status;
}
