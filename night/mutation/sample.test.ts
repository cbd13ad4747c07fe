/** `night/mutation/main.ts` draws fairly, repeatably, and counts what came of it. */
import { draw } from './draw';
import { figures, perRoom } from './figures';
import { testFoldersOf } from './rooms';

const FILES = new Map([
	['a.ts', 20],
	['b.ts', 8],
	['empty.ts', 0],
]);

it('draws stretches that lie in their file and never overlap, all of them if there is room', () => {
	expect(draw(FILES, { count: 99, seed: 1 })).toEqual([
		{ file: 'a.ts', from: 1, to: 8 },
		{ file: 'a.ts', from: 9, to: 16 },
		{ file: 'a.ts', from: 17, to: 20 },
		{ file: 'b.ts', from: 1, to: 8 },
	]);
});

it('draws the same by the same seed, and over many seeds each stretch as often as the others', () => {
	expect(draw(FILES, { count: 2, seed: 5 })).toEqual(draw(FILES, { count: 2, seed: 5 }));
	const counts = new Map<string, number>();
	for (let seed = 0; seed < 2_000; seed++)
		for (const { file, from } of draw(FILES, { count: 1, seed }))
			counts.set(`${file}:${from}`, (counts.get(`${file}:${from}`) ?? 0) + 1);
	expect(counts.size).toBe(4);
	for (const count of counts.values()) expect(Math.abs(count - 500)).toBeLessThan(100);
});

describe('counts', () => {
	const mutants = (first: number, ...all: string[]) =>
		all.map((status, index) => ({ status, location: { start: { line: first + index } } }));

	const drawn = (file: string, ...lines: number[]) =>
		lines.map((from) => ({ file, from, to: from + 7 }));

	it('a fault that nobody reached as one that lives, and leaves out what was no program', () => {
		const killed = Array.from({ length: 19 }, () => 'Killed');
		const files = {
			'nodes/api/a.ts': {
				mutants: mutants(1, ...killed, 'Timeout', 'RuntimeError', 'CompileError'),
			},
			'nodes/watch/b.ts': { mutants: mutants(1, 'Killed', 'Survived', 'NoCoverage', 'Killed') },
		};
		const { rows, isGood } = figures({ files }, [
			...drawn('nodes/api/a.ts', 1, 9, 17),
			...drawn('nodes/watch/b.ts', 1),
		]);
		expect(rows).toEqual([
			['all', '22 of 24 noticed, 91.7 % ± 18.3 (bar 92)'],
			['where leads or posts are at stake', '2 of 4 noticed, 50.0 % ± 0.0 (bar 95)'],
		]);
		expect(isGood).toBe(false);
	});

	it('what was drawn, and nothing of earlier runs', () => {
		const files = { 'a.ts': { mutants: mutants(8, 'Survived', 'Killed') } };
		const { rows, isGood } = figures({ files }, drawn('a.ts', 9));
		expect(rows[0]?.[1]).toBe('1 of 1 noticed, 100.0 % ± 0.0 (bar 92)');
		expect(isGood).toBe(true);
	});

	it('each room on its own', () => {
		const files = {
			'nodes/LeadGenPublishing/watch/a.ts': { mutants: mutants(1, 'Killed', 'Survived') },
			'nodes/LeadGenPublishing/feed/deep/b.ts': {
				mutants: mutants(1, 'Timeout', 'NoCoverage'),
			},
			'nodes/LeadGenPublishing/LeadGenPublishing.node.ts': { mutants: mutants(1, 'Killed') },
			'credentials/c.ts': { mutants: mutants(1, 'Killed') },
		};
		const all = Object.keys(files).flatMap((file) => drawn(file, 1));
		expect(perRoom({ files }, all)).toEqual([
			['room', 'faults', 'noticed', 'not noticed'],
			['credentials', '1', '1', '0'],
			['feed', '2', '1', '1'],
			['nodes', '1', '1', '0'],
			['watch', '2', '1', '1'],
		]);
	});

	it('the lists of the trigger and the ledger of the writes among what is at stake', () => {
		for (const room of ['feed', 'watch', 'writes', 'run']) {
			const file = `nodes/LeadGenPublishing/${room}/a.ts`;
			const { rows } = figures(
				{ files: { [file]: { mutants: mutants(1, 'Killed') } } },
				drawn(file, 1),
			);
			expect(rows[1]?.[1]).toContain('1 of 1 noticed');
		}
	});

	it('faults of one stretch as one drawing', () => {
		const half = (first: number) => mutants(first, 'Killed', 'Killed', 'Survived', 'Survived');
		const of = (...all: Array<ReturnType<typeof mutants>>) =>
			figures({ files: { 'a.ts': { mutants: all.flat() } } }, drawn('a.ts', 1, 9)).rows[0]?.[1];
		expect(of(half(1), half(9))).toBe('4 of 8 noticed, 50.0 % ± 0.0 (bar 92)');
		expect(of(mutants(1, 'Killed', 'Killed'), mutants(9, 'Survived', 'Survived'))).toBe(
			'2 of 4 noticed, 50.0 % ± 98.0 (bar 92)',
		);
	});
});

it('asks the tests of the room, those that tell its promises with it, and the contract', () => {
	const below = (file: string) => testFoldersOf(`nodes/LeadGenPublishing/${file}`);
	expect(below('watch/poll.ts')).toEqual(['watch', 'contract']);
	expect(below('operations/post/create.ts')).toEqual(['operations', 'contract']);
	expect(below('writes/decide.ts')).toEqual(['writes', 'run', 'operations', 'contract']);
	expect(below('LeadGenPublishing.node.ts')).toEqual(['contract']);
	expect(testFoldersOf('credentials/LeadGenPublishingApi.credentials.ts')).toEqual([
		'credentials',
		'contract',
	]);
});
