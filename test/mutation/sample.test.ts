/** `npm run test:mutation` draws fairly, repeatably, and counts what came of it. */
import { draw } from './draw';
import { figures } from './figures';

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

it('counts a fault that nobody reached as one that lives, and leaves out what was no program', () => {
	const mutants = (...all: string[]) => ({ mutants: all.map((status) => ({ status })) });
	const killed = Array.from({ length: 19 }, () => 'Killed');
	const { rows, isGood } = figures({
		files: {
			'nodes/api/a.ts': mutants(...killed, 'Timeout', 'RuntimeError', 'CompileError'),
			'nodes/watch/b.ts': mutants('Killed', 'Survived', 'NoCoverage', 'Killed'),
		},
	});
	expect(rows).toEqual([
		['all', '22 of 24 noticed, 91.7 % ± 11.1 (bar 92)'],
		['where leads or posts are at stake', '2 of 4 noticed, 50.0 % ± 49.0 (bar 95)'],
	]);
	expect(isGood).toBe(false);
	expect(figures({ files: { 'a.ts': mutants('Killed') } })).toMatchObject({ isGood: true });
});
