/** The README's command for installing the package: it unpacks it, and touches nothing else. */
import { execFileSync } from 'node:child_process';
import {
	cpSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import manifest from '../../package.json';
import { ROOT } from '../../scripts/n8n/folders';
import { installPackage } from '../../scripts/n8n/package';

const TARBALL = `${manifest.name}.tgz`;
const readPage = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const blocksOf = (page: string) =>
	[...readPage(page).matchAll(/```sh\n(.*?)\n```/gs)].map(([, block = '']) => block);
const [install = ''] = blocksOf('README.md').filter((block) => block.startsWith('d=~'));
const [remove = ''] = blocksOf('docs/installation.md').filter((block) => block.startsWith('rm '));

let home: string;
beforeEach(() => {
	home = mkdtempSync(join(tmpdir(), 'installed-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const nodes = () => join(home, '.n8n', 'nodes');

/** Two packages as n8n installs them, one with a dependency of its own that an override pins. */
function neighbours(): void {
	for (const name of ['n8n-nodes-first', 'n8n-nodes-second']) {
		const folder = join(nodes(), 'node_modules', name);
		mkdirSync(join(folder, 'node_modules', 'inner'), { recursive: true });
		const overrides = { inner: '1.0.0' };
		writeFileSync(join(folder, 'package.json'), JSON.stringify({ name, overrides }));
		writeFileSync(join(folder, 'node_modules', 'inner', 'package.json'), '{"version":"1.0.0"}');
	}
	writeFileSync(join(nodes(), 'package.json'), '{"name":"installed-nodes","private":true}');
}

function pack(): void {
	const folder = join(home, 'packed', 'package');
	mkdirSync(folder, { recursive: true });
	cpSync(join(ROOT, 'package.json'), join(folder, 'package.json'));
	writeFileSync(join(folder, 'README.md'), 'read me');
	execFileSync('tar', ['-czf', join(home, TARBALL), '-C', join(home, 'packed'), 'package']);
}

/** Every file below the folder of community packages, with its content. */
function everything(): Map<string, string> {
	const files = readdirSync(nodes(), { recursive: true, withFileTypes: true });
	return new Map(
		files
			.filter((file) => file.isFile())
			.map((file) => join(file.parentPath, file.name))
			.map((path) => [path, readFileSync(path, 'utf8')]),
	);
}

const run = (command: string) =>
	execFileSync('sh', ['-c', command], { cwd: home, env: { ...process.env, HOME: home } });

const onPosix = process.platform === 'win32' ? it.skip : it;

onPosix(
	'unpacks the package beside others and leaves them as they were; removing it does, too',
	() => {
		neighbours();
		pack();
		const before = everything();
		run(install);
		const installed = join(nodes(), 'node_modules', manifest.name, 'package.json');
		const after = everything();
		expect(after.get(installed)).toBe(readFileSync(join(ROOT, 'package.json'), 'utf8'));
		for (const [path, content] of before) expect([path, after.get(path)]).toEqual([path, content]);
		expect(after.size).toBe(before.size + 2);
		run(remove);
		expect(everything()).toEqual(before);
	},
);

it('is what the demo does, and what the page says for Docker', async () => {
	expect(install).toContain(TARBALL);
	const [docker = ''] = blocksOf('docs/installation.md').filter((one) => one.startsWith('docker'));
	expect(docker).toContain(install.replace(TARBALL, `/tmp/${TARBALL}`));
	pack();
	const folder = await installPackage(join(home, TARBALL), home);
	expect(folder).toBe(join(nodes(), 'node_modules', manifest.name));
	expect(readdirSync(folder).sort()).toEqual(['README.md', 'package.json']);
});

it('needs nothing else, since the package has no dependencies', () => {
	expect(manifest).not.toHaveProperty('dependencies');
});
