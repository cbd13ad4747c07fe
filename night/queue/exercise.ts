// Leads in bursts, and a worker killed at work.

import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

import { isUnderWay } from '../../scripts/n8n/n8nApi';
import { step } from '../../scripts/n8n/progress';
import { inTime, until } from '../../scripts/n8n/waiting';
import { quiet } from '../waiting';
import type { Scene } from './scene';
import { crmRows } from '../../test/e2e/databaseServers';

const BURST = 60;

/** Gives the execution that the killed worker held. */
export async function exercise(scene: Scene): Promise<string> {
	const { workers } = scene;
	const { world } = scene.service;
	const burst = () => world.seedLeads(world.own, BURST, { from: Date.now(), everyMs: 0 });
	const everySeconds = async (seconds: number, times: number, act: () => void) => {
		for (let round = 0; round < times; round++) {
			act();
			await pause(seconds * 1_000);
		}
	};
	await step('Bringing in what is there, and some bursts', async () => {
		await complete(scene);
		await everySeconds(5, 6, burst);
	});
	const held = await step('Killing a worker while it holds an execution', async () => {
		burst();
		/** The first worker that has begun an execution and not ended it. */
		const { worker, execution } = await inTime('An execution in a worker', () => {
			const atWork = workers.map((worker) => {
				const finished = executionsIn(worker.logFile, 'finished');
				const begun = executionsIn(worker.logFile, 'started');
				return { worker, execution: begun.find((id) => !finished.includes(id)) ?? '' };
			});
			return atWork.find(({ execution }) => execution !== '');
		});
		await worker.kill();
		workers.splice(workers.indexOf(worker), 1);
		burst();
		return execution;
	});
	await step('More leads, with one worker left', () =>
		everySeconds(3, 4, () => {
			for (let lead = 0; lead < 5; lead++) world.addLead(world.own);
		}),
	);
	await step('Waiting until everything has come', () => complete(scene));
	await step('Waiting for unexpected deliveries', () => quiet(scene));
	return held;
}

async function complete({ postgres, service, api, workflow }: Scene): Promise<void> {
	await until(async () => {
		if ((await crmRows(postgres)).length >= service.world.own.leads.size) return true;
		// What n8n has given up does not come by itself any more.
		const executions = await api.executions({ workflowId: workflow.id });
		return !executions.some(isUnderWay) && executions.some(({ status }) => status !== 'success');
	});
}

/** Which executions a worker has begun or ended, as its log says it. */
export function executionsIn(logFile: string, what: 'started' | 'finished'): string[] {
	const pattern = new RegExp(`Worker ${what} execution (\\d+)`, 'g');
	return [...readFileSync(logFile, 'utf8').matchAll(pattern)].map(([, id = '']) => id);
}
