// What goes on in the service meanwhile: leads come, and now and then something goes wrong.

import type { Effect } from '../../fake-service';
import { nowAndThen } from '../waiting';
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
	const oneOf = <T>(choices: readonly T[]): T =>
		choices[Math.floor(chance() * choices.length)] as T;
	const given = (client: Scene['clients'][number]) =>
		world.setGrantStatus(world.agency, client, 'active');
	const stops = [
		nowAndThen(BETWEEN_LEADS, chance, () => {
			world.addLead(oneOf(clients));
			counted.leads++;
		}),
		nowAndThen(BETWEEN_FAULTS, chance, () => {
			const isGrant = chance() < 0.1;
			const [client, [fault, effect, count]] = [oneOf(clients), oneOf(FAULTS)];
			const name = isGrant ? 'a grant revoked for a while' : fault;
			counted.faults.set(name, (counted.faults.get(name) ?? 0) + 1);
			if (!isGrant) return void faults.add(effect, { count });
			world.revokeGrant(world.agency, client);
			setTimeout(() => given(client), GRANT_REVOKED_MS);
		}),
	];
	const counted: Trouble = {
		leads: 0,
		faults: new Map(),
		// What is out of order then is put right, so that everything can come.
		stop: () => {
			for (const stop of stops) stop();
			faults.clear();
			clients.forEach(given);
		},
	};
	return counted;
}
