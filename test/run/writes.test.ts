/**
 * Random histories of writes, against a service that knows what is true (`writes/`). More of them:
 * `npm run simulate -- --writes`.
 */
import {
	addAll,
	ALL_NAMES,
	EXCUSED,
	mustBeZero,
	total,
	WITHOUT_KEY,
	type Counts,
} from './writes/counts';
import { playHistories } from './writes/histories';
import { Scene } from './writes/scene';

/** As `npm run simulate -- --writes 2000 5000` plays them. */
const SEEDS = Array.from({ length: 20 }, (_, share) => 5_000 + share * 100);
const HISTORIES = SEEDS.length * 100;

let scene: Scene;
beforeAll(async () => {
	scene = await Scene.open();
});
afterAll(async () => await scene.close());

it(`holds in ${HISTORIES} histories`, async () => {
	const counts: Counts = {};
	for (const seed of SEEDS) {
		const { counts: more, wrong } = await playHistories(scene, { seed, runs: 100 });
		expect(wrong).toBeUndefined();
		addAll(counts, more);
	}
	const sums = Object.fromEntries(ALL_NAMES.map((name) => [name, total(counts, name)]));
	for (const name of ALL_NAMES.filter(mustBeZero)) expect([name, sums[name]]).toEqual([name, 0]);
	// What happens nevertheless shows that the histories are hard enough.
	for (const name of [...WITHOUT_KEY, ...EXCUSED, 'kills' as const])
		expect([name, sums[name] ?? 0]).not.toEqual([name, 0]);
}, 600_000);
