/** Finds mistakes in the documents, and describes them. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';

import manifest from '../../package.json';
import { readDoubtsPage, withDoubts } from '../../scripts/generate/doubtsPage';
import { readReference, withEndpointWords } from '../../scripts/generate/endpointWords';
import { readPage, withPicture } from '../../scripts/generate/housePicture';
import { readUsage, withModelTable } from '../../scripts/generate/modelTable';
import {
	readReadme,
	readNodesPage,
	withOperations,
	withTables,
} from '../../scripts/generate/readmeTables';
import { readItemsPage, withSamples } from '../../scripts/generate/sampleItems';
import { EXAMPLE_NAMES } from '../../scripts/n8n/examples';
import { isOurs, readExamples, ROOT, type Example } from './example';
import { fileProblems } from './exampleFile';
import { expressionProblems } from './expressions';
import { anchorsIn, commandsIn, linksIn, sectionsIn } from './markdown';
import { builtNodes } from './ours';
import { parameterProblems } from './parameters';

/** Folders that are built, installed or ignored by git. */
const NOT_OURS = ['node_modules', 'dist', '.cache', '.demo', '.git', 'coverage'];
const IMAGES = join(ROOT, 'docs', 'images');
const EXAMPLES_PAGE = 'docs/examples.md';
const MAX_IMAGE_BYTES = { animations: 2_000_000, examples: 70_000, others: 150_000 };

const read = (page: string): string => readFileSync(join(ROOT, page), 'utf8');

/** The paths of the repository's own files. */
function filesBelow(folder: string, ending: RegExp): string[] {
	return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
		if (NOT_OURS.includes(entry.name)) return [];
		const path = join(folder, entry.name);
		if (entry.isDirectory()) return filesBelow(path, ending);
		return ending.test(entry.name) ? [relative(ROOT, path).split(sep).join('/')] : [];
	});
}

export const documents = (): string[] => filesBelow(ROOT, /\.md$/);

/** Walks through all documents. */
const inDocuments = (problemsOf: (text: string, page: string) => string[]) => (): string[] =>
	documents().flatMap((page) =>
		problemsOf(read(page), page).map((problem) => `${page}: ${problem}`),
	);

/** The generated parts of these pages are up to date. */
const writtenProblems = (): string[] =>
	[
		['README.md: a table', readReadme(), withTables(readReadme())],
		['docs/usage.md: the table of models', readUsage(), withModelTable(readUsage())],
		['docs/nodes-and-api.md: operations', readNodesPage(), withOperations(readNodesPage())],
		['docs/architecture.md: the picture', readPage(), withPicture(readPage())],
		['docs/doubts.md: a doubt', readDoubtsPage(), withDoubts(readDoubtsPage())],
		['docs/items.md: an item', readItemsPage(), withSamples(readItemsPage())],
		['docs/api-v1.md: an operation', readReference(), withEndpointWords(readReference())],
	].flatMap(([what, is, written]) =>
		is === written ? [] : [`${what} is not that of the code; run "npm run docs"`],
	);

/** What is wrong with a link that stands in this document. */
export function linkProblem(page: string, target: string): string | undefined {
	if (/^(https?|mailto):/.test(target)) return URL.canParse(target) ? undefined : 'is no address';
	const [file = '', anchor] = target.split('#');
	const path = file === '' ? join(ROOT, page) : pathFrom(page, file);
	if (!existsSync(path)) return 'does not exist';
	if (relative(ROOT, path).startsWith('..')) return 'leads out of the repository';
	if (anchor === undefined || !path.endsWith('.md')) return undefined;
	return anchorsIn(readFileSync(path, 'utf8')).has(anchor) ? undefined : 'is no heading there';
}

const pathFrom = (page: string, file: string): string =>
	resolve(ROOT, dirname(page), decodeURI(file));

function imageProblems(): string[] {
	const used = documents().flatMap((page) =>
		linksIn(read(page)).flatMap(({ target, picture }) => (picture ? [pathFrom(page, target)] : [])),
	);
	return filesBelow(IMAGES, /\.(jpg|webp|png)$/).flatMap((image) => {
		const path = join(ROOT, image);
		const kind = dirname(path) === IMAGES ? 'others' : 'examples';
		const limit = MAX_IMAGE_BYTES[image.endsWith('.webp') ? 'animations' : kind];
		return [
			...(used.includes(path) ? [] : [`${image} is shown nowhere`]),
			...atMost(`${image}: bytes`, statSync(path).size, limit),
		];
	});
}

