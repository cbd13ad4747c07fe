// When the plug is pulled: half of the times at any moment, half shortly after a poll has read.

import { setTimeout as pause } from 'node:timers/promises';

import type { PlayedService } from '../../service';
import { step } from '../progress';
import type { Scene } from './scene';

/** Any moment within this time after n8n is up. */
const ANY_MS = 9_000;
/**
 * Up to this long after the last request of a poll, and as often between 1 and 10 ms as between 100
 * and 1,000: nobody knows how long n8n needs to store what a poll gave.
 */
const AFTER_POLL_MS = 1_000;
const DOWN_MS = 2_500;
const LEAD_MS = { least: 150, most: 1_400 };

export interface Kill {
	at: number;
	/** Milliseconds after the last request of a poll, if that was the plan. */
	afterPoll?: number;
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
				const afterPoll = kill % 2 === 0 ? undefined : AFTER_POLL_MS ** chance();
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

function keepLeadsComing({ world }: PlayedService, chance: () => number): () => void {
	let timer: NodeJS.Timeout;
	const next = () => {
		const wait = LEAD_MS.least + chance() * (LEAD_MS.most - LEAD_MS.least);
		timer = setTimeout(() => {
			world.addLead(world.own);
			next();
		}, wait);
	};
	next();
	return () => clearTimeout(timer);
}

/** Until the service has had nothing to do for so long, after a poll that begins from now on. */
async function restAfterPoll({ requests }: PlayedService, restMs: number): Promise<void> {
	const before = requests.length;
	const deadline = Date.now() + 90_000;
	while (Date.now() < deadline) {
		const last = requests.length > before ? requests.at(-1) : undefined;
		const answered = last?.endedAt ?? Infinity;
		if (Date.now() - answered >= restMs) return;
		await pause(1);
	}
}
