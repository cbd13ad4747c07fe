// Leads in bursts, and a worker killed at work.

import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';

import type { RunningN8n } from '../../../scripts/n8n/launch';
import { step } from '../../../scripts/n8n/progress';
import { quiet, until } from '../waiting';
import { CRM, type Scene } from './scene';

const BURST = 60;

/** Gives the execution that the killed worker held. */
export async function exercise(scene: Scene): Promise<string> {
	const { workers } = scene;
	const { world } = scene.service;
	const burst = () => world.seedLeads(world.own, BURST, { from: Date.now(), everyMs: 0 });
	await step('Bringing in what is there, and some bursts', async () => {
		await complete(scene);
		for (let round = 0; round < 6; round++) {
			burst();
			await pause(5_000);
		}
	});
	const held = await step('Killing a worker while it holds an execution', async () => {
		burst();
		const { worker, execution } = await atWork(workers);
		await worker.kill();
		workers.splice(workers.indexOf(worker), 1);
		burst();
		return execution;
	});
	await step('More leads, with one worker left', async () => {
		for (let round = 0; round < 4; round++) {
			for (let lead = 0; lead < 5; lead++) world.addLead(world.own);
			await pause(3_000);
		}
	});
	await step('Waiting until everything has come', () => complete(scene));
	await step('Waiting for anything that should not come', () => quiet(scene));
	return held;
}

async function complete({ postgres, service, api, workflow }: Scene): Promise<void> {
	await until(async () => {
		const [count] = await postgres.ask(CRM, 'select count(*) from leads');
		if (Number(count) >= service.world.own.leads.size) return true;
		// What n8n has given up does not come by itself any more.
		const executions = await api.executions({ workflowId: workflow.id });
		const open = executions.some(({ status }) => !['success', 'crashed', 'error'].includes(status));
		return !open && executions.some(({ status }) => status !== 'success');
	});
}

/** Which executions a worker has begun or ended, as its log says it. */
export async function executionsIn(
	logFile: string,
	what: 'started' | 'finished',
): Promise<string[]> {
	const log = await readFile(logFile, 'utf8');
	const pattern = new RegExp(`Worker ${what} execution (\\d+)`, 'g');
	return [...log.matchAll(pattern)].map(([, id]) => id ?? '');
}

/** The first worker that has begun an execution and not ended it. */
async function atWork(
	workers: readonly RunningN8n[],
): Promise<{ worker: RunningN8n; execution: string }> {
	const deadline = Date.now() + 180_000;
	for (;;) {
		for (const worker of workers) {
			const finished = new Set(await executionsIn(worker.logFile, 'finished'));
			const begun = await executionsIn(worker.logFile, 'started');
			const execution = begun.find((id) => !finished.has(id));
			if (execution !== undefined) return { worker, execution };
		}
		if (Date.now() > deadline) throw new Error('no worker has begun an execution');
		await pause(50);
	}
}
