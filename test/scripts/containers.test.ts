/** The compose files and the Dockerfile say the same as the demo, the package and each other. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

import { HOST_MANIFEST, ROOT } from '../../scripts/n8n/folders';
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
}

const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');
const containersOf = (file: string) =>
	(parse(read(file), { merge: true }) as { services: Record<string, Container> }).services;

const host = JSON.parse(readFileSync(join(HOST_MANIFEST, 'package.json'), 'utf8')) as {
	dependencies: { n8n: string };
};
const VERSION = host.dependencies.n8n;
const FOLDER = `/home/node/.n8n/nodes/node_modules/${packageName()}`;
const demo = containersOf('compose.yaml');
const queue = containersOf('compose.queue.yaml');
const dockerfile = read('Dockerfile');
const PROCESSES = ['n8n', 'worker', 'webhook'] as const;

describe('compose.yaml', () => {
	it.each(['package', 'n8n', 'demo'])('%s runs in the n8n of "npm start"', (name) => {
		expect(demo[name]?.image).toBe(`docker.n8n.io/n8nio/n8n:\${N8N_VERSION:-${VERSION}}`);
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

	it('runs a program that exists, on the network of n8n', () => {
		const [, program = ''] = demo.demo?.entrypoint ?? [];
		expect(existsSync(join(ROOT, program.replace(/^\/demo\/(.+)\.js$/, '$1.ts')))).toBe(true);
		expect(demo.demo?.network_mode).toBe('service:n8n');
	});

	it('publishes the ports of the program under the same numbers, on this machine only', () => {
		const program = read('scripts/demo/inContainer.ts');
		const ports = [/N8N_URL = 'http:\/\/127\.0\.0\.1:(\d+)'/, /CONTROL_PORT = (\d+)/].map(
			(pattern) => pattern.exec(program)?.[1] ?? 'none',
		);
		expect(demo.n8n?.ports).toEqual(ports.map((port) => `127.0.0.1:${port}:${port}`));
	});

	it('has one volume for n8n, the package, and what the program remembers', () => {
		for (const name of ['package', 'n8n', 'demo'])
			expect(demo[name]?.volumes).toContain('n8n:/home/node/.n8n');
		expect(read('scripts/demo/inContainer.ts')).toContain("KEPT = '/home/node/.n8n/");
	});
});

describe('the Dockerfile', () => {
	it('starts from the n8n of "npm start" and puts the package where n8n looks for it', () => {
		expect(dockerfile).toContain(`ARG N8N_VERSION=${VERSION}\n`);
		expect(dockerfile).toContain(`p=${FOLDER};`);
	});

	it('takes a file that "npm pack" makes, and .dockerignore lets it through', () => {
		const [, tarball = ''] = /^ADD (\S+\.tgz) /m.exec(dockerfile) ?? [];
		expect(tarball).toBe(`${packageName()}-*.tgz`);
		expect(read('.dockerignore').split('\n')).toContain(`!${tarball}`);
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

	it('builds that image for the n8n of "npm start"', () => {
		expect(queue.n8n).toMatchObject({
			build: { context: '.', args: { N8N_VERSION: `\${N8N_VERSION:-${VERSION}}` } },
		});
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
