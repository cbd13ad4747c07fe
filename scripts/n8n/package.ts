// Our package on its way into n8n: built, packed, and unpacked where n8n keeps community packages.

import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { npm, runProgram } from './children';
import { ROOT, TARBALLS } from './folders';

/** Into `dist/`, types checked. */
export async function buildPackage(): Promise<void> {
	const gulp = join(ROOT, 'node_modules', 'gulp', 'bin', 'gulp.js');
	await runProgram({ command: process.execPath, args: [gulp, 'build'], cwd: ROOT });
}

/** The tarball, as it would be published. */
export async function packPackage(): Promise<string> {
	await buildPackage();
	rmSync(TARBALLS, { recursive: true, force: true });
	mkdirSync(TARBALLS, { recursive: true });
	await runProgram({
		...npm(['pack', '--silent', '--offline', '--ignore-scripts', '--pack-destination', TARBALLS]),
		cwd: ROOT,
	});
	const tarball = readdirSync(TARBALLS).find((file) => file.endsWith('.tgz'));
	if (!tarball) throw new Error('npm pack wrote no tarball');
	return join(TARBALLS, tarball);
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
