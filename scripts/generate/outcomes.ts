/**
 * How each command that takes long came out when it last passed, and of which code: a table in
 * `docs/verification.md`, read from the pages that those commands write. `npm run docs` makes it.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { ROOT } from '../n8n/folders';
import { COMMANDS } from './figuresCommands';
import { figuresIn } from './figuresPage';

const PAGE = 'docs/verification.md';

const readPage = (page: string): string => readFileSync(join(ROOT, page), 'utf8');

/** The pattern's first group in each place where it fits. */
const allOf = (text: string, pattern: RegExp): string[] =>
	[...text.matchAll(pattern)].map(([, found = '']) => found.replace(/ {2,}/g, ' ').trim());

const firstOf = (text: string, pattern: RegExp): string => allOf(text, pattern)[0] ?? '?';

const LINE_IN_CELL = '<br>';

/** The lines that begin with one of these words. */
const linesOf = (text: string, ...words: string[]): string =>
	allOf(text, new RegExp(`^((?:${words.join('|')}): .*)$`, 'gm')).join(LINE_IN_CELL);

const plugsOf = (text: string): string => linesOf(text, 'leads', 'missing', 'twice', 'CRM');
const writesOf = (text: string): string => linesOf(text, 'posts', 'missing', 'twice');

/** Without durable cursors, what is missing or twice has to be of a batch in flight at a kill. */
function memoryOf(text: string): string {
	return [plugsOf(text), firstOf(text, /^ +(at \d+ of the kills; .*)$/gm)].join(LINE_IN_CELL);
}

function barsOf(bars: readonly string[]): string {
	const met = bars.filter((bar) => bar === 'met');
	return `${met.length} of ${bars.length} bars met`;
}

/** The writes have a list of what must never happen, with counts. */
function neverOf(text: string): string {
	const [, list = ''] = text.split('What must never happen:');
	const counts = allOf(list, /^ {2}(\d+) {2}\S/gm);
	if (counts.length === 0) return '?';
	const sum = counts.reduce((before, count) => before + Number(count), 0);
	return `${firstOf(text, /^(\d+ histories of writes)/gm)}; of what must never happen: ${sum}`;
}

function queueOf(text: string): string {
	const afterwards = firstOf(text, /^ +(\d+ rows; .* once more)$/gm);
	return [linesOf(text, 'leads', 'missing', 'twice'), afterwards].join(LINE_IN_CELL);
}

function matrixOf(text: string): string {
	const tried = allOf(text, /^(\d\S+) +v/gm);
	const passed = allOf(text, /^(\d\S+) .* passed$/gm);
	return `passed in ${passed.length} of ${tried.length} pairs of n8n and Node`;
}

const soakOf = (text: string): string => barsOf(allOf(text, / (met|NOT MET|not judged)$/gm));
const benchOf = (text: string): string =>
	barsOf(allOf(text, /\| (met|\*\*not met\*\*) \|[^|\n]*\|$/gm));
const mutationOf = (text: string): string =>
	allOf(text, /^\| (\*\*.*\(bar \d+\)) \|$/gm)
		.map((row) => {
			const [name, killed, of, share] = row.replaceAll('*', '').split(' | ');
			return `${name}: ${killed} of ${of} noticed, ${share?.replace(' ', ' % ')}`;
		})
		.join(LINE_IN_CELL);

/** By command, from its result. */
const CAME: Readonly<Record<string, (result: string) => string>> = {
	'npm run simulate': (text) => firstOf(text, /^(\d+ histories from .*?), \d+ ms$/gm),
	'npm run simulate -- --writes': neverOf,
	'npm run test:plugs': plugsOf,
	'npm run test:plugs -- --mode memory': memoryOf,
	'npm run test:plugs -- --mode memory --gaps 5 --redeliver': plugsOf,
	'npm run test:plugs -- --writes': writesOf,
	'npm run test:plugs -- --writes --no-keys': writesOf,
	'npm run test:queue': queueOf,
	'npm run test:matrix': matrixOf,
	'npm run test:soak': soakOf,
	'npm run bench': benchOf,
	'npm run test:mutation': mutationOf,
};

function rowOf([command, page]: readonly [command: string, page: string], text: string): string {
	const name = page.replace('docs/', '');
	const cells = [
		`\`${command}\``,
		firstOf(text, /\b(\d{4}-\d\d-\d\d)\b/g),
		`\`${firstOf(text, /nodes\/ ([^;.,\n]+)/g)}\``,
		`${CAME[command]?.(text) ?? '?'} ([${name}](${name}))`,
	];
	return `| ${cells.join(' | ')} |`;
}

/** Commands that write a page of their own. */
const WITH_A_PAGE = [
	['npm run bench', 'docs/benchmarks.md'],
	['npm run test:mutation', 'docs/mutation.md'],
] as const;

const outcomesTable = (): string =>
	[
		'| command | when | code | how it came out |',
		'|---|---|---|---|',
		...COMMANDS.map((entry) => rowOf(entry, figuresIn(readPage(entry[1]), entry[0]))),
		...WITH_A_PAGE.map((entry) => rowOf(entry, readPage(entry[1]))),
	].join('\n');

export const readOutcomesPage = (): string => readPage(PAGE);

export const withOutcomes = (page: string): string =>
	page.replace(
		/(<!-- outcomes -->\n)[\s\S]*?(<!-- \/outcomes -->)/,
		(_, start: string, end: string) => `${start}\n${outcomesTable()}\n\n${end}`,
	);

if (require.main === module) writeFileSync(join(ROOT, PAGE), withOutcomes(readOutcomesPage()));
