/**
 * StrykerJS's runner for jest, so that it carries a suite of this size. As it is, a fault runs every
 * file of tests that imports the changed one, nearly all of them, and goes on when one has noticed.
 * Here only those files run that reached the fault in the dry run, the nearest first, a few at a time,
 * until one notices; and that one has to pass without the fault, so that nothing else is taken for it.
 * The tests of other rooms do not count: `rooms.ts` says whose do.
 */
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, isAbsolute, relative } from 'node:path';

import { strykerPlugins as pluginsOfJest } from '@stryker-mutator/jest-runner';

import { testFoldersOf } from './rooms.ts';

/** Beside the copy: the faults that nobody has noticed, to be read while others are still being tried. */
const UNNOTICED = '../../unnoticed.txt';

/** What the dry run has seen, for the processes that come later; in the copy that StrykerJS works on. */
const SEEN = '.cache-of-dry-run.json';

const sum = (numbers) => numbers.reduce((all, number) => all + number, 0);

/** Loading a file of tests is part of what its tests take; StrykerJS would add all loading to each fault. */
function shareLoading(tests, results) {
	for (const { testFilePath, perfStats, testResults } of results.testResults) {
		const loading = perfStats.runtime - sum(testResults.map(({ duration }) => duration ?? 0));
		for (const test of tests.filter(({ fileName }) => fileName === testFilePath))
			test.timeSpentMs += Math.max(0, loading) / testResults.length;
	}
}

/** Which files reached which fault. What `environment.cjs` has counted for a file goes back to nobody's. */
function reachedBy({ perTest, static: nobodys }, tests) {
	const filesOf = new Map();
	for (const { id, fileName } of tests) filesOf.set(id, [...(filesOf.get(id) ?? []), fileName]);
	const reached = new Map();
	for (const [test, counts] of Object.entries(perTest)) {
		const isLoading = isAbsolute(test);
		for (const [fault, count] of Object.entries(counts)) {
			const files = reached.get(fault) ?? new Set();
			for (const file of isLoading ? [test] : (filesOf.get(test) ?? [])) files.add(file);
			reached.set(fault, files);
			if (isLoading) nobodys[fault] = (nobodys[fault] ?? 0) + count;
		}
		if (isLoading) delete perTest[test];
	}
	return Object.fromEntries([...reached].map(([fault, files]) => [fault, [...files]]));
}

/** Tests named like the changed file first, then those of its room, then the others; quick ones first. */
function nearestFirst(files, changed, msOf) {
	const folders = testFoldersOf(relative(process.cwd(), changed));
	const name = basename(changed, '.ts');
	const folderOf = (file) => relative(process.cwd(), file).split('/')[1];
	const distance = (file) =>
		basename(file).startsWith(`${name}.`) ? 0 : 1 + folders.indexOf(folderOf(file));
	return files
		.filter((file) => folders.includes(folderOf(file)))
		.sort((one, other) => distance(one) - distance(other) || (msOf[one] ?? 0) - (msOf[other] ?? 0));
}

/** 1, 2, 4, … of them. */
function* growingShares(files) {
	for (let from = 0; from < files.length; from = 2 * from + 1)
		yield files.slice(from, 2 * from + 1);
}

function createRunner(injector) {
	const runner = pluginsOfJest[0].factory(injector);
	const adapter = runner.jestTestAdapter;
	const [runJest, dryRun, mutantRun] = [adapter.run, runner.dryRun, runner.mutantRun];
	let testFiles;
	let last;
	let seen;

	adapter.run = async (settings) => {
		const results = await runJest.call(adapter, {
			...settings,
			testFiles: testFiles ?? settings.testFiles,
		});
		last = { settings, results: results.results };
		return results;
	};

	runner.dryRun = async (options) => {
		const result = await dryRun.call(runner, options);
		if (result.status !== 'complete') return result;
		shareLoading(result.tests, last.results);
		const msOf = last.results.testResults.map(({ testFilePath, perfStats }) => [
			testFilePath,
			perfStats.runtime,
		]);
		const reached = reachedBy(result.mutantCoverage ?? { perTest: {}, static: {} }, result.tests);
		writeFileSync(SEEN, JSON.stringify({ reached, msOf: Object.fromEntries(msOf) }));
		return result;
	};

	async function passesWithout({ testFilePath, testResults }) {
		const { settings } = last;
		const { fullName } = testResults.find(({ status }) => status === 'failed');
		const alone = `^${fullName.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`;
		// A test may need what those before it in the file have left.
		for (const testNamePattern of [alone, settings.testNamePattern]) {
			const given = { ...settings, testNamePattern, testFiles: [testFilePath] };
			const { results } = await runJest.call(adapter, given);
			if (results.numFailedTests + results.numRuntimeErrorTestSuites === 0) return true;
		}
		return false;
	}

	runner.mutantRun = async (options) => {
		seen ??= JSON.parse(readFileSync(SEEN, 'utf8'));
		const { activeMutant, sandboxFileName } = options;
		const files = nearestFirst(seen.reached[activeMutant.id] ?? [], sandboxFileName, seen.msOf);
		let nrOfTests = 0;
		try {
			for (testFiles of growingShares(files)) {
				const result = await mutantRun.call(runner, options);
				nrOfTests += result.nrOfTests ?? 0;
				if (result.status === 'survived') continue;
				const noticing = last.results.testResults.find((each) => each.numFailingTests > 0);
				if (noticing !== undefined && !(await passesWithout(noticing)))
					throw new Error(`${noticing.testFilePath} fails without a fault, too`);
				return { ...result, nrOfTests };
			}
			const { location, mutatorName, replacement } = activeMutant;
			const place = `${relative(process.cwd(), sandboxFileName)}:${location.start.line + 1}`;
			appendFileSync(UNNOTICED, `${place} ${mutatorName}: ${replacement}\n`);
			return { status: 'survived', nrOfTests };
		} finally {
			testFiles = undefined;
		}
	};
	return runner;
}
createRunner.inject = ['$injector'];

export { strykerValidationSchema } from '@stryker-mutator/jest-runner';

export const strykerPlugins = [{ kind: 'TestRunner', name: 'jest', factory: createRunner }];
