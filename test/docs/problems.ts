/** Everything that can be wrong with the documents, in words. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';

import manifest from '../../package.json';
import { readPage, withPicture } from '../../scripts/generate/housePicture';
import { readReadme, withTables } from '../../scripts/generate/readmeTables';
import { readItemsPage, withSamples } from '../../scripts/generate/sampleItems';
import { exampleFiles, isOurs, readExamples, ROOT } from './example';
import { expressionProblems } from './expressions';
import { anchorsIn, commandsIn, linksIn, paragraphsIn, sectionsIn } from './markdown';
import { builtNodes } from './ours';
import { parameterProblems } from './parameters';

/** What is made or installed, and what git ignores. */
const NOT_OURS = ['node_modules', 'dist', '.cache', '.demo', '.git', 'coverage'];
const IMAGES = join(ROOT, 'docs', 'images');
const EXAMPLES_PAGE = join(ROOT, 'docs', 'examples.md');
const MAX_IMAGE_BYTES = { examples: 60_000, animations: 2_000_000, others: 150_000 };
const LINES = ['To set:', 'Duplicates:'];
/** kB are 1,000 bytes. The user's pages are limited together as well. */
const PAGES: ReadonlyArray<{ page: string; isForUsers?: true; bytes?: number; lines?: number }> = [
	{ page: 'README.md', isForUsers: true, bytes: 9_000 },
	{ page: 'docs/trigger.md', isForUsers: true, bytes: 9_000 },
	{ page: 'docs/usage.md', isForUsers: true },
	{ page: 'docs/publishing.md', isForUsers: true },
	{ page: 'docs/installation.md', isForUsers: true },
	{ page: 'docs/items.md', isForUsers: true },
	{ page: 'docs/examples.md', isForUsers: true },
	{ page: 'docs/evidence.md', lines: 120 },
	{ page: 'docs/architecture.md', lines: 90 },
];
const MAX_USER_BYTES = 45_000;
const MAX_PARAGRAPH = 400;

const read = (path: string): string => readFileSync(path, 'utf8');
const shown = (path: string): string => relative(ROOT, path).split(sep).join('/');

function filesBelow(folder: string, ending: RegExp): string[] {
	return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
		if (NOT_OURS.includes(entry.name)) return [];
		const path = join(folder, entry.name);
		if (entry.isDirectory()) return filesBelow(path, ending);
		return ending.test(entry.name) ? [path] : [];
	});
}

export const documents = (): string[] => filesBelow(ROOT, /\.md$/);

/** What `npm run docs` writes into these pages is what it would write today. */
const writtenProblems = (): string[] =>
	[
		['README.md: a table', readReadme(), withTables(readReadme())],
		['docs/architecture.md: the picture', readPage(), withPicture(readPage())],
		['docs/items.md: an item', readItemsPage(), withSamples(readItemsPage())],
	].flatMap(([what, is, written]) =>
		is === written ? [] : [`${what} is not that of the code; run "npm run docs"`],
	);

function linkProblems(): string[] {
	return documents().flatMap((path) =>
		linksIn(read(path)).flatMap(({ target }) => {
			const problem = linkProblem(path, target);
			return problem === undefined ? [] : [`${shown(path)}: ${target} ${problem}`];
		}),
	);
}

/** What is wrong with a link that stands in the document at `from`. */
export function linkProblem(from: string, target: string): string | undefined {
	if (/^(https?|mailto):/.test(target)) return URL.canParse(target) ? undefined : 'is no address';
	const [file = '', anchor] = target.split('#');
	const path = file === '' ? from : resolve(dirname(from), decodeURI(file));
	if (!existsSync(path)) return 'does not exist';
	if (relative(ROOT, path).startsWith('..')) return 'leads out of the repository';
	if (anchor === undefined || !path.endsWith('.md')) return undefined;
	return anchorsIn(read(path)).has(anchor) ? undefined : 'is no heading there';
}

function imageProblems(): string[] {
	const used = new Set(
		documents().flatMap((path) =>
			linksIn(read(path))
				.filter(({ picture }) => picture)
				.map(({ target }) => resolve(dirname(path), target)),
		),
	);
	return filesBelow(IMAGES, /./).flatMap((image) => {
		const kind = image.endsWith('.webp')
			? 'animations'
			: dirname(image) === IMAGES
				? 'others'
				: 'examples';
		const limit = MAX_IMAGE_BYTES[kind];
		const { size } = statSync(image);
		return [
			...(used.has(image) ? [] : [`${shown(image)} is shown nowhere`]),
			...(size <= limit ? [] : [`${shown(image)} has ${size} bytes, more than ${limit}`]),
		];
	});
}

