/**
 * Random histories of writes, against a service that knows what is true (`writes/`). More of them:
 * `npm run simulate -- --writes`.
 */
import { shareOf, times } from '../support/long';
import { addAll, EXCUSED, NEVER, total, WITHOUT_KEY, type Counts } from './histories/counts';
import { playHistories } from './histories/histories';
import { BLANK_AS, BLANK_FIELDS, NO_FAULTS } from './histories/faults';
import { KINDS } from './histories/kinds';
import { PLAIN, Play } from './histories/play';
import { Scene, SHAPES } from './histories/scene';

/** As `npm run simulate -- --writes 2000 5300` plays them at night, and the first 100 at once. */
const RUNS = 50;
const SEEDS = Array.from({ length: times(2, 40) }, (_, share) => 5_300 + share * RUNS);
const HISTORIES = SEEDS.length * RUNS;

let scene: Scene;
beforeAll(async () => {
	scene = await Scene.open();
});
afterAll(async () => await scene.close());

const counts: Record<number, Counts> = {};

describe(`${HISTORIES} histories`, () => {
	it.each(SEEDS)(
		'hold from seed %i on',
		async (seed) => {
			const { counts: found, wrong } = await playHistories(scene, { seed, runs: RUNS });
			expect(wrong).toBeUndefined();
			for (const name of NEVER) expect([name, found[name] ?? 0]).toEqual([name, 0]);
			counts[seed] ??= found;
		},
		600_000,
	);

	it('are hard enough, as what happens nevertheless shows', () => {
		const sum: Counts = {};
		for (const some of Object.values(counts)) addAll(sum, some);
		// Each of them alone is rare.
		for (const names of [WITHOUT_KEY, EXCUSED, ['kills'] as const])
			expect(total(sum, names)).toBeGreaterThan(0);
	});
});

it('a post of an earlier run that appears late is not taken for the one that was just sent', async () => {
	const kind = KINDS.find(({ name }) => name === 'post');
	if (kind === undefined) throw new Error('There is no such kind');
	const play = new Play(scene, [{ kind, unique: true, rows: 1, maxWaitSeconds: undefined }]);
	const [task] = play.tasks;
	if (task === undefined) throw new Error('There is no task');
	await play.kill(task, { at: 1, effect: { kind: 'late', ms: 100 } });
	const writes = [{ kind: 'error', status: 500, after: true }] as const;
	await play.start(task, { ...PLAIN, changed: true, faults: { ...NO_FAULTS, writes } });
	await play.end();
	expect(play.findings.wrong).toEqual([]);
});

describe.each(SHAPES)('in the %s shapes', (shapes) => {
	it.each(BLANK_AS)(
		'a row has its content again after it was edited and taken back, with lists whose texts are %s',
		async (as) => {
			const kind = KINDS.find(({ name }) => name === 'post of a row');
			if (kind === undefined) throw new Error('There is no such kind');
			const setup = { kind, unique: true, rows: 2, maxWaitSeconds: undefined };
			const play = new Play(scene, [setup], { shapes });
			const [task] = play.tasks;
			if (task === undefined) throw new Error('There is no task');
			const how = { ...PLAIN, faults: { ...NO_FAULTS, blank: { as, fields: ['text'] } } };
			for (const changed of [false, true]) await play.start(task, { ...how, changed });
			await play.start(task, how);
			play.personEdits(task);
			await play.end();
			expect(play.findings.wrong).toEqual([]);
		},
	);

	const recognisedInLists = KINDS.filter(
		({ canBeUnique, recognised }) => canBeUnique && !recognised,
	);

	it.each(
		recognisedInLists.flatMap((kind, ofKind) =>
			BLANK_AS.flatMap((as, ofWay) => [
				{ kind, as, fields: BLANK_FIELDS, rows: 2 },
				...shareOf(BLANK_FIELDS, {
					nth: BLANK_AS.length,
					index: SHAPES.indexOf(shapes) + ofKind + ofWay,
				}).map((field) => ({ kind, as, fields: [field], rows: 1 })),
			]),
		),
	)(
		'a $kind.name is not created again by a new process, with lists whose $fields are $as',
		async ({ kind, as, fields, rows }) => {
			const setup = { kind, unique: true, rows, maxWaitSeconds: undefined };
			const play = new Play(scene, [setup], { shapes });
			const [task] = play.tasks;
			if (task === undefined) throw new Error('There is no task');
			await play.runAgainInNewProcess(task, { as, fields });
			expect(task.rows.map((row) => kind.applied(scene.service, row))).toEqual(
				task.rows.map(() => 1),
			);
			await play.end();
			expect(play.findings.wrong).toEqual([]);
		},
	);
});
