// `npm run test:n8n -- soak`: a real n8n for a while, with many clients, faults and restarts; what it holds
// and what it asks for is measured all the time, and must not grow.

import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import { aligned, say, step } from '../../scripts/n8n/progress';
import { numberIn, OPTIONS, runProgram, tell } from '../program';
import { allHere, setUp, stateSize, type Scene } from './scene';
import { trouble } from './trouble';
import { arrived, growthIn, isMet, type Sample } from './verdict';

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
const SHOWN = 12;
/** By the share of the time that is over then. */
const RESTARTS = [
	[0.12, 'kill'],
	[0.24, 'stop'],
	[0.36, 'kill'],
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
		say();
		for (const line of tableOf(samples)) say(line);
		say();
		const { leads: inService, rows, reports } = found;
		const faults = [...happened.faults].sort(([, one], [, other]) => other - one);
		tell(
			...restarts,
			['faults', faults.map(([name, times]) => `${times} × ${name}`).join(', ')],
			['leads', `${happened.leads} came meanwhile, ${inService} in the service, ${rows} rows`],
			['reports', `${reports} of lists that could not be read, by polls without items`],
		);
		say();
		const bars = [...growthIn(samples), ...found.bars];
		const lines = bars.map((bar) => {
			const result = bar.figure === undefined ? 'not judged' : isMet(bar) ? 'met' : 'NOT MET';
			return [bar.what, String(bar.atMost), bar.figure?.toFixed(2) ?? '–', result];
		});
		for (const line of aligned([['bar', 'at most', 'measured', ''], ...lines])) say(line);
		return bars.every(isMet);
	},
});

async function run(scene: Scene, hours: number, note: (text: string) => void) {
	const began = performance.now();
	const wholeMs = hours * 3_600_000;
	let last = began;
	const sample = async (): Promise<Sample> => {
		const held = await scene.inspector.held();
		const now = performance.now();
		const requestsPerMinute = (scene.service.requests.length / (now - last)) * 60_000;
		last = now;
		// The log would grow with the time that it runs.
		scene.service.clearLog();
		const at = (now - began) / 60_000;
		return { ...held, at, state: stateSize(scene), leads: scene.leads(), requestsPerMinute };
	};
	const samples: Sample[] = [];
	const restarts: [at: string, how: string][] = [];
	for (let done = 1; done <= SAMPLES; done++) {
		const due = began + (done / SAMPLES) * wholeMs;
		await pause(Math.max(0, due - performance.now()));
		const [share, how] = RESTARTS[restarts.length] ?? [Infinity, 'stop'];
		const over = performance.now() - began;
		if (over >= share * wholeMs) {
			restarts.push([`minute ${(over / 60_000).toFixed(0)}`, `${how} of n8n, and a new start`]);
			await scene.startAgainAfter(how);
		}
		const taken = await sample();
		samples.push(taken);
		note(`${samples.length} of ${SAMPLES} samples, heap ${(taken.heap / 1e6).toFixed(1)} MB`);
	}
	return { samples, restarts };
}

/** A dozen of the samples, the last one among them. */
function tableOf(samples: readonly Sample[]): string[] {
	const every = Math.max(1, Math.floor(samples.length / SHOWN));
	const shown = samples.filter((_, place) => (samples.length - 1 - place) % every === 0);
	const head = ['minute', 'heap MB', 'RSS MB', 'sockets', 'state kB', 'leads', 'requests/min'];
	const rows = shown.map(({ at, heap, rss, sockets, state, leads, requestsPerMinute }) => [
		...[at.toFixed(0), (heap / 1e6).toFixed(1), (rss / 1e6).toFixed(0), String(sockets)],
		...[(state / 1e3).toFixed(1), String(leads), requestsPerMinute.toFixed(0)],
	]);
	return aligned([head, ...rows], (cell, width) => cell.padStart(width));
}
