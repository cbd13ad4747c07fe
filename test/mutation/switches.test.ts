/** All mutants in one text behave as each of them does in a text of its own. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';

import { transformSync } from 'esbuild';

import { ROOT } from '../../scripts/n8n/folders';
import { mutantsOf, mutated } from './mutants';
import { withSwitches } from './switches';

const run = (text: string, isOn: (id: number) => boolean): unknown => {
	const { code } = transformSync(text, { loader: 'ts', target: 'es2022' });
	try {
		return runInNewContext(`${code}; result`, { $mutant: isOn });
	} catch (error) {
		return error instanceof Error ? 'an error' : String(error);
	}
};

it.each([
	'const result = [1, 2, 3].filter((n) => n > 1 && n !== 3 || n === 1)',
	"let result = 'a'; if (result === 'a') result += 'b'; else { result = 'c'; }",
	'const a: { b?: string } = { b: "  ABC  " }; const result = a?.b?.trim().slice(1).toLowerCase()',
	'const a: { b?: string } = {}; const result = a.b?.trim().slice(1).toLowerCase() ?? `none`',
	'const a = (n: number) => { for (const i of [1, 2, 4, 8]) { n -= i; if (n < -3) break; } return -n; }; const result = a(3)',
	"const a = { 'a-b': 1, ...{ c: true } }; const result = Object.keys(a).join()",
	"class A { 'a-b' = 1; c() { return /^a$/.test('ba'); } } const result = JSON.stringify([new A(), new A().c()])",
	'let a; a ??= 5; a ||= 6; const result = !a ? a - 1 : a * 2 % 3',
	'class A { constructor(readonly n: number) {} } class B extends A { constructor() { super(1); } } const result = new B().n + 1',
	"const f = (x: unknown) => { switch (x) { case 'a': return 'b' as const; default: return x!; } }; const result = [f('a'), f(1)].join()",
])('%s', (text) => {
	const mutants = mutantsOf('a.ts', text);
	const switches = withSwitches('a.ts', text, 10);
	expect(run(switches, () => false)).toEqual(run(text, () => false));
	for (const [index, mutant] of mutants.entries())
		expect([mutant.kind, run(switches, (id) => id === index + 10)]).toEqual([
			mutant.kind,
			run(mutated(text, mutant), () => false),
		]);
	expect(mutants.length).toBeGreaterThan(2);
});

it('every file of the code has all its mutants, on the lines they had', () => {
	const folder = join(ROOT, 'nodes');
	for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
		if (!name.endsWith('.ts') || name.endsWith('.d.ts')) continue;
		const text = readFileSync(join(folder, name), 'utf8');
		const switches = withSwitches(name, text, 0);
		const ids = new Set([...switches.matchAll(/\$mutant\((\d+)\)/g)].map(([, id]) => id));
		expect([name, ids.size]).toEqual([name, mutantsOf(name, text).length]);
		expect(() => transformSync(switches, { loader: 'ts' })).not.toThrow();
	}
});
