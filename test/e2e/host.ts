// n8n itself: 2 GB, installed once by its own lockfile, and again only when that lockfile changes.

import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import { npm, runProgram } from './children';
import { claim, release } from './claim';
import { HOST, HOST_MANIFEST } from './folders';
import { step } from './progress';

const FILES = ['package.json', 'package-lock.json', '.npmrc'];
const STAMP = join(HOST, '.complete');
const LOCK = `${HOST}.lock`;

export const N8N = join(HOST, 'node_modules', 'n8n', 'bin', 'n8n');

export async function installHost(): Promise<void> {
	const wanted = fingerprint();
	const isThere = () => existsSync(STAMP) && readFileSync(STAMP, 'utf8') === wanted;
	if (isThere()) return;
	if (claim(LOCK) !== undefined) {
		await step('Waiting for another start that is installing n8n', async () => {
			while (claim(LOCK) !== undefined) await pause(500);
		});
	}
	try {
		if (!isThere()) await install(wanted);
	} finally {
		release(LOCK);
	}
}

async function install(wanted: string): Promise<void> {
	mkdirSync(HOST, { recursive: true });
	rmSync(STAMP, { force: true });
	for (const file of FILES) copyFileSync(join(HOST_MANIFEST, file), join(HOST, file));
	const inHost = (args: string[]) =>
		runProgram({ ...npm([...args, '--prefix', HOST, '--no-audit', '--no-fund']), cwd: HOST });
	await step('Installing n8n: once, about 2 GB and 3 minutes', async () => {
		await inHost(['ci', '--legacy-peer-deps', '--ignore-scripts']);
	});
	// Of all its dependencies only the database needs its install script.
	await step('Preparing its database driver: once, up to 2 minutes', async () => {
		await inHost(['rebuild', 'sqlite3', '--ignore-scripts=false']);
	});
	writeFileSync(STAMP, wanted);
}

/** What the installation was made from, and for which Node. */
function fingerprint(): string {
	const hash = createHash('sha256');
	for (const file of FILES) hash.update(readFileSync(join(HOST_MANIFEST, file)));
	const { platform, arch, versions } = process;
	return `${hash.digest('hex')} ${platform} ${arch} ${versions.modules}\n`;
}
