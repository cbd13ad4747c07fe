// Our package on its way into n8n: built, packed, and unpacked where n8n keeps community packages.

import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { runProgram } from './children';
import { ROOT } from './folders';

async function gulp(task: string): Promise<void> {
	const program = join(ROOT, 'node_modules', 'gulp', 'bin', 'gulp.js');
	await runProgram({ command: process.execPath, args: [program, task], cwd: ROOT });
}

/** Into `dist/`, types checked. */
export const buildPackage = async (): Promise<void> => await gulp('build');

/** The tarball, as it would be published. */
export async function packPackage(): Promise<string> {
	await gulp('pack');
	return join(ROOT, `${packageName()}.tgz`);
}

/**
 * As docs/installation.md says: the package has no dependencies, so unpacking it is all it takes, and
 * nobody else's package is touched, as `npm install` there would.
 */
export async function installPackage(tarball: string, userFolder: string): Promise<string> {
	const folder = join(userFolder, '.n8n', 'nodes', 'node_modules', packageName());
	rmSync(folder, { recursive: true, force: true });
	mkdirSync(folder, { recursive: true });
	const args = ['-xzf', tarball, '-C', folder, '--strip-components=1'];
	await runProgram({ command: 'tar', args, cwd: userFolder });
	return folder;
}

export function packageName(): string {
	const manifest: unknown = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
	const name = (manifest as { name?: unknown }).name;
	if (typeof name !== 'string') throw new Error('package.json has no name');
	return name;
}
