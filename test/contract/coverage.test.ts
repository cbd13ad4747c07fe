import { join } from 'node:path';

import { coverageOf, type Coverage, type TestResults } from './coverage';

const file = (name: string, ...tests: Array<[status: string, fullName: string]>) => ({
	name: join(__dirname, '..', name),
	assertionResults: tests.map(([status, fullName]) => ({ status, fullName })),
});
const covered = (...testResults: TestResults['testResults']): Coverage =>
	coverageOf({ testResults });
const testsOf = ({ rows }: Coverage, tag: string) => rows.find((row) => row.tag === tag)?.tests;

it('counts what has passed, once, whichever part of the title carries the tag', () => {
	expect(covered().rows.every(({ tests }) => tests.length === 0)).toBe(true);
	const title = '[post.get] of a client [post.get agency] with [code not_found]';
	const passed = file('api/a.test.ts', ['passed', title]);
	// Two projects may run it.
	const found = covered(passed, passed);
	for (const tag of ['post.get', 'post.get agency', 'code not_found'])
		expect(testsOf(found, tag)).toEqual([`test/api/a.test.ts: ${title}`]);
	expect(found.unknown).toEqual([]);
});

it('counts nothing that has not passed, or that is no test of the nodes', () => {
	for (const status of ['failed', 'pending', 'skipped', 'todo', 'disabled'])
		expect(testsOf(covered(file('api/a.test.ts', [status, '[post.get]'])), 'post.get')).toEqual([]);
	const found = covered(file('e2e/a.test.ts', ['passed', '[post.get] [post.vanish]']));
	expect([testsOf(found, 'post.get'), found.unknown]).toEqual([[], []]);
});

it('names a tag that no row has, and takes nothing else in brackets for one', () => {
	const tags = ['post.vanish', 'code nonsense', 'reason nonsense', 'client.get agency'];
	const titles = [...tags, 'once', 'req_1', '1'].map((tag) => `[${tag}]`);
	const { unknown } = covered(
		file('a.test.ts', ...titles.map((one) => ['passed', one] as ['passed', string])),
	);
	expect(unknown).toEqual(tags.map((tag) => `${tag}: test/a.test.ts: [${tag}]`));
});
