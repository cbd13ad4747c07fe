/**
 * How large the house is, and how far one has to walk in it: lines of each room, and the files whose
 * code runs in one `post.get` and in one poll without news. `npm run bench -- --house` prints it beside
 * the budgets. A contract test fails an eighth above them, so that the next operation finds room.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

import type { INodeType } from 'n8n-workflow';

const ROOT = resolve(__dirname, '../..');
const HOME = 'nodes/LeadGenPublishing';

interface Budget {
	readonly folders: readonly string[];
	/** Lines of TypeScript, as prettier formats them. */
	readonly lines: number;
}

/**
 * Free slots, similar posts, files from an address and the diagnosis (some seventy checks, with words
 * for each result) have come since the budgets were made.
 */
const CALENDAR = 720;
const DOWNLOAD = 180;
const DIAGNOSIS = 4_900;

const BUDGETS: Readonly<Record<string, Budget>> = {
	watch: { folders: [`${HOME}/watch`], lines: 3_000 },
	run: { folders: [`${HOME}/run`], lines: 1_000 },
	api: { folders: [`${HOME}/api`], lines: 3_200 + DOWNLOAD },
	// 4,800, and what the calendar of clients is worth.
	operations: { folders: [`${HOME}/operations`], lines: 4_800 + CALENDAR },
	diagnose: { folders: [`${HOME}/diagnose`], lines: DIAGNOSIS },
	'fields, parameters, output, methods': {
		folders: ['fields', 'parameters', 'output', 'methods'].map((room) => `${HOME}/${room}`),
		lines: 1_500,
	},
	'all of nodes': { folders: ['nodes'], lines: 13_600 + CALENDAR + DOWNLOAD + DIAGNOSIS },
	'test and fake-service': { folders: ['test', 'fake-service'], lines: 35_000 },
};

/** Files of `nodes/` whose code runs. */
export const FILE_BUDGETS = { 'one post.get': 35, 'an idle poll': 35 } as const;

/** What may stand there before a test fails. */
const limitOf = (budget: number): number => Math.floor(1.125 * budget);

const linesOf = ({ folders }: Budget): number =>
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

/** What is measured beside its budget; with the files of each way, if asked. */
export async function showHouse({ withFiles }: { withFiles: boolean }): Promise<void> {
	const { measureWays } = await import('../../test/support/houseWays');
	const lines = Object.entries(BUDGETS).map(([room, budget]) => ({
		what: `lines of ${room}`,
		measured: linesOf(budget),
		budget: budget.lines,
	}));
	const ways = await measureWays({
		action: await nodeNamed('LeadGenPublishing'),
		trigger: await nodeNamed('LeadGenPublishingTrigger'),
	});
	const files = Object.entries(ways).map(([way, crossed]) => ({
		what: `files crossed by ${way}`,
		measured: crossed.length,
		budget: FILE_BUDGETS[way as keyof typeof FILE_BUDGETS],
	}));
	for (const { what, measured, budget } of [...lines, ...files]) {
		const isAbove = measured > budget && `  above it; the test fails above ${limitOf(budget)}`;
		process.stdout.write(
			`${what.padEnd(52)} ${String(measured).padStart(6)} of ${String(budget).padStart(6)}${isAbove || ''}\n`,
		);
	}
	if (withFiles) process.stdout.write(`${JSON.stringify(ways, undefined, '\t')}\n`);
}
