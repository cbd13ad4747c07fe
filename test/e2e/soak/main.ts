// `npm run test:n8n -- soak`: a real n8n for a while, with many clients, faults and restarts; what it holds
// and what it asks for is measured all the time, and must not grow.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import { endAllPrograms } from '../../../scripts/n8n/children';
import { runCommand } from '../../../scripts/n8n/command';
import { installHost } from '../../../scripts/n8n/host';
import { say, seconds, step } from '../../../scripts/n8n/progress';
import { startService } from '../../../fake-service';
import { chanceOf, seedFrom } from '../chance';
import { until } from '../quiet';
import { report } from './report';
import { sampler, type Sample } from './samples';
import { setUp, type Scene } from './scene';
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
		hours: { type: 'string', default: '0.5' },
		clients: { type: 'string', default: '50' },
		leads: { type: 'string', default: '20' },
		seed: { type: 'string' },
		keep: { type: 'boolean', default: false },
		help: { type: 'boolean', default: false },
	},
});

const SAMPLES = 60;
/** By the share of the time that is over then. */
const RESTARTS = [
	{ after: 0.12, how: 'kill', words: 'was killed' },
	{ after: 0.24, how: 'stop', words: 'was stopped' },
	{ after: 0.36, how: 'kill', words: 'was killed' },
] as const;

async function main(): Promise<number> {
	if (values.help) {
		say(HELP);
		return 0;
	}
	const { hours, clients, leadsEach, seed } = readOptions();
	const since = Date.now();
	await installHost();
	const folder = mkdtempSync(join(tmpdir(), 'soak-'));
	const service = await startService({ control: false, seed });
	try {
		say(`${hours} h, ${clients} clients with ${leadsEach} leads each, seed ${seed}`);
		const scene = await step('Starting n8n with the packed package', () =>
			setUp({ folder, service, clients, leadsEach }),
		);
		const happened = trouble(scene, chanceOf(seed));
		const { samples, restarts } = await step('Letting it run', (note) => run(scene, hours, note));
		happened.stop();
		await step('Waiting until everything has come', () => allHere(scene));
		const found = await arrived(scene);
		await scene.end();
		const bars = barsOf(samples, found);
		report({ samples, bars, found, happened, restarts });
		const passed = bars.every(({ met }) => met !== false);
		say(`${passed ? 'Passed' : 'FAILED'} after ${seconds(since)} (seed ${seed})`);
		if (!passed || values.keep) say(`n8n's folder: ${folder}`);
		else rmSync(folder, { recursive: true, force: true });
		return passed ? 0 : 1;
	} finally {
		await endAllPrograms();
		await service.close();
	}
}

async function run(
	scene: Scene,
	hours: number,
	note: (text: string) => void,
): Promise<{ samples: Sample[]; restarts: { at: number; how: string }[] }> {
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
			await scene.restart(next.how);
		}
		const taken = await sample();
		samples.push(taken);
		note(`${samples.length} of ${SAMPLES} samples, heap ${(taken.heap / 1e6).toFixed(1)} MB`);
	}
	return { samples, restarts };
}

/** Every lead has a row, or it takes too long. */
async function allHere(scene: Scene): Promise<void> {
	await until(async () => (await scene.api.countRows(scene.table)) >= scene.leads());
}

function readOptions() {
	const number = (name: 'hours' | 'clients' | 'leads', least: number) => {
		const value = Number(values[name]);
		if (!(value >= least)) throw new Error(`--${name} is a number from ${least} on`);
		return value;
	};
	return {
		hours: number('hours', 0.01),
		clients: number('clients', 1),
		leadsEach: number('leads', 0),
		seed: seedFrom(values.seed),
	};
}

runCommand(main);