/** What npm does without a script of ours. */
const NPM_ITSELF = /^npm (ci|deprecate|exec|install|login|pack|publish|trust|uninstall)$/;

export function isThere(command: string): boolean {
	const [, run, short] = /^npm (?:run ([\w:-]+)|([a-z]+))$/.exec(command) ?? [];
	const script = run ?? short;
	return script === undefined || NPM_ITSELF.test(command) || script in manifest.scripts;
}

function commandProblems(): string[] {
	return documents().flatMap((path) =>
		commandsIn(read(path)).flatMap((command) => {
			const at = `${shown(path)}: ${command}`;
			if (!isThere(command)) return [`${at} is no script of package.json`];
			const file = /[\w./-]+\.[cm]?[jt]s$/.exec(command)?.[0];
			return file !== undefined && !existsSync(join(ROOT, file)) ? [`${at} does not exist`] : [];
		}),
	);
}

function exampleProblems(): string[] {
	const built = builtNodes();
	const inFiles = readExamples().flatMap((example) => {
		const inNodes = example.nodes.filter(isOurs).flatMap((node) => {
			const description = built.get(node.type);
			const problems =
				description === undefined
					? ['is not in the built package']
					: parameterProblems(node, description);
			return problems.map((problem) => `"${node.name}": ${problem}`);
		});
		const problems = [...inNodes, ...expressionProblems(example)];
		return problems.map((problem) => `examples/${example.file}.json: ${problem}`);
	});
	return [...inFiles, ...pageProblems()];
}

/** Each example has a section with its picture, which leads to its file, and its two lines. */
function pageProblems(): string[] {
	const sections = [...sectionsIn(read(EXAMPLES_PAGE)).values()];
	const page = shown(EXAMPLES_PAGE);
	return exampleFiles().flatMap((file) => {
		const link = `](images/examples/${file}.jpg)](../examples/${file}.json)`;
		const section = sections.find((text) => text.includes(link));
		if (section === undefined) return [`${page} has no section with the picture of ${file}`];
		const lines = [...section.matchAll(/^- \*\*(.+?)\*\* \S/gm)].map(([, label]) => label);
		return lines.join() === LINES.join() ? [] : [`${page}: ${file} has not its two lines`];
	});
}

function sizeProblems(): string[] {
	const bytesOf = (page: string): number => statSync(join(ROOT, page)).size;
	const each = PAGES.flatMap(({ page, bytes, lines }) => [
		...atMost(`${page}: bytes`, bytesOf(page), bytes),
		...atMost(`${page}: lines`, read(join(ROOT, page)).trimEnd().split('\n').length, lines),
	]);
	const ofUsers = PAGES.filter(({ isForUsers }) => isForUsers).map(({ page }) => bytesOf(page));
	const sum = ofUsers.reduce((all, one) => all + one, 0);
	return [...each, ...atMost("the user's pages: bytes", sum, MAX_USER_BYTES)];
}

const atMost = (what: string, size: number, limit = Infinity): string[] =>
	size <= limit ? [] : [`${what}: ${size}, more than ${limit}`];

const paragraphProblems = (): string[] =>
	PAGES.flatMap(({ page }) =>
		paragraphsIn(read(join(ROOT, page)))
			.filter((text) => text.length > MAX_PARAGRAPH)
			.map((text) => `${page}: a paragraph of ${text.length} characters: ${text.slice(0, 60)}…`),
	);

/** The operations that CONTRIBUTING.md adds as an example. */
const MADE_UP = /(^|\/)(getReach|duplicate)\.ts$/;

/** Names of files that do not exist. One of the tests' other files is named with its folder. */
export function fileNameProblems(text: string, document: string): string[] {
	const files = filesBelow(ROOT, /\.(ts|cjs|jsonl?|yml)$/).map((path) => `/${shown(path)}`);
	const isNamed = (file: string, name: string): boolean =>
		file.endsWith(`/${name}`) &&
		(file.endsWith('.test.ts') || file.startsWith('/test/') === name.startsWith('test/'));
	return [...text.matchAll(/`([\w./-]+\.(?:ts|cjs|jsonl?|yml))`/g)].flatMap(([, name = '']) =>
		MADE_UP.test(name) || files.some((file) => isNamed(file, name))
			? []
			: [`${document}: there is no file ${name}`],
	);
}

export const CHECKS: Readonly<Record<string, () => string[]>> = {
	'tables, picture and items made from the code': writtenProblems,
	'names of files': () => documents().flatMap((path) => fileNameProblems(read(path), shown(path))),
	'links and anchors': linkProblems,
	pictures: imageProblems,
	commands: commandProblems,
	examples: exampleProblems,
	sizes: sizeProblems,
	paragraphs: paragraphProblems,
};
