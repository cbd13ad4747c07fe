/** The compose files and the Dockerfile say the same as the demo, the package and each other. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';

import { putProgram } from '../../scripts/demo/containers';
import { ROOT } from '../../scripts/n8n/folders';
import { testedVersion } from '../../scripts/n8n/host';
import { QUIET, WITHOUT_ASSISTANT } from '../../scripts/n8n/launch';
import { packageName } from '../../scripts/n8n/package';

interface Container {
	image: string;
	command?: string[];
	entrypoint?: string[];
	environment: Record<string, string>;
	ports?: string[];
	volumes?: string[];
	network_mode?: string;
	depends_on?: unknown;
	build?: { args: Record<string, string> };
	healthcheck?: { test: string[] };
}

const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');
const containersOf = (file: string) =>
	(parse(read(file), { merge: true }) as { services: Record<string, Container> }).services;

const FOLDER = `/home/node/.n8n/nodes/node_modules/${packageName()}`;
const demo = containersOf('scripts/demo/compose.yaml');
const queue = containersOf('compose.queue.yaml');
const dockerfile = read('Dockerfile');
const PROCESSES = ['n8n', 'worker', 'webhook'] as const;

describe('compose.yaml', () => {
	it.each(['package', 'n8n', 'demo'])('%s runs in the n8n that was asked for', (name) => {
		const unless = `\${N8N_VERSION:-${testedVersion()}}`;
		expect(demo[name]?.image).toBe(`docker.n8n.io/n8nio/n8n:${unless}`);
	});

	it('mounts what "npm start -- --containers" puts beside it', () => {
		const mounts = ['package', 'n8n', 'demo'].flatMap((name) => demo[name]?.volumes ?? []);
		const folders = mounts.filter((mount) => mount.startsWith('.'));
		expect(folders).toEqual(['./package:/package:ro', './program:/demo:ro']);
		for (const [, name = ''] of folders.join(' ').matchAll(/\.\/(\w+):/g))
			expect(read('scripts/demo/containers.ts')).toContain(`join(CONTAINERS, '${name}')`);
	});

	it('starts n8n with the environment of "npm start"', () => {
		expect(demo.n8n?.environment).toMatchObject({ ...QUIET, ...WITHOUT_ASSISTANT });
	});

	it('puts the package where n8n looks for it, before n8n starts', () => {
		expect(demo.package?.entrypoint?.join(' ')).toContain(`p=${FOLDER};`);
		expect(demo.n8n?.depends_on).toEqual({
			package: { condition: 'service_completed_successfully' },
		});
	});

	it('runs a program that loads without any package', async () => {
		const folder = mkdtempSync(join(tmpdir(), 'program-'));
		await putProgram(folder);
		const program = join(folder, 'scripts/demo/inContainer.js');
		const { stderr } = spawnSync(process.execPath, [program], { encoding: 'utf8', env: {} });
		rmSync(folder, { recursive: true });
		// It checks its environment after everything has been loaded.
		expect(stderr).toContain('N8N_PORT must be a port');
	});

	it('runs a program that exists, on the network of n8n', () => {
		const [, program = ''] = demo.demo?.entrypoint ?? [];
		expect(existsSync(join(ROOT, program.replace(/^\/demo\/(.+)\.js$/, '$1.ts')))).toBe(true);
		expect(demo.demo?.network_mode).toBe('service:n8n');
	});

	it.each([
		['N8N_PORT', '5678'],
		['CONTROL_PORT', '4012'],
	])('gives %s to the program, and publishes it under the same number here only', (name, port) => {
		const value = `\${${name}:-${port}}`;
		expect(demo.n8n?.ports).toContain(`127.0.0.1:${value}:${value}`);
		expect(demo.demo?.environment[name]).toBe(value);
		expect(read('scripts/demo/inContainer.ts')).toContain(`portOf('${name}')`);
	});

	it('has one volume for n8n, the package, and what the program remembers', () => {
		for (const name of ['package', 'n8n', 'demo'])
			expect(demo[name]?.volumes).toContain('n8n:/home/node/.n8n');
		expect(read('scripts/demo/inContainer.ts')).toContain("KEPT = '/home/node/.n8n/");
	});
});

describe('the Dockerfile', () => {
	it('has no default version, and puts the package where n8n looks for it', () => {
		expect(dockerfile).toMatch(/^ARG N8N_VERSION$/m);
		// A tag that no image has, and whose name says what to do.
		expect(dockerfile).toMatch(
			/^FROM docker\.n8n\.io\/n8nio\/n8n:\$\{N8N_VERSION:-set-N8N_VERSION-[a-z-]+\}$/m,
		);
		expect(dockerfile).toContain(`p=${FOLDER};`);
	});

	it('takes the file that "gulp pack" writes, and .dockerignore lets it through', () => {
		const [, tarball = ''] = /^ADD (\S+\.tgz) /m.exec(dockerfile) ?? [];
		expect(tarball).toBe(`${packageName()}.tgz`);
		expect(read('.dockerignore').split('\n')).toContain(`!${tarball}`);
		expect(read('gulpfile.js')).toContain('path.join(__dirname, `${manifest.name}.tgz`)');
	});
});

describe('compose.queue.yaml', () => {
	it('runs every process from the image of the Dockerfile, with one environment', () => {
		for (const name of PROCESSES) {
			expect(queue[name]?.image).toBe('n8n-with-leadgen-publishing');
			expect(queue[name]?.environment).toEqual(queue.n8n?.environment);
			expect(queue[name]?.volumes).toBeUndefined();
		}
		expect(PROCESSES.map((name) => queue[name]?.command)).toEqual([
			undefined,
			['worker'],
			['webhook'],
		]);
	});

	it('builds that image only for a version that somebody chose', () => {
		const { N8N_VERSION } = queue.n8n?.build?.args ?? {};
		expect(N8N_VERSION).toMatch(/^\$\{N8N_VERSION:\?.+\}$/);
	});

	it('waits until the databases respond, and the main process has prepared its tables', () => {
		for (const name of ['postgres', 'redis', 'n8n'] as const)
			expect(queue[name]?.healthcheck?.test).toEqual(expect.arrayContaining(['CMD']));
		const healthy = { condition: 'service_healthy' };
		expect(queue.n8n?.depends_on).toEqual({ postgres: healthy, redis: healthy });
		for (const name of ['worker', 'webhook'] as const)
			expect(queue[name]?.depends_on).toEqual({ postgres: healthy, redis: healthy, n8n: healthy });
	});

	it('contains no secret: both come from .env, and nothing starts without them', () => {
		const { DB_POSTGRESDB_PASSWORD, N8N_ENCRYPTION_KEY } = queue.n8n?.environment ?? {};
		const { POSTGRES_PASSWORD } = queue.postgres?.environment ?? {};
		expect([DB_POSTGRESDB_PASSWORD, N8N_ENCRYPTION_KEY, POSTGRES_PASSWORD]).toEqual([
			'${POSTGRES_PASSWORD:?set it in .env}',
			'${N8N_ENCRYPTION_KEY:?set it in .env}',
			'${POSTGRES_PASSWORD:?set it in .env}',
		]);
	});
});
