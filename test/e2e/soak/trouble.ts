// What goes on in the service meanwhile: leads come, and now and then something goes wrong.

import type { Effect } from '../../../fake-service';
import type { Scene } from './scene';

/** In milliseconds: [at least, at most]. */
const BETWEEN_LEADS = [400, 2_500] as const;
const BETWEEN_FAULTS = [5_000, 25_000] as const;
const GRANT_REVOKED_MS = 45_000;

const FAULTS: ReadonlyArray<readonly [name: string, effect: Effect, count: number]> = [
	['429 with Retry-After', { kind: 'error', status: 429, retryAfter: 2 }, 3],
	['503', { kind: 'error', status: 503 }, 4],
	['500', { kind: 'error', status: 500 }, 2],
	['a page of HTML with 502', { kind: 'html', status: 502 }, 3],
	['connection cut', { kind: 'reset' }, 3],
	['half an answer', { kind: 'cut', abort: true }, 2],
	['half an answer as a whole one', { kind: 'cut' }, 2],
	['nothing in it', { kind: 'empty' }, 2],
	['a blank page that announces more', { kind: 'emptyPage' }, 2],
	['a wrong envelope', { kind: 'envelope', shape: 'noData' }, 2],
	['slow', { kind: 'delay', ms: 4_000 }, 5],
	['no answer', { kind: 'hang' }, 1],
];

export interface Trouble {
	leads: number;
	/** How often each came, by name. */
	faults: Map<string, number>;
	stop(): void;
}

export function trouble({ service, clients }: Scene, chance: () => number): Trouble {
	const { world, faults } = service;
	const timers = new Set<NodeJS.Timeout>();
	const later = (ms: number, act: () => void): void => {
		const timer = setTimeout(() => {
			timers.delete(timer);
			act();
		}, ms);
		timers.add(timer);
	};
	const again = ([least, most]: readonly [number, number], act: () => void): void =>
		later(least + chance() * (most - least), () => {
			act();
			again([least, most], act);
		});
	const oneOf = <T>(choices: readonly T[]): T =>
		choices[Math.floor(chance() * choices.length)] as T;
	const counted: Trouble = {
		leads: 0,
		faults: new Map(),
		// What is out of order then is put right, so that everything can come.
		stop: () => {
			for (const timer of timers) clearTimeout(timer);
			faults.clear();
			for (const client of clients) world.setGrantStatus(world.agency, client, 'active');
		},
	};
	const count = (name: string) => counted.faults.set(name, (counted.faults.get(name) ?? 0) + 1);
	again(BETWEEN_LEADS, () => {
		world.addLead(oneOf(clients));
		counted.leads++;
	});
	again(BETWEEN_FAULTS, () => {
		if (chance() < 0.1) {
			const client = oneOf(clients);
			count('a grant revoked for a while');
			world.revokeGrant(world.agency, client);
			later(GRANT_REVOKED_MS, () => world.setGrantStatus(world.agency, client, 'active'));
			return;
		}
		const [name, effect, hits] = oneOf(FAULTS);
		count(name);
		faults.add(effect, { count: hits });
	});
	return counted;
}
