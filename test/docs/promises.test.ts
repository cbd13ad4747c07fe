/** A promise in a page or a panel is held by a test, or it is not made. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { ROOT } from './example';
import { everyPromise, promisesTable, unusedRows } from './promises';

const promises = everyPromise();

it('each one has its test', () => {
	const without = promises.filter(({ test }) => test === undefined);
	expect(without).toEqual([]);
});

it('each of these tests exists', () => {
	const tests = promises.flatMap(({ test }) => test ?? []);
	expect(tests.filter((test) => !existsSync(join(ROOT, test)))).toEqual([]);
});

it('no row is left over of a sentence that is gone', () => {
	expect(unusedRows()).toEqual([]);
});

it('the table shows them', () => {
	expect(promisesTable()).toMatch(/\| test\/api\/signing\.test\.ts \|/);
});
