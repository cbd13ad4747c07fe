/** Everything that can be wrong with the documents, in words. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';

import { readPage, withPicture } from '../../scripts/generate/housePicture';
import { readReadme, withTables } from '../../scripts/generate/readmeTables';
import { scriptOf } from './commands';
import { exampleFiles, isOurs, readExamples, ROOT } from './example';
import { anchorsIn, commandsIn, linksIn, sectionsIn } from './markdown';
import { builtNodes } from './ours';
import { parameterProblems } from './parameters';

/** What is made or installed, and what git ignores. */
const NOT_OURS = ['node_modules', 'dist', '.cache', '.demo', '.git', 'coverage'];
const IMAGES = join(ROOT, 'docs', 'images');
const EXAMPLES_PAGE = join(ROOT, 'docs', 'examples.md');
const MAX_IMAGE_BYTES = { examples: 60_000, animations: 2_000_000, others: 150_000 };
const LINES = [
	'What it does.',
	'What you need.',
	'What to set.',
	'How duplicates are avoided.',
	'What to change first.',
];

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

const tableProblems = (): string[] =>
	readReadme() === withTables(readReadme())
		? []
		: ['README.md: a table is not that of the code; run "npm run docs"'];

const pictureProblems = (): string[] =>
	readPage() === withPicture(readPage())
		? []
		: ['docs/architecture.md: the picture is not that of the code; run "npm run docs"'];

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

function commandProblems(): string[] {
	return documents().flatMap((path) =>
		commandsIn(read(path)).flatMap((command) => {
			const at = `${shown(path)}: ${command}`;
			if (scriptOf(command) === undefined) return [`${at} is no script of package.json`];
			const file = /[\w./-]+\.[cm]?[jt]s$/.exec(command)?.[0];
			return file !== undefined && !existsSync(join(ROOT, file)) ? [`${at} does not exist`] : [];
		}),
	);
}

function exampleProblems(): string[] {
	const built = builtNodes();
	const inNodes = readExamples().flatMap(({ file, nodes }) =>
		nodes.filter(isOurs).flatMap((node) => {
			const description = built.get(node.type);
			const problems =
				description === undefined
					? ['is not in the built package']
					: parameterProblems(node, description);
			return problems.map((problem) => `examples/${file}.json: "${node.name}": ${problem}`);
		}),
	);
	return [...inNodes, ...pageProblems()];
}

/** Each example has a section with its picture and its five lines. */
function pageProblems(): string[] {
	const sections = [...sectionsIn(read(EXAMPLES_PAGE)).values()];
	const page = shown(EXAMPLES_PAGE);
	return exampleFiles().flatMap((file) => {
		const link = `](../examples/${file}.json)`;
		const section = sections.find(
			(text) => text.includes(`**${LINES[0]}** [`) && text.includes(link),
		);
		if (section === undefined) return [`${page} has no section for ${file}`];
		const lines = [...section.matchAll(/^- \*\*(.+?)\*\* \S/gm)].map(([, label]) => label);
		return [
			...(section.includes(`](images/examples/${file}.jpg)`)
				? []
				: [`${page}: ${file} has no picture`]),
			...(lines.join() === LINES.join() ? [] : [`${page}: ${file} has not its five lines`]),
		];
	});
}

/** Names of files in the page that neither the package has nor, if they say so, its tests. */
export function fileNameProblems(page = readPage()): string[] {
	const files = ['nodes', 'credentials', 'test']
		.flatMap((folder) => filesBelow(join(ROOT, folder), /\.ts$/))
		.map((path) => `/${shown(path)}`);
	return [...page.matchAll(/`([\w./]+\.ts)`/g)].flatMap(([, name = '']) =>
		files.some(
			(file) => file.endsWith(`/${name}`) && file.startsWith('/test/') === name.startsWith('test/'),
		)
			? []
			: [`docs/architecture.md: there is no file ${name}`],
	);
}

export const CHECKS: Readonly<Record<string, () => string[]>> = {
	'tables made from the code': tableProblems,
	'picture of the house': pictureProblems,
	'names of files': fileNameProblems,
	'links and anchors': linkProblems,
	pictures: imageProblems,
	commands: commandProblems,
	examples: exampleProblems,
};
