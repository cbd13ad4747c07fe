/** Which mutant is tried on which tests, and when. */
import type { Candidate } from './candidates';
import { inParallel } from './inParallel';
import { tryOn, type Killed } from './oneFile';
import { testsOf, type Reached } from './reach';
import { trial } from './trial';

export type Verdict =
	| ({ readonly kind: 'killed' } & Killed)
	| { readonly kind: 'survived'; readonly tests: number }
	/** No test reaches it. */
	| { readonly kind: 'unseen' }
	/** Reached only while the code is loaded, and not in the sample of those. */
	| { readonly kind: 'untried' }
	| { readonly kind: 'accepted' };

interface Options {
	readonly reach: ReadonlyMap<string, Reached>;
	readonly count: number;
	readonly workers: number;
	readonly maxTests: number;
	/** For each mutant in each test file. */
	readonly mostMs: number;
	readonly mostLoading: number;
	readonly chance: () => number;
	readonly note: (text: string) => void;
	/** After each process, or a few. */
	readonly onKilled: (killed: ReadonlyMap<Candidate, Killed>) => void;
}

/** Most fall to the tests nearest to them; what is left then is tried on all others in one go. */
const ROUNDS: ReadonlyArray<readonly [from: number, to?: number]> = [[0, 1], [1, 3], [3]];
/** So that no process takes much longer than the others, and one that fails has not tried all of them. */
const MOST_IN_A_PROCESS = 300;

export async function tryAll(
	mutants: readonly Candidate[],
	options: Options,
): Promise<Map<number, Verdict>> {
	const { reach, note } = options;
	const verdicts = new Map<number, Verdict>();
	const inTests = mutants.filter((one) => testsOf(one, reach, 'inTests').length > 0);
	await inRounds(inTests, verdicts, options);
	// What survives in the tests may still be seen when it is there from the beginning.
	const loading = mutants.filter(
		(one) => verdicts.get(one.id)?.kind !== 'killed' && testsOf(one, reach, 'outside').length > 0,
	);
	note(`${loading.length} are reached while the code is loaded`);
	await whileLoading(loading, verdicts, options);
	for (const { id } of mutants) if (!verdicts.has(id)) verdicts.set(id, { kind: 'unseen' });
	return verdicts;
}

async function inRounds(
	mutants: readonly Candidate[],
	verdicts: Map<number, Verdict>,
	{ reach, count, workers, maxTests, mostMs, note, onKilled }: Options,
): Promise<void> {
	const plans = mutants.map((candidate) => ({
		candidate,
		tests: testsOf(candidate, reach, 'inTests').slice(0, maxTests),
	}));
	const byId = new Map(mutants.map((one) => [one.id, one]));
	for (const { candidate } of plans) verdicts.set(candidate.id, { kind: 'survived', tests: 0 });
	const isAlive = (id: number): boolean => verdicts.get(id)?.kind !== 'killed';
	for (const [round, [from, to]] of ROUNDS.entries()) {
		const byTest = new Map<string, number[]>();
		for (const { candidate, tests } of plans) {
			if (!isAlive(candidate.id)) continue;
			for (const test of tests.slice(from, to)) {
				const ids = byTest.get(test) ?? [];
				byTest.set(test, ids);
				ids.push(candidate.id);
			}
		}
		const work = [...byTest].flatMap(([test, ids]) => parted(ids).map((part) => ({ test, part })));
		work.sort((a, b) => b.part.length - a.part.length);
		await inParallel(work, workers, async ({ test, part }) => {
			const some = part.filter(isAlive);
			if (some.length === 0) return;
			const found = await tryOn(test, { mutants: some, count, mostMs });
			onKilled(new Map([...found.killed].map(([id, one]) => [byId.get(id) as Candidate, one])));
			for (const id of some) {
				const killed = found.killed.get(id);
				const before = verdicts.get(id);
				if (killed !== undefined) {
					verdicts.set(id, { kind: 'killed', ...killed });
				} else if (before?.kind === 'survived') {
					const tests = before.tests + (found.tried.get(id) ?? 0);
					verdicts.set(id, { kind: 'survived', tests });
				}
			}
			const killed = some.filter((id) => found.killed.has(id)).length;
			const untried = some.filter((id) => !found.killed.has(id) && !found.tried.has(id)).length;
			note(
				`round ${round + 1}: ${test}: ${killed} of ${some.length} killed` +
					(untried > 0 ? `, ${untried} not tried` : ''),
			);
		});
	}
}

const parted = (ids: readonly number[]): number[][] =>
	Array.from({ length: Math.ceil(ids.length / MOST_IN_A_PROCESS) }, (_, part) =>
		ids.slice(part * MOST_IN_A_PROCESS, (part + 1) * MOST_IN_A_PROCESS),
	);

async function whileLoading(
	mutants: readonly Candidate[],
	verdicts: Map<number, Verdict>,
	{ reach, workers, maxTests, mostLoading, chance, note, onKilled }: Options,
): Promise<void> {
	const some = mutants
		.map((candidate) => ({ candidate, place: chance() }))
		.sort((a, b) => a.place - b.place)
		.map(({ candidate }) => candidate);
	for (const { id } of some.splice(mostLoading))
		if (!verdicts.has(id)) verdicts.set(id, { kind: 'untried' });
	const kills = new Map<string, number>();
	await inParallel(some, workers, async (candidate) => {
		// One that holds all names and options kills most of them.
		const tests = testsOf(candidate, reach, 'outside')
			.sort((a, b) => (kills.get(b) ?? 0) - (kills.get(a) ?? 0))
			.slice(0, maxTests);
		const killed = await trial(candidate, tests);
		const { file, line, kind, id } = candidate;
		if (killed !== undefined) {
			kills.set(killed.by, (kills.get(killed.by) ?? 0) + 1);
			onKilled(new Map([[candidate, killed]]));
		}
		verdicts.set(
			id,
			killed === undefined
				? { kind: 'survived', tests: tests.length }
				: { kind: 'killed', ...killed },
		);
		note(`${file}:${line}: ${kind}: ${killed === undefined ? 'survived' : 'killed'}`);
	});
}
