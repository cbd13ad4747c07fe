/**
 * The picture in docs/architecture.md: the rooms, and an arrow wherever the code of one imports
 * another. `npm run docs` draws it from what dependency-cruiser finds.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { replaceMarked } from './replaceMarked';

const ROOT = join(__dirname, '..', '..');
const PAGE = join(ROOT, 'docs', 'architecture.md');
const CRUISER = join(ROOT, 'node_modules', 'dependency-cruiser', 'bin', 'dependency-cruise.mjs');
const LABELS: Readonly<Record<string, string>> = { node: 'nodes/…/*.node.ts' };

export const HOME = 'nodes/LeadGenPublishing/';

/** By a path below the repository: a folder of the node, the node's own files, or the credential. */
export const roomOf = (path: string): string => {
	if (!path.startsWith(HOME)) return path.split('/')[0] ?? '';
	const [folder = '', ...rest] = path.slice(HOME.length).split('/');
	return rest.length === 0 ? 'node' : folder;
};

interface Cruised {
	modules: ReadonlyArray<{
		source: string;
		dependencies: ReadonlyArray<{ resolved: string }>;
	}>;
}

function cruised(): Cruised {
	const args = ['--config', '.ci/imports.cjs', '--output-type', 'json', 'nodes', 'credentials'];
	const options = { cwd: ROOT, encoding: 'utf8', maxBuffer: 2 ** 26 } as const;
	return JSON.parse(execFileSync(process.execPath, [CRUISER, ...args], options)) as Cruised;
}

const isOurs = (path: string): boolean => /^(nodes|credentials)\//.test(path);

function draw({ modules }: Cruised): string {
	const arrows = new Set(
		modules.flatMap(({ source, dependencies }) =>
			dependencies
				.filter(({ resolved }) => isOurs(source) && isOurs(resolved))
				.map(({ resolved }) => [roomOf(source), roomOf(resolved)])
				.filter(([from, to]) => from !== to)
				.map((pair) => pair.join(' --> ')),
		),
	);
	const rooms = new Set([...arrows].flatMap((arrow) => arrow.split(' --> ')));
	return [
		'```mermaid',
		'flowchart TD',
		...[...rooms].sort().map((room) => `\t${room}["${LABELS[room] ?? `${room}/`}"]`),
		...[...arrows].sort().map((arrow) => `\t${arrow}`),
		'```',
	].join('\n');
}

export const readPage = (): string => readFileSync(PAGE, 'utf8');

export const withPicture = (page: string): string =>
	replaceMarked(page, 'picture', draw(cruised()));

export const writePicture = (): void => writeFileSync(PAGE, withPicture(readPage()));
