// n8n itself: 2.2 GB on disk, installed once by its own lockfile, and again only when that lockfile changes.

import { createHash } from 'node:crypto';
import {
	accessSync,
	constants,
	copyFileSync,
	existsSync,
	mkdirSync,
	readFileSync,
	rmSync,
	statfsSync,
	writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import { npm, runProgram } from './children';
import { claim, release } from './claim';
import { CACHE, HOST, HOST_MANIFEST } from './folders';
import { say, step } from './progress';
import {
	mayPassByItself,
	NEEDED_BYTES,
	tooLittleRoom,
	whyInstallFailed,
	whyRebuildFailed,
} from './whyFailed';

const RETRY_AFTER_MS = 10_000;

export interface Host {
	/** Where its manifest and lockfile lie. */
	manifest: string;
	/** Where it is installed. */
	folder: string;
}

/** The one that everything runs in, if nothing else is said. */
export const NEWEST: Host = { manifest: HOST_MANIFEST, folder: HOST };

/** The version that everything is tested with, if nothing else is said. */
export function testedVersion(): string {
	const manifest: unknown = JSON.parse(readFileSync(join(HOST_MANIFEST, 'package.json'), 'utf8'));
	return (manifest as { dependencies: { n8n: string } }).dependencies.n8n;
}

export const olderHost = (version: string): Host => ({
	manifest: join(HOST_MANIFEST, version),
	folder: join(CACHE, `n8n-${version}`),
});

export const n8nIn = ({ folder }: Host): string =>
	join(folder, 'node_modules', 'n8n', 'bin', 'n8n');

export async function installHost(host = NEWEST): Promise<void> {
	const files = {
		'package.json': join(host.manifest, 'package.json'),
		'package-lock.json': join(host.manifest, 'package-lock.json'),
		'.npmrc': join(HOST_MANIFEST, '.npmrc'),
	};
	const wanted = fingerprint(Object.values(files));
	const stamp = join(host.folder, '.complete');
	const lock = `${host.folder}.lock`;
	const isThere = () => existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted;
	if (isThere()) return;
	requireRoom(dirname(host.folder));
	if (claim(lock) !== undefined) {
		await step('Waiting for another start that is installing n8n', async () => {
			while (claim(lock) !== undefined) await pause(500);
		});
	}
	try {
		if (isThere()) return;
		mkdirSync(host.folder, { recursive: true });
		rmSync(stamp, { force: true });
		for (const [name, source] of Object.entries(files)) {
			copyFileSync(source, join(host.folder, name));
		}
		await install(host.folder);
		writeFileSync(stamp, wanted);
	} finally {
		release(lock);
	}
}

function requireRoom(folder: string): void {
	try {
		mkdirSync(folder, { recursive: true });
		accessSync(folder, constants.W_OK);
	} catch (error) {
		explained((words) => whyInstallFailed(words, folder))(error);
	}
	const { bavail, bsize } = statfsSync(folder);
	const free = bavail * bsize;
	if (free < NEEDED_BYTES) throw new Error(tooLittleRoom(folder, free));
}

/** Without a network npm would try for minutes; a registry that cannot be pinged is none the worse. */
async function requireRegistry(folder: string, cache: string): Promise<void> {
	const ping = npm(['ping', '--fetch-retries', '0'], { cache });
	await runProgram({ ...ping, cwd: folder }).catch((error: unknown) => {
		if (mayPassByItself(String(error))) return;
		explained((words) => whyInstallFailed(words, folder))(error);
	});
}

async function install(folder: string): Promise<void> {
	// Not in the home folder, which may be read-only or small; and not kept, for it is as big as n8n.
	const cache = `${folder}.npm`;
	const inHost = (args: string[]) =>
		runProgram({
			...npm([...args, '--prefix', folder, '--no-audit', '--no-fund'], { cache }),
			cwd: folder,
		});
	await requireRegistry(folder, cache);
	const everything = () => inHost(['ci', '--legacy-peer-deps', '--ignore-scripts']);
	await step(
		'Installing n8n, once: it downloads 0.7 GB, takes 2.2 GB on disk and 3 to 6 minutes',
		async () => {
			await everything()
				.catch(async (error: unknown) => {
					if (!mayPassByItself(String(error))) throw error;
					say(`${String(error)}\nTrying again in a while`);
					await pause(RETRY_AFTER_MS);
					await everything();
				})
				.catch(explained((words) => whyInstallFailed(words, folder)));
		},
	);
	// Of all its dependencies only the database needs its install script.
	await step('Preparing its database driver: once, up to 2 minutes', async () => {
		await inHost(['rebuild', 'sqlite3', '--ignore-scripts=false']).catch(
			explained((words) => whyRebuildFailed(words, folder)),
		);
	});
	rmSync(cache, { recursive: true, force: true });
}

/** What npm has said comes first, what it means last, where it is read. */
const explained = (why: (words: string) => string | undefined) => (error: unknown) => {
	const words = error instanceof Error ? error.message : String(error);
	const meaning = why(words);
	throw new Error(meaning === undefined ? words : `${words}\n\n${meaning}`, { cause: error });
};

/** What the installation is made from, and for which Node. */
function fingerprint(files: readonly string[]): string {
	const hash = createHash('sha256');
	for (const file of files) hash.update(readFileSync(file));
	const { platform, arch, versions } = process;
	return `${hash.digest('hex')} ${platform} ${arch} ${versions.modules}\n`;
}
