/**
 * Random histories of writes, against a service that knows what is true (`writes/`). More of them:
 * `npm run simulate -- --writes`.
 */
import { ALL_NAMES, EXCUSED, mustBeZero, total, WITHOUT_KEY } from './writes/counts';
import { playHistories } from './writes/histories';
import { Scene } from './writes/scene';

const HISTORIES = 2_000;

let scene: Scene;
beforeAll(async () => {
	scene = await Scene.open();
});
afterAll(async () => await scene.close());

it(`holds in ${HISTORIES} histories`, async () => {
	const { counts, wrong } = await playHistories(scene, { seed: 17, runs: HISTORIES });
	expect(wrong).toBeUndefined();
	const sums = Object.fromEntries(ALL_NAMES.map((name) => [name, total(counts, name)]));
	for (const name of ALL_NAMES.filter(mustBeZero)) expect([name, sums[name]]).toEqual([name, 0]);
	// What happens nevertheless shows that the histories are hard enough.
	for (const name of [...WITHOUT_KEY, ...EXCUSED, 'kills' as const])
		expect([name, sums[name] ?? 0]).not.toEqual([name, 0]);
}, 600_000);
