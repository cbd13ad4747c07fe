// `npm run bench`: what the package costs beside what one would use in its place.

import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';

import { codeMeasured } from '../../scripts/generate/codeMeasured';
import { showHouse } from '../../scripts/measure/house';
import { buildPackage } from '../../scripts/n8n/package';
import { aligned, say, step } from '../../scripts/n8n/progress';
import { stopInstance } from '../../test/support/engine';
import { CASES, OURS, type Bar } from './cases';
import { median, paired, type Contender, type Sample } from './measure';
import { loadedNodes } from './nodes';
import { startedService } from './service';
import { showWays } from './ways';

const HELP = `Measures the package beside n8n's own nodes.

  --only poll,list   some cases: ${Object.keys(CASES).join(', ')}
  --quick            small sizes, 2 rounds
  --rounds 7         rounds for each case (5)
  --house            only the code: lines of each room, and how far it is to a request

Ends with 1 if a bar was missed.
`;

const { values } = parseArgs({
	options: {
		help: { type: 'boolean', default: false },
		only: { type: 'string' },
		quick: { type: 'boolean', default: false },
		rounds: { type: 'string' },
		house: { type: 'boolean', default: false },
	},
});

type Samples = Map<Contender, Sample[]>;

const middle = (samples: readonly Sample[] | undefined, by: keyof Sample): number =>
	median((samples ?? []).map((sample) => sample[by]));

const shown = (value: number): string =>
	value.toLocaleString('en-GB', { maximumFractionDigits: Math.abs(value) < 10 ? 2 : 0 });

function table(samples: Samples): string[] {
	const head = ['', 'requests', 'ms', 'CPU ms', 'stored bytes'];
	const rows = [...samples].map(([{ name, stateBytes }, each]) => [
		name,
		...(['requests', 'ms', 'cpuMs'] as const).map((by) => shown(middle(each, by))),
		stateBytes === undefined ? '' : shown(stateBytes),
	]);
	return aligned([head, ...rows]);
}

/** Of the pairs of one round each; without a rival, of our runs. */
function figuresOf({ by, rival, of: subject = OURS }: Bar, samples: Samples): number[] {
	const of = (wanted: string) => [...samples].find(([{ name }]) => name === wanted)?.[1] ?? [];
	const theirs = rival === undefined ? undefined : of(rival);
	return of(subject).map((sample, round) => sample[by] / (theirs?.[round]?.[by] ?? 1));
}

function judge(bar: Bar, samples: Samples): void {
	const figures = figuresOf(bar, samples);
	const figure = median(figures);
	const met = figure <= bar.atMost;
	// Small sizes and two rounds show nothing about speed.
	if (!met && !values.quick) process.exitCode = 1;
	const subject = bar.of === undefined ? bar.by : `${bar.of}: ${bar.by}`;
	const what = bar.rival === undefined ? subject : `${subject} ÷ that of ${bar.rival}`;
	const range = `${shown(Math.min(...figures))}–${shown(Math.max(...figures))}`;
	say(`${what}: ${shown(figure)} (${range}), at most ${bar.atMost}: ${met ? 'met' : 'NOT MET'}`);
}

async function main(): Promise<void> {
	if (values.help) return say(HELP);
	if (values.house) {
		showHouse();
		return await showWays();
	}
	const { quick } = values;
	const rounds = Number(values.rounds ?? (quick ? 2 : 5));
	const chosen = values.only?.split(',') ?? Object.keys(CASES);
	const unknown = chosen.filter((name) => !Object.hasOwn(CASES, name));
	if (unknown.length > 0) {
		process.exitCode = 1;
		return say(`There is no case "${unknown.join('", "')}".\n\n${HELP}`);
	}
	await step('Building', buildPackage);
	say(
		`Code: ${codeMeasured()}. Medians of ${rounds} rounds. Load of the machine: ${loadavg()[0]}.`,
	);
	const service = await startedService();
	try {
		const nodes = await loadedNodes(service.baseUrl);
		for (const [name, make] of Object.entries(CASES)) {
			if (!chosen.includes(name) && !chosen.some((one) => name.startsWith(`${one}.`))) continue;
			await service.pull('latency', { ms: 0 });
			const found = await make({ service, nodes, quick });
			await service.pull('latency', { ms: found.latency });
			const title = `${found.title}, ${found.latency} ms for each answer`;
			const samples = await step(title, async () => await paired(service, { ...found, rounds }));
			for (const line of table(samples)) say(line);
			for (const bar of found.bars) judge(bar, samples);
			say();
		}
	} finally {
		service.stop();
		await stopInstance();
	}
}

void main();
