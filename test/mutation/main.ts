/**
 * `npm run test:mutation`: puts small faults into the code, one at a time, and asks the tests. A
 * sample, since all of them would take days: another one each time, unless a seed is given.
 */
import { readdirSync, readFileSync, writeFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { runCommand } from '../../scripts/n8n/command';
import { ROOT } from '../../scripts/n8n/folders';
import { say } from '../../scripts/n8n/progress';
import { chanceOf, seedFrom } from '../e2e/chance';
import { isAccepted } from './accepted';
import { coverageOf } from './coverage';
import { mutantsOf } from './mutants';
import { WORK } from './places';
import { trial, type Candidate, type Verdict } from './trial';

const HELP = `Puts small faults into nodes/ and credentials/, and runs the tests that reach their lines.

  --sample 200       how many mutants (200)
  --seed N           which ones; without it, others each time
  --only watch/      of files whose path contains this
  --at FILE:LINE     all mutants of this line instead; may be given several times
  --max-tests 60     test files for each mutant at most (60), those nearest to it first
  --tests test/api/  test files alone whose path contains this; may be given several times
  --exclude WORD     leaves out test files whose path contains this; may be given several times
  --workers 2        how many mutants at the same time (2)

What the tests run is measured once, which takes as long as all of them, and is kept in
.cache/mutation; a test file that has changed is measured again.
`;

/** Of those that are not accepted, in percent. */
const BAR = 92;
const STRICT_BAR = 95;
/** Where an undetected fault loses leads, or publishes twice. */
const STRICT =
	/\/watch\/|\/run\/writeOnce\/|\/api\/(retry|nextAttempt|outcome)|\/post\/published\//;
/** Data and words: what holds them are the tests of the document, of names and of panels. */
const LEFT_OUT = /\.d\.ts$|\/index\.ts$|__schema__/;
/** Thousands of histories each: they kill what the others leave, but take minutes. */
const LONG = ['simulation/', 'run/pairsOfTries', 'run/writes.test', 'run/randomTries'];

const { values } = parseArgs({
	options: {
		sample: { type: 'string', default: '200' },
		seed: { type: 'string' },
		only: { type: 'string', default: '' },
		at: { type: 'string', multiple: true, default: [] },
		'max-tests': { type: 'string', default: '60' },
		tests: { type: 'string', multiple: true, default: [''] },
		exclude: { type: 'string', multiple: true, default: [] },
		workers: { type: 'string', default: '2' },
		help: { type: 'boolean', default: false },
	},
});

interface Trialled {
	readonly candidate: Candidate;
	readonly verdict: Verdict;
	readonly accepted: boolean;
}

const filesBelow = (folder: string, ending: string): string[] =>
	readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
		.map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
		.filter((name) => name.endsWith(ending))
		.sort();

const textOf = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

function candidates(): Candidate[] {
	const isChosen = ({ file, line }: Candidate): boolean =>
		values.at.length === 0 || values.at.some((place) => `${file}:${line}`.endsWith(place));
	return [...filesBelow('nodes', '.ts'), ...filesBelow('credentials', '.ts')]
		.filter((name) => !LEFT_OUT.test(name) && name.includes(values.only))
		.flatMap((name) => mutantsOf(name, textOf(name)).map((mutant) => ({ ...mutant, file: name })))
		.filter(isChosen);
}

function chosen(all: readonly Candidate[], seed: number): Candidate[] {
	if (values.at.length > 0) return [...all];
	const chance = chanceOf(seed);
	const left = [...all];
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
	const seed = seedFrom(values.seed);
	const all = candidates();
	const sample = chosen(all, seed);
	if (sample.length === 0) throw new Error('There is no mutant to try');
	say(`${sample.length} of ${all.length} mutants, seed ${seed}`);
	const tests = filesBelow('test', '.test.ts').filter(
		(test) =>
			!/^test\/(e2e|service|docs|mutation|bench)\//.test(test) &&
			values.tests.some((part) => test.includes(part)) &&
			![...LONG, ...values.exclude].some((part) => test.includes(part)),
	);
	const workers = Number(values.workers);
	const coverage = await coverageOf(tests, { workers, note: (text) => say(`… ${text}`) });
	const began = Date.now();
	const done: Trialled[] = [];
	const work = async (): Promise<void> => {
		for (let one = sample.pop(); one !== undefined; one = sample.pop()) {
			const accepted = isAccepted(one, textOf(one.file));
			const verdict: Verdict = accepted
				? { kind: 'survived', tests: 0 }
				: await trial(one, { coverage, maxTests: Number(values['max-tests']) });
			done.push({ candidate: one, verdict, accepted });
			if (verdict.kind !== 'killed' && !accepted) say(lineOf(one, verdict));
			else say(`… ${sample.length} left`);
		}
	};
	await Promise.all(Array.from({ length: workers }, work));
	const seconds = (Date.now() - began) / 1_000 / done.length;
	say(`… ${seconds.toFixed(1)} s for each`);
	return report(done) ? 0 : 1;
}

function lineOf({ file, line, kind }: Candidate, verdict: Verdict): string {
	const text = textOf(file).split('\n')[line - 1]?.trim() ?? '';
	const how = verdict.kind === 'survived' ? `survived ${verdict.tests} test files` : 'never run';
	return `${file}:${line}: ${kind}: ${how}\n    ${text}`;
}

const folderOf = (file: string): string =>
	file.replace('nodes/LeadGenPublishing/', '').split('/').slice(0, -1).slice(0, 2).join('/') ||
	'node files';

function report(done: readonly Trialled[]): boolean {
	const groups = [...new Set(done.map(({ candidate }) => folderOf(candidate.file)))].sort();
	const killed = (of: readonly Trialled[]): number =>
		of.filter(({ verdict }) => verdict.kind === 'killed').length;
	const counted = done.filter(({ accepted }) => !accepted);
	say();
	for (const group of groups) {
		const of = counted.filter(({ candidate }) => folderOf(candidate.file) === group);
		say(`  ${group.padEnd(28)} ${killed(of)} of ${of.length} killed`);
	}
	const strict = counted.filter(({ candidate }) => STRICT.test(`/${candidate.file}`));
	const percent = (of: readonly Trialled[]): number =>
		of.length === 0 ? 100 : (100 * killed(of)) / of.length;
	say(`${killed(counted)} of ${counted.length} killed: ${percent(counted).toFixed(1)} %`);
	say(`  where leads or posts are at stake: ${percent(strict).toFixed(1)} % of ${strict.length}`);
	const late = counted.filter(({ verdict }) => verdict.kind === 'killed' && !verdict.inTime);
	say(`  by time alone: ${late.length}`);
	say(`  accepted: ${done.length - counted.length}`);
	mkdirSync(WORK, { recursive: true });
	writeFileSync(join(WORK, 'result.json'), JSON.stringify(done, null, '\t'));
	return percent(counted) >= BAR && percent(strict) >= STRICT_BAR;
}

runCommand(main);
