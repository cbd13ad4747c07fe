// `npm run test:n8n -- release`: the way of a release, against a registry on this machine. The package is
// packed and published, installed by the steps of n8n's Community Nodes screen, updated, and removed.
// n8n itself only takes the public registry without a license, so the steps are played here one by one
// (`community-packages.service.js` of n8n 2.40). n8n's own loader says what n8n would load.

import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { PackageDirectoryLoader } from 'n8n-core';

import { cleanEnv, npm, runProgram } from '../../scripts/n8n/children';
import { runCommand } from '../../scripts/n8n/command';
import { CACHE } from '../../scripts/n8n/folders';
import { asRecord, type JsonRecord } from '../../scripts/n8n/n8nApi';
import { packageName, packPackage } from '../../scripts/n8n/package';
import { say, step } from '../../scripts/n8n/progress';
import { startRegistry } from './registry';

const FOLDER = join(CACHE, 'release');
/** As `~/.n8n/nodes`. */
const NODES = join(FOLDER, 'nodes');
const NAME = packageName();
const INSTALLED = join(NODES, 'node_modules', NAME);
const VERSIONS = ['0.0.1', '0.0.2'] as const;
/** What n8n adds when it installs a package. */
const INSTALL_FLAGS = [
	...['--audit=false', '--fund=false', '--bin-links=false', '--install-strategy=shallow'],
	...['--ignore-scripts=true', '--package-lock=false'],
];

const readJson = (file: string): JsonRecord => asRecord(JSON.parse(readFileSync(file, 'utf8')));
const writeJson = (file: string, value: unknown): void =>
	writeFileSync(file, JSON.stringify(value, null, 2));

/** The tarball of this commit under another version, unchanged otherwise. */
async function publish(version: string, tarball: string, registry: string): Promise<void> {
	const source = join(FOLDER, `source-${version}`);
	mkdirSync(source, { recursive: true });
	await unpack(tarball, source);
	const manifest = join(source, 'package.json');
	writeJson(manifest, Object.assign(readJson(manifest), { version }));
	await inFolder(source, ['publish', '--access', 'public', '--ignore-scripts'], registry);
}

/** What n8n does in `downloadPackage`. */
async function install(version: string, registry: string): Promise<void> {
	rmSync(INSTALLED, { recursive: true, force: true });
	mkdirSync(INSTALLED, { recursive: true });
	await inFolder(NODES, ['pack', `${NAME}@${version}`, '--quiet'], registry);
	const tarball = join(NODES, readdirSync(NODES).find((file) => file.endsWith('.tgz')) ?? '');
	await unpack(tarball, INSTALLED);
	rmSync(tarball);
	const file = join(INSTALLED, 'package.json');
	const manifest = readJson(file);
	for (const part of ['devDependencies', 'peerDependencies', 'optionalDependencies'])
		delete manifest[part];
	writeJson(file, manifest);
	await inFolder(INSTALLED, ['install', ...INSTALL_FLAGS], registry);
}

const unpack = async (tarball: string, folder: string): Promise<void> =>
	await runProgram({
		command: 'tar',
		args: ['-xzf', tarball, '-C', folder, '--strip-components=1'],
		cwd: FOLDER,
	});

/** With a login that only this registry takes, and nothing of the user's own settings. */
async function inFolder(cwd: string, args: string[], registry: string): Promise<void> {
	const userconfig = join(FOLDER, 'npmrc');
	writeFileSync(userconfig, `${registry.replace('http:', '')}/:_authToken=rehearsal\n`);
	await runProgram({
		...npm([...args, '--registry', registry, '--userconfig', userconfig]),
		cwd,
		env: { ...cleanEnv(), npm_config_provenance: 'false' },
	});
}

/** What n8n would load, and how many packages came along. */
async function requireLoaded(version: string): Promise<void> {
	const loader = new PackageDirectoryLoader(INSTALLED);
	await loader.loadAll();
	const { nodes, credentials } = loader.types;
	const found = `${loader.packageJson.version}: ${nodes.length} nodes, ${credentials.length} credential`;
	if (found !== `${version}: 2 nodes, 1 credential`) throw new Error(`n8n would load ${found}`);
	const beside = readdirSync(INSTALLED).filter((file) => file === 'node_modules');
	if (beside.length > 0) throw new Error('The package brought other packages with it');
	say(`  n8n's loader: ${found}, no other package`);
}

runCommand(async () => {
	rmSync(FOLDER, { recursive: true, force: true });
	mkdirSync(NODES, { recursive: true });
	const tarball = await step('Building and packing the package', packPackage);
	const registry = await startRegistry();
	try {
		const [first, second] = VERSIONS;
		await step(`Publishing ${first}`, () => publish(first, tarball, registry.url));
		await step(`Installing ${first}`, () => install(first, registry.url));
		await requireLoaded(first);
		await step(`Publishing ${second}`, () => publish(second, tarball, registry.url));
		await step(`Updating to ${second}`, () => install(second, registry.url));
		await requireLoaded(second);
		const again = await publish(second, tarball, registry.url).then(
			() => 'accepted',
			() => 'rejected',
		);
		if (again !== 'rejected') throw new Error('A version could be published twice');
		say(`  publishing ${second} once more: ${again}`);
		rmSync(INSTALLED, { recursive: true });
		say(
			`  removed; left in n8n's folder: ${readdirSync(join(NODES, 'node_modules')).length} packages`,
		);
		return 0;
	} finally {
		await registry.close();
	}
});
