// What compose.yaml mounts: the package as it would be published, and the demo's program as plain
// JavaScript, so that the containers need nothing from the npm registry and no build tools.

import { cpSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { build } from 'esbuild';

import { runProgram } from '../n8n/children';
import { DEMO, ROOT } from '../n8n/folders';
import { packPackage } from '../n8n/package';
import { say, step } from '../n8n/progress';

const CONTAINERS = join(DEMO, 'containers');
/** Programs, and what they read at run time. */
const SOURCES = ['scripts', 'fake-service', 'nodes', 'credentials'];
const READ = ['examples', 'fake-service/page', 'package.json'];

async function putPackage(): Promise<void> {
	const tarball = await packPackage();
	const folder = join(CONTAINERS, 'package');
	mkdirSync(folder, { recursive: true });
	const args = ['-xzf', tarball, '-C', folder, '--strip-components=1'];
	await runProgram({ command: 'tar', args, cwd: ROOT });
}

async function putProgram(): Promise<void> {
	const folder = join(CONTAINERS, 'program');
	const files = SOURCES.flatMap((source) =>
		readdirSync(join(ROOT, source), { recursive: true, encoding: 'utf8' })
			.filter((file) => file.endsWith('.ts') && !file.includes('node_modules'))
			.map((file) => join(ROOT, source, file)),
	);
	// File by file: programs find their files by where they lie.
	await build({
		entryPoints: files,
		outdir: folder,
		outbase: ROOT,
		platform: 'node',
		format: 'cjs',
		target: 'node20',
		logLevel: 'warning',
	});
	for (const path of READ) cpSync(join(ROOT, path), join(folder, path), { recursive: true });
}

export async function prepareContainers(): Promise<void> {
	rmSync(CONTAINERS, { recursive: true, force: true });
	await step('Building and packing the package', putPackage);
	await step('Writing the program of the demo', putProgram);
	say('Now run "docker compose up".');
}
