// `npm run test:n8n -- soak`: a real n8n for a while, with many clients, faults and restarts; what it holds
// and what it asks for is measured all the time, and must not grow.

import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import { say, step } from '../../../scripts/n8n/progress';
import { numberIn, OPTIONS, runProgram } from '../program';
import { report } from './report';
import { sampler, type Sample } from './samples';
import { allHere, setUp, type Scene } from './scene';
import { trouble } from './trouble';
import { arrived, barsOf } from './verdict';

const HELP = `Lets a real n8n run with the package while leads come and things go wrong.

  --hours N      how long (0.5)
  --clients N    of the agency whose leads the trigger watches (50)
  --leads N      that each of them has at the start (20)
  --seed N       the same leads and faults again
  --keep         leaves n8n's folder with its log and database

Measured after a garbage collection each: heap, open sockets, state of the trigger, requests per minute.
`;

const { values } = parseArgs({
	options: {
		...OPTIONS,
		hours: { type: 'string', default: '0.5' },
		clients: { type: 'string', default: '50' },
		leads: { type: 'string', default: '20' },
	},
});

const SAMPLES = 60;
/** By the share of the time that is over then. */
const RESTARTS = [
	{ after: 0.12, how: 'kill', words: 'was killed' },
	{ after: 0.24, how: 'stop', words: 'was stopped' },
	{ after: 0.36, how: 'kill', words: 'was killed' },
] as const;

runProgram({
	...{ name: 'soak', help: HELP, values },
	work: async (place) => {
		const hours = numberIn('hours', values.hours, { least: 0.01, whole: false });
		const clients = numberIn('clients', values.clients, { least: 1 });
		const leadsEach = numberIn('leads', values.leads);
		say(`${hours} h, ${clients} clients with ${leadsEach} leads each`);
		const scene = await step('Starting n8n with the packed package', () =>
			setUp(place, { clients, leadsEach }),
		);
		const happened = trouble(scene, place.chance);
		const { samples, restarts } = await step('Letting it run', (note) => run(scene, hours, note));
		happened.stop();
		await step('Waiting until everything has come', () => allHere(scene));
		const found = await arrived(scene);
		scene.inspector.detach();
		await scene.n8n.stop();
		const bars = barsOf(samples, found);
		report({ samples, bars, found, happened, restarts });
		return bars.every(({ met }) => met !== false);
	},
});

async function run(scene: Scene, hours: number, note: (text: string) => void) {
	const began = performance.now();
	const wholeMs = hours * 3_600_000;
	const sample = sampler(scene);
	const samples: Sample[] = [];
	const restarts: { at: number; how: string }[] = [];
	for (let done = 1; done <= SAMPLES; done++) {
		const due = began + (done / SAMPLES) * wholeMs;
		await pause(Math.max(0, due - performance.now()));
		const next = RESTARTS[restarts.length];
		if (next && performance.now() - began >= next.after * wholeMs) {
			restarts.push({ at: (performance.now() - began) / 60_000, how: next.words });
			await scene.startAgainAfter(next.how);
		}
		const taken = await sample();
		samples.push(taken);
		note(`${samples.length} of ${SAMPLES} samples, heap ${(taken.heap / 1e6).toFixed(1)} MB`);
	}
	return { samples, restarts };
}
