/**
 * `npx tsx night/mutation/main.ts`: StrykerJS injects small bugs into a sample of the code. The tests of
 * the same room and of the contract have to notice each of them. Stryker cannot sample, so this program
 * draws stretches of lines from all of `nodes/` and `credentials/`, by a seed, and prints a table of the
 * results. `runner.mjs` explains how Stryker runs a suite of this size.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { aligned, say } from '../../scripts/n8n/progress';
import { ROOT } from '../../scripts/n8n/folders';
import { draw, type Stretch } from './draw';
import { figures, perRoom, type Report } from './figures';
import { testFoldersOf } from './rooms';

const HELP = `Injects small bugs into a sample of the code and checks whether the tests catch them.

  --sample 50     how many stretches of lines are drawn, each with some seven faults
  --seed 7        which; by default another each time
  --only watch/   only in files whose path contains this, or one of several: writes/,run/
`;
const REPORT = join(ROOT, '.cache', 'stryker', 'mutation.json');
/** `runner.mjs` adds to it. */
const UNNOTICED = join(ROOT, '.cache', 'stryker', 'unnoticed.txt');

const { values } = parseArgs({
	options: {
		sample: { type: 'string', default: '50' },
		seed: { type: 'string', default: String(Date.now() % 100_000) },
		only: { type: 'string', default: '' },
		help: { type: 'boolean', default: false },
	},
});

function filesOf(only: readonly string[]): Map<string, number> {
	const paths = ['nodes', 'credentials'].flatMap((folder) =>
		readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
			.map((file) => `${folder}/${file.replaceAll('\\', '/')}`)
			.filter((path) => path.endsWith('.ts') && only.some((part) => path.includes(part))),
	);
	const linesOf = (path: string) => readFileSync(join(ROOT, path), 'utf8').split('\n').length - 1;
	return new Map(paths.sort().map((path) => [path, linesOf(path)]));
}

const rangeOf = ({ file, from, to }: Stretch): string => `${file}:${from}-${to}`;

function main(): number {
	if (values.help) {
		say(HELP);
		return 0;
	}
	const stretches = draw(filesOf(values.only.split(',')), {
		count: Number(values.sample),
		seed: Number(values.seed),
	});
	say(`${stretches.length} stretches of code, seed ${values.seed}; unnoticed so far: ${UNNOTICED}`);
	const noticing = new Set(stretches.flatMap(({ file }) => testFoldersOf(file)));
	rmSync(UNNOTICED, { force: true });
	const stryker = join(ROOT, 'node_modules', '@stryker-mutator', 'core', 'bin', 'stryker.js');
	const config = join(__dirname, 'stryker.config.mjs');
	const { status } = spawnSync(
		process.execPath,
		[stryker, 'run', config, '--mutate', stretches.map(rangeOf).join()],
		{ cwd: ROOT, stdio: 'inherit', env: { ...process.env, NOTICING: [...noticing].join() } },
	);
	if (status !== 0) return status ?? 1;
	const report = JSON.parse(readFileSync(REPORT, 'utf8')) as Report;
	for (const line of aligned(perRoom(report, stretches))) say(line);
	const { rows, isGood } = figures(report, stretches);
	say();
	for (const line of aligned(rows)) say(line);
	return isGood ? 0 : 1;
}

process.exit(main());
