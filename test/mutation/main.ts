/**
 * `npm run test:mutation`: puts small faults into the code, one at a time, and asks the tests.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { codeMeasured } from '../../scripts/generate/codeMeasured';
import { runCommand } from '../../scripts/n8n/command';
import { ROOT } from '../../scripts/n8n/folders';
import { say } from '../../scripts/n8n/progress';
import { chanceOf, seedFrom } from '../e2e/chance';
import { isAccepted } from './accepted';
import { candidates, filesBelow, textOf, writeSwitched, type Candidate } from './candidates';
import { Known } from './known';
import type { Killed } from './oneFile';
import { WORK } from './places';
import { pageOf } from './page';
import { reachOf } from './reach';
import { report } from './report';
import { summaryOf, type Tried } from './summary';
import { tryAll } from './tryAll';

const HELP = `Puts small faults into nodes/ and credentials/, and runs the tests that reach them.

  --sample N         how many mutants; all of them, unless given
  --seed N           which ones; without it, others each time
  --only watch/      of files whose path contains this; may be given several times
  --at FILE:LINE     all mutants of this line instead; may be given several times
  --max-tests 20     test files for each mutant at most (20), those nearest to it first
  --seconds 15       in each of them at most (15)
  --tests test/api/  test files alone whose path contains this; may be given several times
  --exclude WORD     leaves out test files whose path contains this; may be given several times
  --loading 100      mutants of what is done once, while the code is loaded, at most (100); each
                     takes processes of its own
  --anew             also those again that the same tests have found in the same code before
  --page             writes docs/mutation.md, as a run of all mutants does, and says there what was tried
  --workers 2        how many processes at the same time (2)

Which tests reach which mutants is measured once, which takes as long as all of them, and is kept in
.cache/mutation, as is what was found.
`;

const MOST_TESTS = '20';

const { values } = parseArgs({
	options: {
		sample: { type: 'string' },
		seed: { type: 'string' },
		only: { type: 'string', multiple: true, default: [''] },
		at: { type: 'string', multiple: true, default: [] },
		'max-tests': { type: 'string', default: MOST_TESTS },
		seconds: { type: 'string', default: '15' },
		tests: { type: 'string', multiple: true, default: [''] },
		exclude: { type: 'string', multiple: true, default: [] },
		loading: { type: 'string', default: '100' },
		anew: { type: 'boolean', default: false },
		page: { type: 'boolean', default: false },
		workers: { type: 'string', default: '2' },
		help: { type: 'boolean', default: false },
	},
});

/** The options that leave something out. */
const given = (['only', 'tests', 'exclude', 'at', 'sample'] as const).flatMap((name) =>
	[values[name] ?? []]
		.flat()
		.filter((value) => value !== '')
		.map((value) => `--${name} ${value}`),
);
if (values['max-tests'] !== MOST_TESTS) given.push(`--max-tests ${values['max-tests']}`);

const isChosen = ({ file, line }: Candidate): boolean =>
	values.only.some((part) => file.includes(part)) &&
	(values.at.length === 0 || values.at.some((place) => `${file}:${line}`.endsWith(place)));

function sampleOf(all: readonly Candidate[], seed: number): Candidate[] {
	const left = all.filter(isChosen);
	if (values.sample === undefined) return left;
	const chance = chanceOf(seed);
	const count = Math.min(left.length, Number(values.sample));
	return Array.from({ length: count }, () => {
		const index = Math.floor(chance() * left.length);
		return left.splice(index, 1)[0] as Candidate;
	});
}

async function main(): Promise<number> {
	if (values.help) {
		say(HELP);
		return 0;
	}
	const measured = codeMeasured();
	const seed = seedFrom(values.seed);
	if (values.sample !== undefined) given.push(`--seed ${seed}`);
	const chance = chanceOf(seed);
	const all = candidates();
	const sample = sampleOf(all, seed);
	if (sample.length === 0) throw new Error('There is no mutant to try');
	say(`${sample.length} of ${all.length} mutants, seed ${seed}`);
	writeSwitched(all);
	const tests = filesBelow('test', '.test.ts').filter(
		(test) =>
			!/^test\/(e2e|service|docs|mutation|bench)\//.test(test) &&
			values.tests.some((part) => test.includes(part)) &&
			!values.exclude.some((part) => test.includes(part)),
	);
	const workers = Number(values.workers);
	const note = (text: string): void => say(`… ${text}`);
	const reach = await reachOf(tests, { all, workers, note });
	const began = Date.now();
	const known = new Known();
	const open = sample.filter((one) => !isAccepted(one, textOf(one.file)));
	const before = new Map<number, Killed>();
	for (const one of open) {
		const killed = values.anew ? undefined : known.of(one);
		if (killed !== undefined) before.set(one.id, killed);
	}
	if (before.size > 0) note(`${before.size} are known to be killed`);
	const verdicts = await tryAll(
		open.filter(({ id }) => !before.has(id)),
		{
			...{ reach, count: all.length, workers, note, chance },
			maxTests: Number(values['max-tests']),
			mostMs: Number(values.seconds) * 1_000,
			mostLoading: Number(values.loading),
			onKilled: (killed) => known.put(killed),
		},
	);
	const tried = sample.map((candidate): Tried => {
		const { id } = candidate;
		const killed = before.get(id);
		const verdict =
			killed === undefined ? verdicts.get(id) : { kind: 'killed' as const, ...killed };
		return { candidate, verdict: verdict ?? { kind: 'accepted' } };
	});
	mkdirSync(WORK, { recursive: true });
	writeFileSync(join(WORK, 'result.json'), JSON.stringify(tried, null, '\t'));
	const summary = summaryOf(tried, textOf);
	report(summary);
	const minutes = Math.ceil((Date.now() - began) / 60_000);
	say(`  ${minutes} min`);
	if (values.page || given.length === 0) {
		const day = new Date(began).toISOString().slice(0, 10);
		writeFileSync(
			join(ROOT, 'docs/mutation.md'),
			pageOf(summary, { day, minutes, given, count: all.length, measured }),
		);
	}
	return summary.isEnough ? 0 : 1;
}

runCommand(main);
