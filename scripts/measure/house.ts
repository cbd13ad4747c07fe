/**
 * How large the house is, and how far one has to walk in it: lines of each room, and the files whose
 * code runs in one `post.get` and in one poll without news. `npm run bench -- --house` prints it.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

import type { INodeType } from 'n8n-workflow';

const ROOT = resolve(__dirname, '../..');
const HOME = 'nodes/LeadGenPublishing';

/** Each folder of the node's code, and the files next to it. */
const roomsOf = (): Readonly<Record<string, readonly string[]>> => {
	const rooms = readdirSync(join(ROOT, HOME), { withFileTypes: true })
		.filter((entry) => entry.isDirectory() && entry.name !== '__schema__')
		.map(({ name }): [string, string[]] => [name, [`${HOME}/${name}`]]);
	return {
		...Object.fromEntries(rooms),
		'all of nodes': ['nodes'],
		'test and fake-service': ['test', 'fake-service'],
	};
};

const linesOf = (folders: readonly string[]): number =>
	folders.flatMap(typeScriptIn).reduce((sum, file) => sum + linesIn(file), 0);

const typeScriptIn = (folder: string): string[] =>
	readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
		.filter((file) => file.endsWith('.ts'))
		.map((file) => join(ROOT, folder, file));

const linesIn = (file: string): number => readFileSync(file, 'utf8').split('\n').length - 1;

/**
 * The files of `nodes/` of which at least one function is called; neither loading them counts nor
 * reading a constant of theirs, for which esbuild makes a getter at the beginning of each file.
 */
export async function filesCrossed(work: () => Promise<unknown>): Promise<string[]> {
	const session = new Session();
	session.connect();
	try {
		await session.post('Debugger.enable');
		await session.post('Profiler.enable');
		await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
		await work();
		const { result } = await session.post('Profiler.takePreciseCoverage');
		const crossed = new Set<string>();
		for (const { url, scriptId, functions } of result) {
			const file = relative(ROOT, url.startsWith('file:') ? fileURLToPath(url) : url);
			if (!file.startsWith('nodes/')) continue;
			const { scriptSource } = await session.post('Debugger.getScriptSource', { scriptId });
			const ownCode = Math.max(0, scriptSource.search(END_OF_GETTERS));
			const isOwn = ({ ranges: [range] }: (typeof functions)[number]): boolean =>
				range !== undefined && range.startOffset > ownCode && range.count > 0;
			if (functions.some(isOwn)) crossed.add(file);
		}
		return [...crossed].sort();
	} finally {
		session.disconnect();
	}
}

const END_OF_GETTERS = /module\.exports\s*=\s*__toCommonJS\(/;

/** By its whole path: without an extension, `.node` would be taken for a compiled add-on. */
async function nodeNamed(name: string): Promise<new () => INodeType> {
	const module: unknown = await import(join(ROOT, HOME, `${name}.node.ts`));
	return (module as Record<string, new () => INodeType>)[name] as new () => INodeType;
}

/** Prints the sizes; with the files of each way, if asked. */
export async function showHouse({ withFiles }: { withFiles: boolean }): Promise<void> {
	const { measureWays } = await import('../../test/support/houseWays');
	const lines = Object.entries(roomsOf()).map(
		([room, folders]) => [`lines of ${room}`, linesOf(folders)] as const,
	);
	const ways = await measureWays({
		action: await nodeNamed('LeadGenPublishing'),
		trigger: await nodeNamed('LeadGenPublishingTrigger'),
	});
	const files = Object.entries(ways).map(
		([way, crossed]) => [`files crossed by ${way}`, crossed.length] as const,
	);
	for (const [what, measured] of [...lines, ...files])
		process.stdout.write(`${what.padEnd(52)} ${String(measured).padStart(6)}\n`);
	if (withFiles) process.stdout.write(`${JSON.stringify(ways, undefined, '\t')}\n`);
}
