// Leads in bursts, and a worker killed at work.

import { setTimeout as pause } from 'node:timers/promises';

import { step } from '../../../scripts/n8n/progress';
import { quiet, until } from '../quiet';
import { CRM, type Scene } from './scene';
import { atWork } from './workerLogs';

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
