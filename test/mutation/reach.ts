/** Which mutants each test file reaches: measured once, and again when the file or the code has changed. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { digestOf, type Candidate } from './candidates';
import { inParallel } from './inParallel';
import { tryOn } from './oneFile';
import { WORK } from './places';
import { idsOf } from './task';

export interface Reached {
	readonly inTests: ReadonlySet<number>;
	/** While modules are loaded, or what several tests share is made. */
	readonly outside: ReadonlySet<number>;
}

interface Stored {
	readonly digest: string;
	/** By source file, with the digest of its text. */
	readonly files: Record<string, { digest: string; inTests: number[]; outside: number[] }>;
}

const FILE = join(WORK, 'reach.json');

export async function reachOf(
	tests: readonly string[],
	{
		all,
		workers,
		note,
	}: { all: readonly Candidate[]; workers: number; note: (text: string) => void },
): Promise<Map<string, Reached>> {
	mkdirSync(WORK, { recursive: true });
	const stored: Record<string, Stored> = existsSync(FILE)
		? (JSON.parse(readFileSync(FILE, 'utf8')) as Record<string, Stored>)
		: {};
	const files = new Set(all.map(({ file }) => file));
	const isKnown = (test: string): boolean => {
		const one = stored[test];
		return (
			one?.digest === digestOf(test) &&
			Object.entries(one.files).every(
				([file, { digest }]) => files.has(file) && digestOf(file) === digest,
			)
		);
	};
	const unknown = tests.filter((test) => !isKnown(test));
	let left = unknown.length;
	await inParallel(unknown, workers, async (test) => {
		left -= 1;
		note(`${left} test files left to measure`);
		stored[test] = await measured(test, all);
		writeFileSync(FILE, JSON.stringify(stored));
	});
	const firsts = new Map(all.filter(({ index }) => index === 0).map((one) => [one.file, one.id]));
	return new Map(tests.map((test) => [test, numbered(stored[test], firsts)]));
}

async function measured(test: string, all: readonly Candidate[]): Promise<Stored> {
	const { end, output } = await tryOn(test, { mutants: [], count: all.length, mostMs: 0 });
	if (end === undefined) throw new Error(`${test} fails without any mutant:\n${output}`);
	const files: Stored['files'] = {};
	for (const where of ['inTests', 'outside'] as const)
		for (const id of idsOf(end[where])) {
			const { file, index } = all[id] as Candidate;
			files[file] ??= { digest: digestOf(file), inTests: [], outside: [] };
			files[file][where].push(index);
		}
	return { digest: digestOf(test), files };
}

function numbered(stored: Stored | undefined, firsts: ReadonlyMap<string, number>): Reached {
	const reached = { inTests: new Set<number>(), outside: new Set<number>() };
	for (const [file, one] of Object.entries(stored?.files ?? {}))
		for (const where of ['inTests', 'outside'] as const)
			for (const index of one[where]) reached[where].add((firsts.get(file) ?? 0) + index);
	return reached;
}

/** Those that reach it: those that are named like it first, then those that reach the least else. */
export function testsOf(
	{ id, file }: Candidate,
	reach: ReadonlyMap<string, Reached>,
	where: keyof Reached,
): string[] {
	const own = wordsOf(file);
	// What is done while the code is loaded is asked by the tests of names and options.
	const scoreOf = (test: string): number =>
		wordsOf(test).filter((word) => own.includes(word)).length +
		(where === 'outside' && test.startsWith('test/contract/') ? 1.5 : 0);
	const size = (test: string): number => reach.get(test)?.inTests.size ?? 0;
	return [...reach.keys()]
		.filter((test) => reach.get(test)?.[where].has(id) === true)
		.map((test) => ({ test, score: scoreOf(test) }))
		.sort((a, b) => b.score - a.score || size(a.test) - size(b.test))
		.map(({ test }) => test);
}

const LIKE_NOTHING = /^(nodes|LeadGenPublishing|test|ts|operations)$/;

/** Folders and names: `post` and `create` of `operations/post/create.ts` and of `post.create.test.ts`. */
const wordsOf = (path: string): string[] =>
	path.split(/[/.]/).filter((word) => !LIKE_NOTHING.test(word));
