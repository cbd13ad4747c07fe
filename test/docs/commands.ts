/** How each command that a document names is exercised, so that none of them is only a promise. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import manifest from '../../package.json';
import { ROOT } from './example';

/** Cheap enough for every `npm test`: `commands.test.ts` runs them with these arguments. */
export const QUICK: Readonly<Record<string, readonly string[]>> = {
	'npm run service': ['--help'],
	'npm run dev': ['--help'],
	'npm start': ['--help'],
};

const BY_HAND = 'by a maintainer, once, for the first release, which has not taken place yet';

/** Those that neither of the files below runs or records, and where they happen. */
const ELSEWHERE: Readonly<Record<string, string>> = {
	'npm deprecate': BY_HAND,
	'npm install': 'scripts/n8n/package.ts installs the tarball so, for the demo and the tests',
	'npm login': BY_HAND,
	'npm pack': 'npm run scan packs as well',
	'npm publish': BY_HAND,
	'npm trust': BY_HAND,
	'npm uninstall': 'test/e2e/n8n.test.ts',
	'npm run build': 'npm test and npm run scan begin with the same build',
	'npm run docs': 'test/contract/readme.test.ts compares what it would write',
	'npm run docs:check': 'test/docs/documents.test.ts makes the same checks',
	'npm run docs:film': 'run for docs/images/comment-to-crm.webp',
	'npm run docs:video': 'run for the figures and stills of docs/demo-video.md',
	'npm run docs:panels': 'run for the pictures of five panels in docs/ux-review.md',
	'npm run docs:pictures': 'run for every picture in docs/images/examples',
	'npm run format': '.ci/run checks that it has nothing to do',
	'npm run freeze': 'test/upgrade/upgrade.test.ts does the same, but for the writing',
	'npm run lint:fix': 'the same eslint as in npm run lint',
	'npm run test:only': 'the second half of npm test',
};

const RUNS = '.ci/run';
/** Tables of what was run, with figures. */
const RECORDS = [
	'docs/verification.md',
	'docs/figures.md',
	'docs/publishing.md',
	'docs/benchmarks.md',
	'docs/mutation.md',
];

/** What npm does without a script of ours. */
const NPM_ITSELF = ['ci', 'deprecate', 'install', 'login', 'pack', 'publish', 'trust', 'uninstall'];

const scripts: Readonly<Record<string, string>> = manifest.scripts;

/** `undefined` for a script that does not exist. */
export function scriptOf(command: string): string | undefined {
	const [, run, short] = /^npm (?:run ([\w:-]+)|([a-z]+))$/.exec(command) ?? [];
	if (run !== undefined) return scripts[run];
	return short !== undefined && NPM_ITSELF.includes(short)
		? 'npm itself'
		: short === undefined
			? command
			: scripts[short];
}

export function exercisedBy(command: string): string | undefined {
	if (command in QUICK) return 'test/docs/commands.test.ts';
	const script = scriptOf(command) ?? command;
	const file = /[\w./-]+\.[cm]?[jt]s$/.exec(script)?.[0];
	const names = (text: string) =>
		[command, ...(file === undefined ? [] : [file])].some((name) =>
			new RegExp(`${name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?![\\w:-])`).test(text),
		);
	const holder = [RUNS, ...RECORDS].find((path) => names(readFileSync(join(ROOT, path), 'utf8')));
	return holder ?? ELSEWHERE[command];
}
