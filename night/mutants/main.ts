/**
 * `npx tsx night/mutants/main.ts`: StrykerJS plants small faults in the lines that you have changed and
 * lists those that the tests of the same room do not notice. Read them: some show a missing test, and
 * others make no difference. It counts nothing, and no figure has to be reached.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { ROOT } from '../../scripts/n8n/folders';
import { say } from '../../scripts/n8n/progress';

const HELP = `Plants small faults in changed lines and lists those that no test notices.

  FILE…           in whole files instead, or in some of their lines: nodes/…/quotas.ts:20-44
  --since HEAD~5  in the lines that changed since this commit (default: origin/main)
  --tests FOLDER  the tests that have to notice them, such as test/feed (default: those of the room)
`;
/** Rooms whose promises are tested in other rooms, too. */
const TESTED_IN: Readonly<Record<string, readonly string[]>> = {
	item: ['run'],
	feed: ['watch'],
	panel: ['operations'],
	planning: ['operations'],
	writes: ['run', 'operations'],
};

const { values, positionals } = parseArgs({
	allowPositionals: true,
	options: {
		since: { type: 'string', default: 'origin/main' },
		tests: { type: 'string' },
		help: { type: 'boolean', default: false },
	},
});

/** `nodes/LeadGenPublishing/feed/list/head.ts:3-5` is tested in `feed`. */
function foldersOf(lines: string): string[] {
	const [folder = '', , room = '', ...below] = lines.split('/');
	if (folder === 'credentials') return ['test/credentials'];
	const names = below.length === 0 ? ['contract'] : [room, ...(TESTED_IN[room] ?? [])];
	return names.map((name) => `test/${name}`);
}

/** Stretches of lines, as StrykerJS takes them. */
function changedSince(commit: string): string[] {
	const diff = execFileSync('git', ['diff', '-U0', commit, '--', 'nodes', 'credentials'], {
		cwd: ROOT,
		encoding: 'utf8',
	});
	return diff.split(/^diff --git /m).flatMap((part) => {
		const [, file] = /^\+\+\+ b\/(.+\.ts)$/m.exec(part) ?? [];
		if (file === undefined) return [];
		return [...part.matchAll(/^@@ -\S+ \+(\d+)(?:,(\d+))? @@/gm)].flatMap(([, from, count]) => {
			const length = Number(count ?? 1);
			return length === 0 ? [] : [`${file}:${from}-${Number(from) + length - 1}`];
		});
	});
}

function main(): number {
	const mutated = positionals.length > 0 ? positionals : changedSince(values.since);
	if (values.help || mutated.length === 0) {
		say(values.help ? HELP : `No code has changed since ${values.since}.`);
		return 0;
	}
	const tests = values.tests === undefined ? mutated.flatMap(foldersOf) : [values.tests];
	const folders = [...new Set(tests)].join();
	say(`The tests of ${folders} have to notice faults in:\n${mutated.join('\n')}`);
	const stryker = join(ROOT, 'node_modules', '@stryker-mutator', 'core', 'bin', 'stryker.js');
	const config = join(__dirname, 'stryker.config.mjs');
	const args = [stryker, 'run', config, '--mutate', mutated.join()];
	const env = { ...process.env, TEST_FOLDERS: folders };
	return spawnSync(process.execPath, args, { cwd: ROOT, stdio: 'inherit', env }).status ?? 1;
}

process.exit(main());
