/**
 * Which tests exercise which row of the API document: each endpoint, each agency variant, each
 * code and each reason of part 7. `.ci/run` prints it from the results of the
 * last whole run, and fails when a row is empty or a test names a row that does not exist.
 *
 * The evidence is in the titles of the tests that passed. One that exercises a row says so with a
 * tag, in its own title or in that of a `describe`:
 *
 *   [post.create]           the endpoint, for the own account
 *   [post.create agency]    its variant below /clients/{clientId}
 *   [code not_found]        a code of 7.1
 *   [reason rate_limited]   a reason of 7.2 to 7.4
 *
 * Tests of the fake service, of whole hosts and of the tests' own tools count for nothing.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

import { endpointNames, ENDPOINTS } from '../../nodes/LeadGenPublishing/api/endpoints';
import { parseDocument } from './document';

const ROOT = join(__dirname, '..', '..');
const RESULTS = join(ROOT, '.cache', 'test-results.json');
const LEFT_OUT = /^test\/(fake-service|e2e|bench|support)\//;
const TAG = /\[((?:code |reason )\w+|[a-z]\w*\.[a-z]\w*(?: agency)?)\]/g;

/** What jest writes with `--json`, as far as it matters here. */
export interface TestResults {
	testResults: ReadonlyArray<{
		/** The file, absolute. */
		name: string;
		assertionResults: ReadonlyArray<{ status: string; fullName: string }>;
	}>;
}

export interface Row {
	group: 'endpoint' | 'agency' | 'code' | 'reason';
	tag: string;
	tests: string[];
}

export interface Coverage {
	rows: Row[];
	/** Tags that no row has, with the test that carries them. */
	unknown: string[];
}

/** By tag, the tests that carry it and passed; one that runs in two projects counts once. */
function evidenceIn({ testResults }: TestResults): Map<string, Set<string>> {
	const evidence = new Map<string, Set<string>>();
	for (const { name, assertionResults } of testResults) {
		const file = relative(ROOT, name).split(sep).join('/');
		if (LEFT_OUT.test(file)) continue;
		for (const { status, fullName } of assertionResults)
			for (const [, tag = ''] of status === 'passed' ? fullName.matchAll(TAG) : [])
				evidence.set(tag, (evidence.get(tag) ?? new Set()).add(`${file}: ${fullName}`));
	}
	return evidence;
}

export function coverageOf(results: TestResults): Coverage {
	const evidence = evidenceIn(results);
	const { codes, reasons } = parseDocument();
	const row = (group: Row['group'], tag: string): Row => ({
		group,
		tag,
		tests: [...(evidence.get(tag) ?? [])],
	});
	const rows = [
		...endpointNames.map((name) => row('endpoint', name)),
		...endpointNames
			.filter((name) => ENDPOINTS[name].agency)
			.map((name) => row('agency', `${name} agency`)),
		...codes.map((code) => row('code', `code ${code}`)),
		...reasons.map((reason) => row('reason', `reason ${reason}`)),
	];
	const known = new Set(rows.map(({ tag }) => tag));
	const unknown = [...evidence].filter(([tag]) => !known.has(tag));
	return {
		rows,
		unknown: unknown.flatMap(([tag, tests]) => [...tests].map((test) => `${tag}: ${test}`)),
	};
}

function print({ rows, unknown }: Coverage): boolean {
	for (const { group, tag, tests } of rows) {
		const [first = 'NO TEST', ...others] = tests;
		const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
		console.log(`${group.padEnd(9)} ${tag.padEnd(50)} ${first}${more}`);
	}
	for (const one of unknown) console.log(`No row has the tag ${one}`);
	const empty = rows.filter(({ tests }) => tests.length === 0);
	console.log(`\n${rows.length} rows, ${empty.length} without a test`);
	return empty.length === 0 && unknown.length === 0;
}

function main(): void {
	if (!existsSync(RESULTS)) {
		console.error(
			'No results yet. First: npm test -- --json --outputFile=.cache/test-results.json',
		);
		process.exit(1);
	}
	const results = JSON.parse(readFileSync(RESULTS, 'utf8')) as TestResults;
	if (!print(coverageOf(results))) process.exit(1);
}

if (require.main === module) main();
