/** What the tests say of one mutant. */
import { digestOf, testsOf, type Coverage } from './coverage';
import { jest } from './jest';
import type { Mutant } from './mutants';

export interface Candidate extends Mutant {
	readonly file: string;
}

export type Verdict =
	/** `inTime`: a test has failed, rather than that none has ended. */
	| { readonly kind: 'killed'; readonly by: string; readonly inTime: boolean }
	| { readonly kind: 'survived'; readonly tests: number }
	/** No test runs its line. */
	| { readonly kind: 'unseen' };

/** Tests are begun in groups, so that one that kills ends the trial soon. */
const GROUPS = [1, 3, 8, 16];
/** What ends a mutant that never comes to an end: times as long as usual, and more on a busy machine. */
const TIMES_AS_LONG = 4;
const MIN_TIMEOUT_MS = 120_000;
/** The same for a single test that waits for what never comes, which jest itself can end. */
const MIN_TEST_TIMEOUT_MS = 60_000;

export async function trial(
	candidate: Candidate,
	{ coverage, maxTests }: { coverage: Coverage; maxTests: number },
): Promise<Verdict> {
	const digest = digestOf(candidate.file);
	const tests = testsOf(coverage, { ...candidate, digest }).slice(0, maxTests);
	if (tests.length === 0) return { kind: 'unseen' };
	const env = { MUTANT: JSON.stringify(candidate) };
	for (let from = 0, group = 0; from < tests.length; group += 1) {
		const some = tests.slice(from, from + (GROUPS[group] ?? GROUPS.at(-1) ?? 1));
		from += some.length;
		const usual = some.reduce((sum, test) => sum + (coverage[test]?.ms ?? 0), 0);
		const timeoutMs = Math.max(MIN_TIMEOUT_MS, usual * TIMES_AS_LONG);
		const testTimeoutMs = Math.max(MIN_TEST_TIMEOUT_MS, usual * TIMES_AS_LONG);
		const { passed, timedOut, output } = await jest(some, { env, timeoutMs, testTimeoutMs });
		const inTime = !timedOut && !/^\s*thrown: "Exceeded timeout of/m.test(output);
		if (!passed) return { kind: 'killed', by: killerIn(output, some), inTime };
	}
	return { kind: 'survived', tests: tests.length };
}

const killerIn = (output: string, tests: readonly string[]): string =>
	/^FAIL .*?(test\/\S+)/m.exec(output)?.[1] ?? tests.join(', ');
