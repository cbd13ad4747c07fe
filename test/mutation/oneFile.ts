/** Tries mutants on one test file: in one process, and in others where something goes wrong in it. */
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { jest } from './jest';
import { SWITCHED, WORK } from './places';
import type { Line, Task } from './task';

export interface Killed {
	/** The test file, and the test. */
	readonly by: string;
	/** A test has failed, rather than that none has ended. */
	readonly inTime: boolean;
}

export interface Found {
	readonly killed: ReadonlyMap<number, Killed>;
	/** On how many tests each of them was tried. */
	readonly tried: ReadonlyMap<number, number>;
	/** Missing if no process came to its end. */
	readonly end?: Extract<Line, { at: 'end' }>;
	readonly output: string;
}

/** No process is silent for so long while it runs a test without a mutant. */
const SILENT_MS = 330_000;
/** What hooks may take besides the test, which has a limit of its own. */
const MORE_MS = 30_000;
/** What goes wrong so often is left alone. */
const MOST_PROCESSES = 12;

let processes = 0;

export async function tryOn(
	test: string,
	{ mutants, count, mostMs }: Pick<Task, 'mutants' | 'count' | 'mostMs'>,
): Promise<Found> {
	const killed = new Map<number, Killed>();
	const tried = new Map<number, number>();
	const once: string[] = [];
	/** Those of which one has left something behind: each is tried between runs without any. */
	const suspects = new Set<number>();
	const dropped = new Set<number>();
	let end: Found['end'];
	let output = '';
	for (let index = 0; index < MOST_PROCESSES; index += 1) {
		const left = mutants.filter((id) => !killed.has(id) && !dropped.has(id) && !tried.has(id));
		if (index > 0 && left.length === 0) break;
		const others = left.filter((id) => !suspects.has(id));
		const careful = others.length === 0 && left.length > 0;
		const some = careful ? left : others;
		const run = await runTask(test, { count, mutants: some, careful, once, mostMs });
		({ output } = run);
		const known = killed.size + dropped.size + suspects.size + once.length;
		const last = run.lines.at(-1);
		for (const line of run.lines) {
			if (line.at === 'killed')
				killed.set(line.id, { by: `${test}: ${line.by}`, inTime: line.inTime });
			if (line.at === 'once') once.push(line.test);
			if (line.at !== 'spoilt') continue;
			for (const id of line.passed) (careful ? dropped : suspects).add(id);
			for (const id of line.failed) {
				// The test has just passed without it.
				if (careful) killed.set(id, { by: test, inTime: true });
				else suspects.add(id);
			}
		}
		if (last?.at === 'end') {
			end = last;
			for (const id of some) if (!killed.has(id)) tried.set(id, last.tried[id] ?? 0);
		}
		// It has ended the process, or that has waited for it in vain.
		if (last?.at === 'mutant') killed.set(last.id, { by: test, inTime: false });
		const progress = killed.size + dropped.size + suspects.size + once.length > known;
		if (last?.at !== 'end' && !progress) break;
	}
	return { killed, tried, output, ...(end === undefined ? {} : { end }) };
}

async function runTask(
	test: string,
	task: Omit<Task, 'log'>,
): Promise<{ lines: Line[]; output: string }> {
	processes += 1;
	const folder = join(WORK, 'tasks');
	mkdirSync(folder, { recursive: true });
	const [path, log] = [`${processes}.json`, `${processes}.log`].map((name) =>
		join(folder, name),
	) as [string, string];
	writeFileSync(path, JSON.stringify({ ...task, log }));
	writeFileSync(log, '');
	const lines = (): Line[] =>
		readFileSync(log, 'utf8')
			.split('\n')
			.filter((line) => line.endsWith('}'))
			.map((line) => JSON.parse(line) as Line);
	const { output } = await jest([test], {
		config: 'test/mutation/jest.config.cjs',
		env: { MUTANTS: SWITCHED, MUTATION_TASK: path },
		hasStopped: () => {
			if (!existsSync(log)) return false;
			const last = lines().at(-1);
			const mostMs = last?.at === 'mutant' ? last.mostMs * 2 + MORE_MS : SILENT_MS;
			return Date.now() - statSync(log).mtimeMs > mostMs;
		},
	});
	return { lines: lines(), output };
}
