/** A mutant is killed only by a test that passes without it, before and afterwards. */
import { Rounds, type Run } from './rounds';

type Outcome = readonly [run: Run, what: unknown];

/** Runs a test that fails when `fails` says so; what each run has shown. */
function all(
	mutants: readonly number[],
	{ careful = false, fails }: { careful?: boolean; fails: (run: Run, count: number) => boolean },
): Outcome[] {
	const rounds = new Rounds(careful);
	const outcomes: Outcome[] = [];
	for (let count = 1; count < 100; count += 1) {
		const run = rounds.next();
		const hasFailed = fails(run, count);
		if (count === 1) rounds.put(mutants);
		const what = hasFailed ? rounds.failed(true) : rounds.passed().map(({ id }) => id);
		outcomes.push([run, what]);
		if (what === 'once' || what === 'spoilt') return [...outcomes, ['control', rounds.suspects]];
		if (rounds.isOver) return outcomes;
	}
	return outcomes;
}

const isMutant = (run: Run, ...ids: number[]): boolean =>
	run !== 'control' && ids.includes(run.mutant);

it('passes twice without a mutant, then once with each', () => {
	expect(all([4, 5], { fails: () => false })).toEqual([
		['control', []],
		['control', []],
		[{ mutant: 4 }, []],
		[{ mutant: 5 }, []],
	]);
});

it('what fails counts when the test passes again', () => {
	expect(all([4, 5, 6], { fails: (run) => isMutant(run, 4, 6) })).toEqual([
		['control', []],
		['control', []],
		[{ mutant: 4 }, 'failure'],
		[{ mutant: 5 }, [4]],
		[{ mutant: 6 }, 'failure'],
		['control', [6]],
	]);
});

it('after five failures in a row it has to', () => {
	const runs = all([1, 2, 3, 4, 5, 6], { fails: (run) => run !== 'control' });
	expect(runs.at(7)).toEqual(['control', [1, 2, 3, 4, 5]]);
	expect(runs.at(-1)).toEqual(['control', [6]]);
});

it('a test that passes only once says nothing', () => {
	expect(all([4], { fails: (_run, count) => count > 1 }).slice(1)).toEqual([
		['control', 'once'],
		['control', { failed: [], passed: [] }],
	]);
});

it('what one has left behind makes suspects of all since the last time without any', () => {
	const runs = all([4, 5], { fails: (run, count) => isMutant(run, 5) || count > 4 });
	expect(runs.slice(-3)).toEqual([
		[{ mutant: 5 }, 'failure'],
		['control', 'spoilt'],
		['control', { failed: [5], passed: [4] }],
	]);
});

it('carefully, it passes without a mutant between any two', () => {
	expect(all([4, 5], { careful: true, fails: (run) => isMutant(run, 4) })).toEqual([
		['control', []],
		['control', []],
		[{ mutant: 4 }, 'failure'],
		['control', [4]],
		[{ mutant: 5 }, []],
	]);
});
