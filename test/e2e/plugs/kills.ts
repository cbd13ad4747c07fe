// When the plug is pulled: half of the times at any moment, half shortly after a poll has read.

import { setTimeout as pause } from 'node:timers/promises';

import { step } from '../../../scripts/n8n/progress';
import { storedAt } from '../deliveries';
import { killInGap } from './gap';
import { usualDelay } from './losses';
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
/** A kill that is aimed at the gap misses it now and then. */
const TRIES_PER_GAP = 6;

export interface Kill {
	at: number;
	/** Milliseconds after the last request of a poll, if that was the plan. */
	afterPoll?: number;
	/** Whether it came after the state was stored and before its execution was, if that was the plan. */
	inGap?: boolean;
}

/** So many times, or until so many kills have hit the gap between the state and the execution. */
export async function pullPlugs(
	scene: Scene,
	{ kills, gaps, chance }: { kills: number; gaps?: number; chance: () => number },
): Promise<Kill[]> {
	const { world } = scene.service;
	const killed: Kill[] = [];
	const hits = () => killed.filter(({ inGap }) => inGap).length;
	const isOver = () =>
		gaps === undefined
			? killed.length >= kills
			: hits() >= gaps || killed.length >= gaps * TRIES_PER_GAP;
	let timer: NodeJS.Timeout;
	const nextLead = (): void => {
		timer = setTimeout(
			() => {
				world.addLead(world.own);
				nextLead();
			},
			between(LEAD_MS, chance()),
		);
	};
	nextLead();
	try {
		await step(`Pulling the plug of n8n`, async (note) => {
			while (!isOver()) {
				if (gaps !== undefined) {
					const inGap = await killInGap(scene);
					killed.push({ at: Date.now(), inGap });
				} else killed.push(await killAtAMoment(scene, killed.length % 2 === 0, chance));
				await pause(chance() * DOWN_MS);
				await scene.restart();
				const inGap = gaps === undefined ? '' : `, ${hits()} in the gap`;
				note(`${killed.length} kills${inGap}, ${world.own.leads.size} leads`);
			}
		});
	} finally {
		clearTimeout(timer!);
	}
	return killed;
}

const between = ({ least, most }: { least: number; most: number }, part: number): number =>
	least + part * (most - least);

async function killAtAMoment(scene: Scene, any: boolean, chance: () => number): Promise<Kill> {
	const { api, workflow, service, n8n } = scene;
	let afterPoll: number | undefined;
	if (any) await pause(chance() * ANY_MS);
	else {
		const executions = await api.executions({ workflowId: workflow.id });
		const usual = usualDelay(service.requests, executions.map(storedAt)) ?? USUAL_MS;
		afterPoll = usual * between(OF_THE_USUAL, chance());
		await restAfterPoll(service, afterPoll);
	}
	const at = Date.now();
	await n8n.kill();
	return { at, afterPoll };
}

/** Until the service has had nothing to do for so long, after a poll that begins from now on. */
async function restAfterPoll({ requests }: Scene['service'], restMs: number): Promise<void> {
	const before = requests.length;
	const deadline = Date.now() + 90_000;
	while (Date.now() < deadline) {
		const last = requests.length > before ? requests.at(-1) : undefined;
		const answered = last?.endedAt ?? Infinity;
		if (Date.now() - answered >= restMs) return;
		await pause(1);
	}
}
