// When the plug is pulled while leads come: half of the times at any moment, half shortly after a poll
// has read; or in the gap that n8n leaves.

import { setTimeout as pause } from 'node:timers/promises';

import { until } from '../../scripts/n8n/waiting';
import { median } from '../bench/measure';
import { storedAt } from '../../test/e2e/deliveries';
import { nowAndThen } from '../waiting';
import { killInGap } from './gap';
import { pullPlugs } from './pull';
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
const BETWEEN_LEADS = [150, 1_400] as const;
/** A kill that is aimed at the gap misses it now and then. */
const TRIES_PER_GAP = 6;

export interface Kill {
	at: number;
	when: string;
	/** Whether it came after the state was stored and before its execution was, if that was the plan. */
	inGap?: boolean;
}

/** So many times, or until so many kills have hit the gap between the state and the execution. */
export async function killWhileLeadsCome(
	scene: Scene,
	{ kills, gaps, chance }: { kills: number; gaps?: number; chance: () => number },
): Promise<Kill[]> {
	const { world } = scene.service;
	const stop = nowAndThen(BETWEEN_LEADS, chance, () => void world.addLead(world.own));
	const isEnough = (killed: readonly Kill[]) =>
		gaps === undefined
			? killed.length >= kills
			: hitsIn(killed) >= gaps || killed.length >= gaps * TRIES_PER_GAP;
	try {
		return await pullPlugs(scene, isEnough, async (turn) => {
			const kill =
				gaps === undefined
					? await killAtAMoment(scene, turn % 2 === 0, chance)
					: await killedInGap(scene);
			await pause(chance() * DOWN_MS);
			return kill;
		});
	} finally {
		stop();
	}
}

export const hitsIn = (killed: readonly Kill[]): number =>
	killed.filter(({ inGap }) => inGap).length;

async function killedInGap(scene: Scene): Promise<Kill> {
	const inGap = await killInGap(scene);
	return { at: Date.now(), when: inGap ? 'in the gap' : 'beside the gap', inGap };
}

async function killAtAMoment(scene: Scene, any: boolean, chance: () => number): Promise<Kill> {
	let when = 'at any moment';
	if (any) await pause(chance() * ANY_MS);
	else {
		const { least, most } = OF_THE_USUAL;
		const restMs = (await usualDelay(scene)) * (least + chance() * (most - least));
		await restAfterPoll(scene, restMs);
		when = `${restMs.toFixed(0)} ms after a poll`;
	}
	const at = Date.now();
	await scene.n8n.kill();
	return { at, when };
}

/** At the median, the time from the last answer before an execution until n8n had stored it. */
async function usualDelay({ api, workflow, service: { requests } }: Scene): Promise<number> {
	const executions = await api.executions({ workflowId: workflow.id });
	const delays = executions.map(storedAt).flatMap((at) => {
		const ended = requests.findLast(({ endedAt }) => endedAt !== null && endedAt <= at)?.endedAt;
		return ended ? [at - ended] : [];
	});
	return delays.length > 0 ? median(delays) : USUAL_MS;
}

/** Until the service has had nothing to do for so long, after a poll that begins from now on. */
async function restAfterPoll({ service: { requests } }: Scene, restMs: number): Promise<void> {
	const before = requests.length;
	const hasRested = () =>
		requests.length > before && Date.now() - (requests.at(-1)?.endedAt ?? Infinity) >= restMs;
	await until(hasRested, { everyMs: 1, patienceMs: 90_000 });
}
