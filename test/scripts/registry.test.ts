/** The registry from which n8n's own installer gets the package while the demo video is recorded. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import manifest from '../../package.json';
import { startRegistry, type Registry } from '../../scripts/n8n/registry';

const FILE = `${manifest.name}-${manifest.version}.tgz`;
/** As n8n names it to npm. */
const PUBLIC = '--registry=https://registry.example.com';
/** The npm that asks this registry is a script for a POSIX shell, as n8n runs it there. */
const onPosix = process.platform === 'win32' ? test.skip : test;

let folder: string;
let registry: Registry;

beforeAll(async () => {
	folder = mkdtempSync(join(tmpdir(), 'registry-'));
	writeFileSync(join(folder, FILE), 'the bytes of a tarball');
	registry = await startRegistry(join(folder, FILE), folder);
});

afterAll(async () => {
	await registry.close();
	rmSync(folder, { recursive: true, force: true });
});

const npm = async (...args: string[]): Promise<string> => {
	const env = { ...process.env, ...registry.env, npm_config_loglevel: 'error' };
	return (await promisify(execFile)('npm', [...args, PUBLIC], { cwd: folder, env })).stdout;
};

onPosix('npm finds the newest version of the package in it', async () => {
	const seen: unknown = JSON.parse(
		await npm('view', `${manifest.name}@latest`, 'version', '--json'),
	);
	expect(seen).toBe(manifest.version);
});

onPosix('npm gets the tarball that was packed, and finds it whole', async () => {
	await npm('cache', 'add', `${manifest.name}@latest`);
	const cached = await npm('cache', 'ls');
	expect(cached).toContain(`/-/${FILE}`);
	const url = /http:\S+\.tgz/.exec(cached)?.[0] ?? '';
	const got = Buffer.from(await (await fetch(url)).arrayBuffer());
	expect(got).toEqual(readFileSync(join(folder, FILE)));
});

onPosix('npm finds no other package in it', async () => {
	await expect(npm('view', 'n8n-workflow', 'version')).rejects.toThrow('E404');
});
