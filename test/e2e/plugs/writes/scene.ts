// A real n8n with the calendar, and the ways to run it again after a kill.

import { setTimeout as pause } from 'node:timers/promises';

import { CREDENTIAL_NAMES } from '../../../../scripts/n8n/examples';
import { launch, type RunningN8n } from '../../../../scripts/n8n/launch';
import { N8nApi, type StoredWorkflow, type Workflow } from '../../../../scripts/n8n/n8nApi';
import { installPackage, packPackage } from '../../../../scripts/n8n/package';
import { freePort } from '../../../../scripts/n8n/ports';
import { logIn } from '../../../../scripts/n8n/session';
import type { FakeService } from '../../../../fake-service';
import { startAgain } from '../startAgain';
import { WEBHOOK } from './calendar';

const PATIENCE_MS = 300_000;
const UNDER_WAY = ['new', 'running', 'waiting'];
/** Slow enough that a run is still going on when it is killed. */
const LATENCY_MS = 200;

/** What is run: with which key, and what the webhook is given. */
export interface Killed<Row> {
	apiKey: string;
	workflow: (credential: { id: string; name: string }) => Workflow;
	rows: Row[];
}

export interface Scene<Row = unknown> {
	service: FakeService;
	api: N8nApi;
	workflow: StoredWorkflow;
	rows: Row[];
	n8n: RunningN8n;
	failedStarts: number;
	restart(): Promise<void>;
}

export interface SetUp {
	folder: string;
	service: FakeService;
}

export async function setUp<Row>(
	{ folder, service }: SetUp,
	{ apiKey, workflow: made, rows }: Killed<Row>,
): Promise<Scene<Row>> {
	const { baseUrl, latency } = service;
	latency.path('/posts', LATENCY_MS);
	await installPackage(await packPackage(), folder);
	const port = await freePort();
	const start = () => launch({ userFolder: folder, port });
	const n8n = await start();
	const api = new N8nApi(n8n.url);
	await api.setUpOwner();
	const { own: name } = CREDENTIAL_NAMES;
	const id = await api.createCredential(name, { baseUrl, apiKey });
	const workflow = await api.createWorkflow(made({ id, name }));
	await api.activate(workflow);
	const scene: Scene<Row> = {
		...{ service, api, workflow, n8n, failedStarts: 0 },
		rows,
		restart: async () => {
			const { n8n: started, failed } = await startAgain(start);
			scene.n8n = started;
			scene.failedStarts += failed;
		},
	};
	return scene;
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
		const busy = executions.some(({ status }) => UNDER_WAY.includes(status));
		if (!busy || Date.now() > deadline) return executions[0]?.status ?? 'none';
		await pause(300);
	}
}
