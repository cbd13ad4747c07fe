// The same results twice: as text on the screen, and as Markdown with pictures.

import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';

import { version as coreVersion } from 'n8n-core/package.json';
import { version as undiciVersion } from 'undici/package.json';

import { ROOT } from '../../scripts/n8n/folders';
import { aligned } from '../../scripts/n8n/progress';
import { picture } from './curves';
import type { Bar, Section, Table } from './result';
import type { N8nNodes } from './rivals/n8nNodes';

export const FOLDER = join('.cache', 'bench');
const PICTURES = join(ROOT, FOLDER, 'images');

export interface About {
	n8n: N8nNodes;
	rounds: number;
	minutes: number;
	/** What the machine had to do already when the run began. */
	load: number;
	/** The code that was measured. */
	measured: string;
}

const barRow = ({ what, wanted, figure, met, why }: Bar): string[] => [
	what,
	wanted,
	figure ?? 'not measured',
	met === undefined ? '–' : met ? 'met' : '**not met**',
	met === false ? (why ?? '') : '',
];

const barsTable = (sections: readonly Section[]): Table => ({
	title: 'Bars',
	head: ['what', 'wanted', 'measured', '', 'what limits it'],
	rows: sections.flatMap(({ bars }) => bars).map(barRow),
});

export function show(sections: readonly Section[]): void {
	const print = (line = ''): void => void process.stdout.write(`${line}\n`);
	for (const { title, tables, curves } of sections) {
		print(`\n== ${title} ==`);
		for (const table of tables) print(onScreen(table));
		for (const { title, says } of curves) print(`${title}: ${says}`);
	}
	print(onScreen(barsTable(sections)).replaceAll('**', ''));
}

function onScreen({ title, head, rows, notes = [] }: Table): string {
	return [`\n${title}`, ...aligned([head, ...rows]), ...notes].join('\n');
}

export function write(sections: readonly Section[], about: About): void {
	rmSync(PICTURES, { recursive: true, force: true });
	mkdirSync(PICTURES, { recursive: true });
	for (const curve of sections.flatMap(({ curves }) => curves)) {
		writeFileSync(join(PICTURES, `${curve.file}.svg`), picture(curve));
	}
	writeFileSync(join(ROOT, FOLDER, 'benchmarks.md'), document(sections, about));
}

function document(sections: readonly Section[], about: About): string {
	const { n8n, rounds, minutes, load, measured } = about;
	const cpu = cpus();
	return [
		'# Benchmarks',
		'Written by `npm run bench`; do not edit. What the package costs, beside what one would use in its place, and beside the limit.',
		`${new Date().toISOString().slice(0, 10)}; ${cpu.length} × ${cpu[0]?.model.trim() ?? 'unknown CPU'}, ${Math.round(totalmem() / 2 ** 30)} GB, ${process.platform}; Node ${process.versions.node}; n8n-core ${coreVersion}; n8n-nodes-base ${n8n.version} (HTTP Request ${n8n.httpRequestVersion}); undici ${undiciVersion}; ${measured}. The run took ${Math.round(minutes)} minutes; when it began, the machine's load was ${load.toFixed(1)}.`,
		'## How it is measured',
		`- The service that plays the API runs in a process of its own on the same machine; "latency" is how long it thinks before each answer. Its computing is not counted as ours, but it needs the machine, too.
- In every cell each contender runs ${rounds} times, in turn forwards and backwards, after a garbage collection and a moment in which V8 ends what it does of that in other threads. A figure is the median. A ratio is taken within each round; its median stands before the brackets, the smallest and the largest inside. A contender that needs more than 30 s for one run makes only two.
- What each contender brought back is counted. A run with a wrong count, or with a request that was refused, ends its section.
- All nodes run on the same n8n-core. Ours are the built bundle, loaded as n8n loads a package. n8n's own come from the n8n that the end-to-end tests install, and bring the n8n-workflow that they were installed with. In HTTP Request, the credential is Bearer Auth, the response format is set to JSON, and pages are as large as the API allows.
- What n8n does around a run (starting the execution, a fresh isolate for its expressions, saving its items) is left out for all.
- CPU is user and system time of the process, without the service.
- "not run" is left out because one run would take too long; nothing is extrapolated.`,
		'## Bars',
		markdown(barsTable(sections)),
		...sections.flatMap(sectionIn),
		'',
	].join('\n\n');
}

function sectionIn({ title, about, tables, curves }: Section): string[] {
	return [
		`## ${title}`,
		...about,
		...tables.flatMap((table) => [`### ${table.title}`, markdown(table), ...(table.notes ?? [])]),
		...curves.flatMap((curve) => [
			`### ${curve.title}`,
			`![${curve.title}: ${curve.y} over ${curve.x}](images/${curve.file}.svg)`,
			curve.says,
		]),
	];
}

function markdown({ head, rows }: Table): string {
	const line = (cells: string[]): string => `| ${cells.join(' | ')} |`;
	return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
