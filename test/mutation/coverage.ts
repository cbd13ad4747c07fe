/** Which test files run which lines: measured once for each test file, and again when it has changed. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';

import { ROOT } from '../../scripts/n8n/folders';
import { jest } from './jest';
import { WORK } from './places';

interface Ran {
	/** The digest of its text. Another one has other lines. */
	readonly digest: string;
	readonly lines: readonly number[];
}

/** By test file: how long it took, and by source file what it ran. */
export type Coverage = Record<
	string,
	{ readonly ms: number; readonly digest: string; readonly files: Record<string, Ran> }
>;

interface FileCoverage {
	path: string;
	statementMap: Record<string, { start: { line: number }; end: { line: number } }>;
	s: Record<string, number>;
}

const FILE = join(WORK, 'coverage.json');

export const digestOf = (file: string): string =>
	createHash('sha256')
		.update(readFileSync(join(ROOT, file)))
		.digest('base64url')
		.slice(0, 12);

const read = (): Coverage =>
	existsSync(FILE) ? (JSON.parse(readFileSync(FILE, 'utf8')) as Coverage) : {};

/** Measures the test files that have not been measured yet, or have changed since. */
export async function coverageOf(
	tests: readonly string[],
	{ workers, note }: { workers: number; note: (text: string) => void },
): Promise<Coverage> {
	mkdirSync(WORK, { recursive: true });
	const known = read();
	const left = tests.filter((test) => known[test]?.digest !== digestOf(test));
	const work = async (): Promise<void> => {
		for (let test = left.pop(); test !== undefined; test = left.pop()) {
			note(`${left.length} test files left to measure`);
			known[test] = await measured(test);
			writeFileSync(FILE, JSON.stringify(known));
		}
	};
	await Promise.all(Array.from({ length: workers }, work));
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
		],
	});
	if (!passed) throw new Error(`${test} fails without any mutant:\n${output.slice(-2_000)}`);
	const found = JSON.parse(readFileSync(join(folder, 'coverage-final.json'), 'utf8')) as Record<
		string,
		FileCoverage
	>;
	const files = Object.fromEntries(
		Object.values(found)
			.map((file): [string, Ran] => {
				const path = relative(ROOT, file.path).replaceAll('\\', '/');
				return [path, { digest: digestOf(path), lines: linesOf(file) }];
			})
			.filter(([path, { lines }]) => /^(?:nodes|credentials)\//.test(path) && lines.length > 0),
	);
	return { ms: Date.now() - began, digest: digestOf(test), files };
}

function linesOf({ statementMap, s }: FileCoverage): number[] {
	const lines = new Set<number>();
	for (const [id, { start, end }] of Object.entries(statementMap)) {
		if ((s[id] ?? 0) === 0) continue;
		for (let line = start.line; line <= end.line; line += 1) lines.add(line);
	}
	return [...lines];
}

/**
 * The test files that run this line: its own first, then those that run the least else. If the file
 * has changed since that was measured, all those that run anything of it.
 */
export function testsOf(
	coverage: Coverage,
	{ file, line, digest }: { file: string; line: number; digest: string },
): string[] {
	const name = /([^/]+)\.ts$/.exec(file)?.[1] ?? '';
	const size = (test: string): number =>
		Object.values(coverage[test]?.files ?? {}).reduce((sum, { lines }) => sum + lines.length, 0);
	const isOwn = (test: string): boolean => (test.split('/').at(-1) ?? '').startsWith(`${name}.`);
	const runs = (test: string): boolean => {
		const ran = coverage[test]?.files[file];
		return ran !== undefined && (ran.digest !== digest || ran.lines.includes(line));
	};
	return Object.keys(coverage)
		.filter(runs)
		.sort((a, b) => Number(isOwn(b)) - Number(isOwn(a)) || size(a) - size(b));
}
