// When the plug is pulled: at any moment of a run, or at a chosen moment of a creation.

import { setTimeout as pause } from 'node:timers/promises';

import type { Effect, LoggedRequest } from '../../../fake-service';
import { until } from '../../../scripts/n8n/waiting';
import { pullPlugs } from '../pull';
import { ended, retryNewest, runAnew, type Scene } from './scene';

interface Moment {
	/** What the service does to the creation that is aimed at. */
	effect?: Effect;
	/** Whether the creation has come as far as that; without this, any request will do. */
	isReached?: (creation: LoggedRequest) => boolean;
	/** The kill comes within this time after that. */
	withinMs: number;
}

/** In turn. */
export const MOMENTS: Readonly<Record<string, Moment>> = {
	'at any moment': { withinMs: 1_500 },
	'request received, carried out after the kill': {
		...{ effect: { kind: 'delay', ms: 600 }, isReached: () => true, withinMs: 350 },
	},
	'request received, never carried out': {
		...{ effect: { kind: 'hang' }, isReached: () => true, withinMs: 350 },
	},
	'carried out, no answer sent': {
		effect: { kind: 'hang', after: true },
		...{ isReached: ({ handled }) => handled !== null, withinMs: 350 },
	},
	// n8n may just have read it, or not yet.
	'answer just sent': { isReached: ({ status }) => status !== null, withinMs: 25 },
};

const AIM_MS = 60_000;
const MAX_CREATIONS_BEFORE = 2;
/** Out of 1: how many of the runs are begun by Retry, where n8n offers it. */
const RETRIED = 0.6;

export interface Kill {
	/** By its name. */
	moment: string;
	/** False if no request came that could be aimed at. */
	hit: boolean;
	/** Whether the run that it ended had begun by n8n's Retry, or else anew. */
	isRetry: boolean;
}

export const killWhileWriting = async (
	scene: Scene,
	{ kills, chance }: { kills: number; chance: () => number },
): Promise<Kill[]> =>
	await pullPlugs(
		scene,
		({ length }) => length >= kills,
		async (turn) => {
			const named = Object.entries(MOMENTS);
			const [moment, aimed] = named[turn % named.length] as (typeof named)[number];
			const { requests, faults } = scene.service;
			const before = requests.length;
			const match = { route: 'posts.create', nth: 1 + Math.floor(chance() * MAX_CREATIONS_BEFORE) };
			if (aimed.effect) faults.add(aimed.effect, match);
			const isReached = (): boolean => {
				const since = requests.slice(before);
				if (aimed.isReached === undefined) return since.length > 0;
				const creation = since.filter(({ route }) => route === match.route)[match.nth - 1];
				return creation !== undefined && aimed.isReached(creation);
			};
			const isRetry = await begin(scene, chance);
			const hit = await until(isReached, { everyMs: 1, patienceMs: AIM_MS });
			await pause(chance() * aimed.withinMs);
			await scene.n8n.kill();
			faults.clear();
			return { moment, hit, isRetry };
		},
	);

async function begin(scene: Scene, chance: () => number): Promise<boolean> {
	const isWished = chance() < RETRIED;
	// What n8n itself has taken up again after its start comes to its end first.
	await ended(scene);
	const isRetry = isWished && (await retryNewest(scene));
	if (!isRetry) await runAnew(scene);
	return isRetry;
}