/** Commands of npm itself. */
const NPM_ITSELF = /^npm (ci|deprecate|exec|install|login|pack|publish|trust|uninstall)$/;

/** A script of package.json, or a file that is there. */
export function isThere(command: string): boolean {
	const [, script] = /^npm (?:run )?([\w:-]+)$/.exec(command) ?? [];
	if (script !== undefined) return NPM_ITSELF.test(command) || script in manifest.scripts;
	return existsSync(join(ROOT, /[\w./-]+\.[cm]?[jt]s$/.exec(command)?.[0] ?? ''));
}

/**
 * It fits the nodes, reads only what exists, and has a section about what it does and what it
 * needs.
 */
async function exampleProblems(): Promise<string[]> {
	const built = await builtNodes();
	const sections = [...sectionsIn(read(EXAMPLES_PAGE)).values()];
	const inNodes = ({ nodes }: Example) =>
		nodes.filter(isOurs).flatMap((node) => {
			const description = built.get(node.type);
			const problems = description && parameterProblems(node, description);
			return (problems ?? ['is not in the built package']).map((one) => `"${node.name}": ${one}`);
		});
	const inPage = ({ file }: Example) => {
		const section = sections.find((text) => text.includes(`](images/examples/${file}.jpg)\n`));
		if (section === undefined)
			return [
				`${EXAMPLES_PAGE} has no section with its picture (npm run docs -- --pictures ${file})`,
			];
		return [
			...(section.includes(`[Download](../examples/${file}.json)`)
				? []
				: [`${EXAMPLES_PAGE} has no download under its picture`]),
			...(section.includes('\n**You need:** ')
				? []
				: [`${EXAMPLES_PAGE} does not say what it needs`]),
			...(/^\s*[A-Z]/.test(section) ? [] : [`${EXAMPLES_PAGE} does not say what it does`]),
		];
	};
	const names: readonly string[] = EXAMPLE_NAMES;
	const inList = ({ file }: Example) =>
		names.includes(file) ? [] : ['EXAMPLE_NAMES of scripts/n8n/examples.ts lacks it'];
	return readExamples().flatMap((example) =>
		[inList, inNodes, fileProblems, expressionProblems, inPage]
			.flatMap((problemsOf) => problemsOf(example))
			.map((problem) => `examples/${example.file}.json: ${problem}`),
	);
}

/** The text describes the picture for people who cannot see it. */
const altProblems = (text: string): string[] => {
	const alts = [...text.matchAll(/!\[([^\]]*)\]/g)].map(([, alt = '']) => alt);
	return alts.flatMap((alt, index) => [
		...(alt.includes(' ') ? [] : [`"${alt}" does not say what a picture shows`]),
		...(alts.indexOf(alt) === index ? [] : [`two pictures are called "${alt}"`]),
	]);
};

const atMost = (what: string, size: number, limit: number): string[] =>
	size <= limit ? [] : [`${what}: ${size}, more than ${limit}`];

/** The operations that CONTRIBUTING.md adds as an example. */
const MADE_UP = /(^|\/)(getReach|duplicate)\.ts$/;

/**
 * Names of files that do not exist. Test files that are not in the same folder are named with their
 * folder.
 */
export function fileNameProblems(text: string): string[] {
	const files = filesBelow(ROOT, /\.(ts|cjs|jsonl?|yml)$/).map((path) => `/${path}`);
	const isNamed = (file: string, name: string): boolean =>
		file.endsWith(`/${name}`) &&
		(file.endsWith('.test.ts') || file.startsWith('/test/') === name.startsWith('test/'));
	return [...text.matchAll(/`([\w./-]+\.(?:ts|cjs|jsonl?|yml))`/g)].flatMap(([, name = '']) =>
		MADE_UP.test(name) || files.some((file) => isNamed(file, name))
			? []
			: [`there is no file ${name}`],
	);
}

export const CHECKS: Readonly<Record<string, () => string[] | Promise<string[]>>> = {
	'tables, picture and items made from the code': writtenProblems,
	'names of files': inDocuments(fileNameProblems),
	'links and anchors': inDocuments((text, page) =>
		linksIn(text).flatMap(({ target }) => {
			const problem = linkProblem(page, target);
			return problem === undefined ? [] : [`${target} ${problem}`];
		}),
	),
	pictures: imageProblems,
	'alternative texts': inDocuments(altProblems),
	commands: inDocuments((text) =>
		commandsIn(text)
			.filter((command) => !isThere(command))
			.map((command) => `${command} is neither a script of package.json nor a file`),
	),
	examples: exampleProblems,
};
