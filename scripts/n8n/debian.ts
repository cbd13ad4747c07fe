// Debian's packages, where they are missing and may be installed without asking.

import { existsSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';

import { cleanEnv, runProgram } from './children';

export const IS_ROOT = process.getuid?.() === 0;

export const mayInstall = (): boolean => IS_ROOT && isDebian();

/** For a person to copy. */
export const installCommand = (packages: readonly string[]): string =>
	`On Debian: sudo apt-get install ${packages.join(' ')}`;

export async function aptInstall(packages: readonly string[]): Promise<void> {
	// Waits for another installation that may be in progress.
	const aptGet = (args: string[]) =>
		runProgram({
			command: 'apt-get',
			args: ['-o', 'DPkg::Lock::Timeout=300', '-qq', ...args],
			cwd: tmpdir(),
			env: { ...cleanEnv(), DEBIAN_FRONTEND: 'noninteractive' },
		});
	await aptGet(['update']);
	await aptGet(['install', '--yes', '--no-install-recommends', ...packages]);
}

function isDebian(): boolean {
	const file = '/etc/os-release';
	return existsSync(file) && /^ID(_LIKE)?=.*debian/m.test(readFileSync(file, 'utf8'));
}
