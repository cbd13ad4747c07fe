import { join } from 'node:path';

import { coverageOf, type Coverage, type TestResults } from './coverage';
import { parseDocument } from './document';

const file = (name: string, ...tests: Array<[status: string, fullName: string]>) => ({
	name: join(__dirname, '..', name),
	assertionResults: tests.map(([status, fullName]) => ({ status, fullName })),
});
const covered = (...testResults: TestResults['testResults']): Coverage =>
	coverageOf({ testResults });
const testsOf = ({ rows }: Coverage, tag: string) => rows.find((row) => row.tag === tag)?.tests;

it('has a row for each endpoint, agency variant, code and reason of the document', () => {
	const { rows } = covered();
	const count = (group: string) => rows.filter((row) => row.group === group).length;
	const { endpoints, codes, reasons } = parseDocument();
	const agency = endpoints.filter((one) => one.agency !== null);
	expect(['endpoint', 'agency', 'code', 'reason'].map(count)).toEqual(
		[endpoints, agency, codes, reasons].map(({ length }) => length),
	);
	expect([codes.length, reasons.length]).toEqual([10, 23]);
});

it('is empty without results', () => {
	expect(covered().rows.every(({ tests }) => tests.length === 0)).toBe(true);
});

it('counts what has passed, whichever part of the title carries the tag', () => {
	const title = '[post.get] of a client [post.get agency] with [code not_found]';
	const found = covered(file('api/a.test.ts', ['passed', title]));
	const expected = [`test/api/a.test.ts: ${title}`];
	for (const tag of ['post.get', 'post.get agency', 'code not_found'])
		expect(testsOf(found, tag)).toEqual(expected);
	expect(found.unknown).toEqual([]);
});

it.each(['failed', 'pending', 'skipped', 'todo', 'disabled'])(
	'counts nothing that is %s',
	(status) => {
		expect(testsOf(covered(file('api/a.test.ts', [status, '[post.get]'])), 'post.get')).toEqual([]);
	},
);

it.each(['fake-service', 'e2e', 'bench', 'support'])('counts nothing of test/%s', (folder) => {
	const found = covered(file(`${folder}/a.test.ts`, ['passed', '[post.get] [post.vanish]']));
	expect([testsOf(found, 'post.get'), found.unknown]).toEqual([[], []]);
});

it('counts once what two projects run', () => {
	const twice = file('api/a.test.ts', ['passed', '[post.get]']);
	expect(testsOf(covered(twice, twice), 'post.get')).toHaveLength(1);
});

it('names a tag that no row has', () => {
	const titles = ['[post.vanish]', '[code nonsense]', '[reason nonsense]', '[client.get agency]'];
	const { unknown } = covered(
		file('a.test.ts', ...titles.map((one) => ['passed', one] as ['passed', string])),
	);
	expect(unknown).toEqual([
		'post.vanish: test/a.test.ts: [post.vanish]',
		'code nonsense: test/a.test.ts: [code nonsense]',
		'reason nonsense: test/a.test.ts: [reason nonsense]',
		'client.get agency: test/a.test.ts: [client.get agency]',
	]);
});

it('takes nothing else in brackets for a tag', () => {
	expect(covered(file('a.test.ts', ['passed', '[once] [req_1] [1]'])).unknown).toEqual([]);
});
