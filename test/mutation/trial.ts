/** Tries one mutant in processes of its own: what the code does while it is loaded is done only once. */
import type { Candidate } from './candidates';
import { jest } from './jest';
import type { Killed } from './oneFile';

/** Tests are begun in groups, so that one that kills ends the trial soon. */
const GROUPS = [1, 3, 8, 16];
/** What ends a mutant that never comes to an end. */
const MOST_SECONDS_A_FILE = 120;
const MOST_MS_A_TEST = 60_000;

/** Nothing, if it has survived. */
export async function trial(
	candidate: Candidate,
	tests: readonly string[],
): Promise<Killed | undefined> {
	const env = { MUTANT: JSON.stringify(candidate) };
	for (let from = 0, group = 0; from < tests.length; group += 1) {
		const some = tests.slice(from, from + (GROUPS[group] ?? GROUPS.at(-1) ?? 1));
		from += some.length;
		const { passed, timedOut, output } = await jest(some, {
			config: 'test/jest.config.cjs',
			args: ['--bail', `--testTimeout=${MOST_MS_A_TEST}`, '--selectProjects', 'as documented'],
			env,
			hasStopped: (seconds) => seconds > MOST_SECONDS_A_FILE * some.length,
		});
		const inTime = !timedOut && !/^\s*thrown: "Exceeded timeout of/m.test(output);
		if (!passed) return { by: killerIn(output, some), inTime };
	}
	return undefined;
}

const killerIn = (output: string, tests: readonly string[]): string =>
	/^FAIL .*?(test\/\S+)/m.exec(output)?.[1] ?? tests.join(', ');
