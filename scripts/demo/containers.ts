// The demo as a folder and as one archive: the compose file, the package as it would be published, and the
// demo's program as plain JavaScript. It needs no Node.js, npm or clone of this repository.

import { cpSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';

import { build } from 'esbuild';

import { runProgram } from '../n8n/children';
import { DEMO, ROOT } from '../n8n/folders';
import { packageName, packPackage } from '../n8n/package';
import { say, step } from '../n8n/progress';

const NAME = `${packageName()}-demo`;
/** `docker compose up` works in it. */
const CONTAINERS = join(DEMO, NAME);
export const ARCHIVE = join(DEMO, `${NAME}.tar.gz`);
/** Programs, and what they read at run time. */
const SOURCES = ['scripts', 'fake-service', 'nodes', 'credentials'];
/** The packages that the nodes use, by the files in which the program finds them. */
const PACKAGES = {
	'node_modules/zod/v4-mini': 'zod/v4-mini',
	'node_modules/ipaddr.js/index': 'ipaddr.js',
};
const READ = ['examples', 'fake-service/page', 'package.json'];

async function putPackage(): Promise<void> {
	const tarball = await packPackage();
	const folder = join(CONTAINERS, 'package');
	mkdirSync(folder, { recursive: true });
	const args = ['-xzf', tarball, '-C', folder, '--strip-components=1'];
	await runProgram({ command: 'tar', args, cwd: ROOT });
}

export async function putProgram(folder: string): Promise<void> {
	const files = SOURCES.flatMap((source) =>
		readdirSync(join(ROOT, source), { recursive: true, encoding: 'utf8' })
			.filter((file) => file.endsWith('.ts') && !file.includes('node_modules'))
			.map((file) => join(ROOT, source, file)),
	);
	const options = {
		outdir: folder,
		platform: 'node',
		format: 'cjs',
		target: 'node20',
		logLevel: 'warning',
	} as const;
	// File by file: programs find their files by where they lie.
	await build({ ...options, outbase: ROOT, entryPoints: files });
	// The archive has no other node_modules.
	await build({ ...options, entryPoints: PACKAGES, bundle: true });
	for (const path of READ) cpSync(join(ROOT, path), join(folder, path), { recursive: true });
}

export async function prepareContainers(): Promise<void> {
	for (const path of [CONTAINERS, ARCHIVE]) rmSync(path, { recursive: true, force: true });
	await step('Building and packing the package', putPackage);
	await step('Writing the program of the demo', () => putProgram(join(CONTAINERS, 'program')));
	cpSync(join(__dirname, 'compose.yaml'), join(CONTAINERS, 'compose.yaml'));
	// GNU tar and the tar of macOS and Windows all know these.
	await runProgram({ command: 'tar', args: ['-czf', ARCHIVE, '-C', DEMO, NAME], cwd: ROOT });
	const [archive, folder] = [ARCHIVE, CONTAINERS].map((path) => relative(ROOT, path));
	say(`${archive} has ${(statSync(ARCHIVE).size / 1_000_000).toFixed(1)} MB.`);
	say(`Now run "docker compose up" in ${folder}.`);
}
