/**
 * The settings of jest: the files that they name exist, and the tests that they promise are run.
 */
import { join } from 'node:path';

interface Project {
	readonly displayName: string;
	readonly globals?: Readonly<Record<string, unknown>>;
	readonly testMatch: readonly string[];
}

const projectsOf = (config: string): readonly Project[] =>
	// Throws if a test file is named that does not exist.
	jest.requireActual<{ projects: Project[] }>(join(__dirname, '..', config)).projects;

it.each(['quick.config.cjs', 'short.config.cjs', 'long.config.cjs'])(
	'%s names files that exist',
	(config) => {
		for (const { testMatch } of projectsOf(config)) expect(testMatch).not.toEqual([]);
	},
);

it('a name without a file is an error', () => {
	const { testFiles } = jest.requireActual<{ testFiles: (names: string[]) => string[] }>(
		'./jest/testFiles.cjs',
	);
	expect(testFiles(['contract/sent'])).toEqual(['<rootDir>/test/contract/sent.test.ts']);
	expect(() => testFiles(['contract/sent', 'operations/lead'])).toThrow(
		'There is no test/operations/lead.test.ts',
	);
});

it('every test in the likely shapes runs in them at night, too', () => {
	const [short, long] = ['short.config.cjs', 'long.config.cjs'].map((config) =>
		projectsOf(config).find(({ globals }) => globals?.LIKELY_SHAPES === true),
	);
	expect(short?.testMatch.every((file) => file.startsWith('<rootDir>/test/contract/'))).toBe(true);
	expect(long?.testMatch).toEqual(['<rootDir>/test/contract/*.test.ts']);
});
