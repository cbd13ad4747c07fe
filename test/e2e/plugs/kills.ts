// When the plug is pulled: half of the times at any moment, half shortly after a poll has read.

import { setTimeout as pause } from 'node:timers/promises';

import { step } from '../../../scripts/n8n/progress';
import type { FakeService } from '../../../fake-service';
import { storedAt } from '../deliveries';
import { killInGap } from './gap';
import { delays, median, pollsIn } from './polls';
import type { Scene } from './scene';

/** Any moment within this time after n8n is up. */
const ANY_MS = 9_000;
/**
 * After the last request of a poll: around the time that n8n has needed until now to store what a poll
 * gave, and rather before it, since that is where the state and the execution can part.
 */
const OF_THE_USUAL = { least: 0.3, most: 1.2 };
const USUAL_MS = 150;
const DOWN_MS = 2_500;
const LEAD_MS = { least: 150, most: 1_400 };

export interface Kill {
	at: number;
	/** Milliseconds after the last request of a poll, if that was the plan. */
	afterPoll?: number;
	/** Whether it came after the state was stored and before its execution was, if that was the plan. */
	inGap?: boolean;
}

/** A kill that is aimed at the gap misses it now and then. */
const TRIES_PER_GAP = 6;

/** Until so many kills have hit the gap between the state and the execution. */
export async function pullPlugsInGap(
	scene: Scene,
	gaps: number,
	chance: () => number,
): Promise<Kill[]> {
	const stopLeads = keepLeadsComing(scene.service, chance);
	const killed: Kill[] = [];
	const hits = () => killed.filter(({ inGap }) => inGap).length;
	try {
		await step(`Pulling the plug until it has hit the gap ${gaps} times`, async (note) => {
			while (hits() < gaps && killed.length < gaps * TRIES_PER_GAP) {
				const inGap = await killInGap(scene);
				killed.push({ at: Date.now(), inGap });
				await pause(chance() * DOWN_MS);
				await scene.restart();
				note(`${hits()} of ${killed.length} kills, ${scene.service.world.own.leads.size} leads`);
			}
		});
	} finally {
		stopLeads();
	}
	return killed;
}

export async function pullPlugs(
	scene: Scene,
	times: number,
	chance: () => number,
): Promise<Kill[]> {
	const { service } = scene;
	const stopLeads = keepLeadsComing(service, chance);
	const killed: Kill[] = [];
	try {
		await step(`Pulling the plug ${times} times`, async (note) => {
			for (let kill = 0; kill < times; kill++) {
				const any = kill % 2 === 0;
				const afterPoll = any
					? undefined
					: (await usualDelay(scene)) * between(OF_THE_USUAL, chance());
				if (afterPoll === undefined) await pause(chance() * ANY_MS);
				else await restAfterPoll(service, afterPoll);
				killed.push({ at: Date.now(), afterPoll });
				await scene.n8n.kill();
				await pause(chance() * DOWN_MS);
				await scene.restart();
				note(`${kill + 1} kills, ${service.world.own.leads.size} leads`);
			}
		});
	} finally {
		stopLeads();
	}
	return killed;
}

const between = ({ least, most }: { least: number; most: number }, part: number): number =>
	least + part * (most - least);

async function usualDelay({ api, workflow, service }: Scene): Promise<number> {
	const executions = await api.executions({ workflowId: workflow.id });
	return median(delays(pollsIn(service.requests, []), executions.map(storedAt))) ?? USUAL_MS;
}

function keepLeadsComing({ world }: FakeService, chance: () => number): () => void {
	let timer: NodeJS.Timeout;
	const next = () => {
		timer = setTimeout(
			() => {
				world.addLead(world.own);
				next();
			},
			between(LEAD_MS, chance()),
		);
	};
	next();
	return () => clearTimeout(timer);
}

/** Until the service has had nothing to do for so long, after a poll that begins from now on. */
async function restAfterPoll({ requests }: FakeService, restMs: number): Promise<void> {
	const before = requests.length;
	const deadline = Date.now() + 90_000;
	while (Date.now() < deadline) {
		const last = requests.length > before ? requests.at(-1) : undefined;
		const answered = last?.endedAt ?? Infinity;
		if (Date.now() - answered >= restMs) return;
		await pause(1);
	}
}
