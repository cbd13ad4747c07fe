/** Each promise in a page or a panel has a test. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { ROOT } from './example';
import { everyPromise, promisesTable, unusedRows } from './promises';

const promises = everyPromise();
/** Where a row names the test of a sentence. */
const HELD_IN = 'HELD of test/docs/promises.ts';

it('each one has its test', () => {
	const without = promises.filter(({ test }) => test === undefined);
	expect({ file: HELD_IN, without }).toEqual({ file: HELD_IN, without: [] });
});

it('each of these tests exists', () => {
	const tests = promises.flatMap(({ test }) => test ?? []);
	expect(tests.filter((test) => !existsSync(join(ROOT, test)))).toEqual([]);
});

it('no row is left whose sentence is gone', () => {
	expect({ file: HELD_IN, left: unusedRows() }).toEqual({ file: HELD_IN, left: [] });
});

it('the table shows them', () => {
	expect(promisesTable()).toMatch(/\| test\/api\/signing\.test\.ts \|/);
});
