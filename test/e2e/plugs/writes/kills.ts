// When the plug is pulled: at any moment of a run, or at a chosen moment of a creation.

import { setTimeout as pause } from 'node:timers/promises';

import { step } from '../../../../scripts/n8n/progress';
import type { FakeService, LoggedRequest } from '../../../../fake-service';
import { ended, retryNewest, runAnew, type Scene } from './scene';

/** In turn. */
export const MOMENTS = [
	'at any moment',
	'request received, carried out after the kill',
	'request received, never carried out',
	'carried out, no answer sent',
	'answer just sent',
] as const;
export type Moment = (typeof MOMENTS)[number];

/** Any moment within this time after a run has asked the service for the first time. */
const ANY_MS = 1_500;
const AIM_MS = 60_000;
/** A delayed request is carried out after so long. */
const DELAY_MS = 600;
/** So long after the request has arrived. */
const UNDER_WAY_MS = 350;
/** So long after the answer has been sent: n8n may just have read it, or not yet. */
const ANSWERED_MS = 25;
const MAX_CREATIONS_BEFORE = 2;
/** Out of 1: how many of the runs are begun by Retry, where n8n offers it. */
const RETRIED = 0.6;

export interface Kill {
	moment: Moment;
	/** False if no request came that could be aimed at. */
	hit: boolean;
	/** Whether the run that it ended had begun by n8n's Retry, or else anew. */
	isRetry: boolean;
}

export async function pullPlugs(
	scene: Scene,
	{ kills, chance }: { kills: number; chance: () => number },
): Promise<Kill[]> {
	const killed: Kill[] = [];
	await step(`Pulling the plug ${kills} times`, async (note) => {
		for (let kill = 0; kill < kills; kill++) {
			const moment = MOMENTS[kill % MOMENTS.length] ?? 'at any moment';
			const aim = aimAt(scene.service, { moment, chance });
			const isRetry = await begin(scene, chance);
			const hit = await aim();
			await scene.n8n.kill();
			scene.service.faults.clear();
			killed.push({ moment, hit, isRetry });
			await scene.restart();
			note(`${kill + 1} kills, ${scene.service.world.own.posts.size} posts in the account`);
		}
	});
	return killed;
}

async function begin(scene: Scene, chance: () => number): Promise<boolean> {
	const wished = chance() < RETRIED;
	// What n8n itself has taken up again after its start comes to its end first.
	await ended(scene);
	if (wished && (await retryNewest(scene))) return true;
	await runAnew(scene);
	return false;
}

/** Sets the service up; what it gives resolves at the moment to kill. */
function aimAt(
	{ requests, faults }: FakeService,
	{ moment, chance }: { moment: Moment; chance: () => number },
): () => Promise<boolean> {
	const before = requests.length;
	const nth = 1 + Math.floor(chance() * MAX_CREATIONS_BEFORE);
	const part = chance();
	const match = { route: 'posts.create', nth };
	const creations = (): LoggedRequest[] =>
		requests.slice(before).filter(({ route }) => route === match.route);
	const reached = (isSo: (request: LoggedRequest) => boolean, restMs: number) => async () => {
		const hit = await soon(() => {
			const aimed = creations()[nth - 1];
			return aimed !== undefined && isSo(aimed);
		});
		await pause(restMs);
		return hit;
	};
	switch (moment) {
		case 'at any moment':
			return async () => {
				const hit = await soon(() => requests.length > before);
				await pause(part * ANY_MS);
				return hit;
			};
		case 'request received, carried out after the kill':
			faults.add({ kind: 'delay', ms: DELAY_MS }, match);
			return reached(() => true, part * UNDER_WAY_MS);
		case 'request received, never carried out':
			faults.add({ kind: 'hang' }, match);
			return reached(() => true, part * UNDER_WAY_MS);
		case 'carried out, no answer sent':
			faults.add({ kind: 'hang', after: true }, match);
			return reached(({ handled }) => handled !== null, part * UNDER_WAY_MS);
		case 'answer just sent':
			return reached(({ status }) => status !== null, part * ANSWERED_MS);
	}
}

async function soon(isSo: () => boolean): Promise<boolean> {
	const deadline = Date.now() + AIM_MS;
	while (!isSo()) {
		if (Date.now() > deadline) return false;
		await pause(1);
	}
	return true;
}
