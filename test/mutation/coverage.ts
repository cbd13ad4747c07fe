/** Which test files run which lines: measured once, one test file after another. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';

import { ROOT } from '../../scripts/n8n/folders';
import { jest } from './jest';
import { WORK } from './places';

/** By test file: how long it took, and by source file the lines that it ran. */
export type Coverage = Record<string, { ms: number; lines: Record<string, number[]> }>;

interface FileCoverage {
	path: string;
	statementMap: Record<string, { start: { line: number }; end: { line: number } }>;
	s: Record<string, number>;
}

const FILE = join(WORK, 'coverage.json');

const read = (): Coverage =>
	existsSync(FILE) ? (JSON.parse(readFileSync(FILE, 'utf8')) as Coverage) : {};

/** Measures the test files that have not been measured yet. */
export async function coverageOf(
	tests: readonly string[],
	note: (text: string) => void,
): Promise<Coverage> {
	mkdirSync(WORK, { recursive: true });
	const known = read();
	const left = tests.filter((test) => known[test] === undefined);
	const work = async (): Promise<void> => {
		for (let test = left.pop(); test !== undefined; test = left.pop()) {
			note(`${left.length} test files left to measure`);
			known[test] = await measured(test);
			writeFileSync(FILE, JSON.stringify(known));
		}
	};
	await Promise.all([work(), work()]);
	return Object.fromEntries(Object.entries(known).filter(([test]) => tests.includes(test)));
}

async function measured(test: string): Promise<Coverage[string]> {
	const folder = join(WORK, 'of', test.replaceAll('/', '_'));
	const began = Date.now();
	const { passed, output } = await jest([test], {
		args: [
			'--coverage',
			'--coverageProvider=v8',
			'--coverageReporters=json',
			`--coverageDirectory=${folder}`,
			'--collectCoverageFrom=nodes/**/*.ts',
			'--collectCoverageFrom=credentials/**/*.ts',
		],
	});
	if (!passed) throw new Error(`${test} fails without any mutant:\n${output.slice(-2_000)}`);
	const found = JSON.parse(readFileSync(join(folder, 'coverage-final.json'), 'utf8')) as Record<
		string,
		FileCoverage
	>;
	const lines = Object.fromEntries(
		Object.values(found)
			.map((file) => [relative(ROOT, file.path), linesOf(file)] as const)
			.filter(([, all]) => all.length > 0),
	);
	return { ms: Date.now() - began, lines };
}

function linesOf({ statementMap, s }: FileCoverage): number[] {
	const lines = new Set<number>();
	for (const [id, { start, end }] of Object.entries(statementMap)) {
		if ((s[id] ?? 0) === 0) continue;
		for (let line = start.line; line <= end.line; line += 1) lines.add(line);
	}
	return [...lines];
}

/** The test files that run this line: its own first, then those that run the least else. */
export function testsOf(
	coverage: Coverage,
	{ file, line }: { file: string; line: number },
): string[] {
	const name = /([^/]+)\.ts$/.exec(file)?.[1] ?? '';
	const size = (test: string): number =>
		Object.values(coverage[test]?.lines ?? {}).reduce((sum, lines) => sum + lines.length, 0);
	const isOwn = (test: string): boolean => (test.split('/').at(-1) ?? '').startsWith(`${name}.`);
	return Object.keys(coverage)
		.filter((test) => coverage[test]?.lines[file]?.includes(line) === true)
		.sort((a, b) => Number(isOwn(b)) - Number(isOwn(a)) || size(a) - size(b));
}
