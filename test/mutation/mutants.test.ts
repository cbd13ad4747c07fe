/** The faults that `npm run test:mutation` puts into the code are faults, and code. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { transformSync } from 'esbuild';

import { ROOT } from '../../scripts/n8n/folders';
import { isAccepted } from './accepted';
import { mutantsOf, mutated } from './mutants';

const of = (text: string): string[] => mutantsOf('a.ts', text).map((one) => mutated(text, one));

it.each<[string, readonly string[]]>([
	['x(a < 2)', ['x(((a) <= (2)))', 'x(((a) > (2)))', 'x(a < (2 + 1))']],
	['x(!a?.trim())', ['x(a?.trim())', 'x(!a)']],
	[
		"x(b.some(c) ?? 'd')",
		["x(((b.some(c)) && ('d')))", "x(b.every(c) ?? 'd')", "x(b.some(c) ?? 'mutant')"],
	],
	['x(/^a$/)', ['x(/a$/)', 'x(/^a/)']],
	[
		'x({ ...a, description: `b ${1}`, 3: true })',
		[
			'x({ ...{}, description: `b ${1}`, 3: true })',
			'x({ ...a, description: `b ${1}`, 3: false })',
		],
	],
	["x(y('A sentence.') + 'b')", ["x(y('A sentence.') + 'mutant')"]],
])('%s', (text, expected) => {
	expect(of(text)).toEqual([';', ...expected]);
});

it('a condition is taken for met, and for not met', () => {
	expect(of('if (a) b;')).toEqual([
		'if ((true as boolean)) b;',
		'if ((false as boolean)) b;',
		'if (a) ;',
	]);
});

it('what is undefined already is no fault', () => {
	const inFunction = (text: string): number => mutantsOf('a.ts', `function f() { ${text} }`).length;
	expect([inFunction('return undefined;'), inFunction('return;'), inFunction('return a;')]).toEqual(
		[0, 0, 1],
	);
});

it('all of them are code', () => {
	const folder = join(ROOT, 'nodes');
	let count = 0;
	for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
		if (!name.endsWith('.ts')) continue;
		const text = readFileSync(join(folder, name), 'utf8');
		const mutants = mutantsOf(name, text);
		count += mutants.length;
		for (const [index, mutant] of mutants.entries()) {
			expect(mutated(text, mutant)).not.toBe(text);
			if (index % 150 === 0) transformSync(mutated(text, mutant), { loader: 'ts' });
		}
	}
	expect(count).toBeGreaterThan(5_000);
});

it('one is accepted by the line on which it stands', () => {
	const candidate = { file: 'a.ts', line: 2, kind: 'k' };
	expect(isAccepted(candidate, 'a\n\tb', [{ file: 'a.ts', line: 'b', kind: 'k', why: '' }])).toBe(
		true,
	);
	expect(isAccepted(candidate, 'a\n\tc', [{ file: 'a.ts', line: 'b', kind: 'k', why: '' }])).toBe(
		false,
	);
});
