// `npm run bench`: what the package costs beside what one would use in its place.
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';

import { codeMeasured } from '../../scripts/generate/codeMeasured';
import { runProgram } from '../../scripts/n8n/children';
import { ROOT } from '../../scripts/n8n/folders';
import { say, step } from '../../scripts/n8n/progress';
import { stopInstance } from '../support/engine';
import { ours } from './ours';
import { FOLDER, show, write } from './report';
import type { Bench, Section } from './result';
import { n8nNodes } from './rivals/n8nNodes';
import { clientsSection } from './sections/clients';
import { engineSection } from './sections/engine';
import { itemsSection } from './sections/items';
import { listSection } from './sections/list';
import { loadSection } from './sections/load';
import { pollSection } from './sections/poll';
import { scaleSection } from './sections/scale';
import { uploadSection } from './sections/upload';
import { Service } from './service';

const SECTIONS: Record<string, (bench: Bench) => Promise<Section>> = {
	poll: pollSection,
	list: listSection,
	items: itemsSection,
	upload: uploadSection,
	load: loadSection,
	clients: clientsSection,
	scale: scaleSection,
	engine: engineSection,
};
const ROUNDS = { full: 5, quick: 2 };

const HELP = `Measures the package beside n8n's own nodes and a bare undici loop.

  --only poll,list   some sections: ${Object.keys(SECTIONS).join(', ')}
  --quick            small sizes, ${ROUNDS.quick} rounds
  --rounds 7         paired runs per cell (${ROUNDS.full})

Only a whole run with at least ${ROUNDS.full} rounds writes ${FOLDER}/benchmarks.md. It ends with 1 if a bar was
missed or a section could not be measured, and writes the document all the same.
`;

const { values } = parseArgs({
	options: {
		help: { type: 'boolean', default: false },
		only: { type: 'string' },
		quick: { type: 'boolean', default: false },
		rounds: { type: 'string' },
	},
});

function chosen(): string[] {
	const names = values.only?.split(',') ?? Object.keys(SECTIONS);
	const unknown = names.find((name) => !(name in SECTIONS));
	if (unknown === undefined) return names;
	throw new Error(`No section "${unknown}". There are ${Object.keys(SECTIONS).join(', ')}.`);
}

function failed(name: string, error: unknown): Section {
	process.exitCode = 1;
	process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
	const about = [`This section could not be measured in this run.`];
	return { title: name, about, tables: [], bars: [], curves: [] };
}

async function main(): Promise<void> {
	if (values.help) {
		say(HELP);
		return;
	}
	const names = chosen();
	const { quick } = values;
	const rounds = Number(values.rounds ?? (quick ? ROUNDS.quick : ROUNDS.full));
	if (!Number.isInteger(rounds) || rounds < 1) throw new Error('--rounds is a number from 1 on');
	const measured = codeMeasured();
	const begun = performance.now();
	const [load = Number.NaN] = loadavg();
	await step('Building', async () => {
		const gulp = `${ROOT}/node_modules/gulp/bin/gulp.js`;
		await runProgram({ command: process.execPath, args: [gulp, 'build'], cwd: ROOT });
	});
	const n8n = await n8nNodes();
	const service = await Service.start();
	const bench = { service, n8n, ours: await ours(), rounds };
	const sections: Section[] = [];
	try {
		for (const name of names) {
			const measure = SECTIONS[name];
			if (measure === undefined) continue;
			// One section that cannot be measured must not cost the figures of the others.
			const section = await step(
				`Measuring: ${name}`,
				async (note) => await measure({ ...bench, quick, note }),
			).catch((error: unknown) => failed(name, error));
			sections.push(section);
		}
	} finally {
		service.stop();
		await stopInstance();
	}
	show(sections);
	const missed = sections.flatMap(({ bars }) => bars).filter(({ met }) => met === false);
	for (const { what } of missed) process.stderr.write(`Missed: ${what}\n`);
	if (missed.length > 0) process.exitCode = 1;
	// The document is of one run of everything.
	if (quick || values.only !== undefined || rounds < ROUNDS.full) return;
	const minutes = (performance.now() - begun) / 60_000;
	write(sections, { n8n, rounds, minutes, load, measured });
	process.stdout.write(`\nWritten: ${FOLDER}/benchmarks.md and its pictures\n`);
}

void main();
