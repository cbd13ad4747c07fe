// Where n8n's official image cannot be pulled: an image of our own in its place, with the same user, port,
// volume and entrypoint, around the n8n of "npm start". Podman runs it, and docker-compose talks to Podman.

import {
	chmodSync,
	copyFileSync,
	existsSync,
	mkdirSync,
	readFileSync,
	rmSync,
	writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

import { cleanEnv, endProgram, runProgram, startProgram } from '../../../scripts/n8n/children';
import { aptInstall, installCommand, mayInstall } from '../../../scripts/n8n/debian';
import { CACHE, HOST_MANIFEST, ROOT } from '../../../scripts/n8n/folders';
import { installHost } from '../../../scripts/n8n/host';
import { asRecord } from '../../../scripts/n8n/n8nApi';
import { step } from '../../../scripts/n8n/progress';
import { inTime } from '../../../scripts/n8n/waiting';
import type { Runtime } from './runtime';

const PACKAGES = [
	...['podman', 'runc', 'netavark', 'aardvark-dns', 'iptables', 'catatonit'],
	...['docker-compose', 'mmdebstrap'],
];
const FOLDER = join(CACHE, 'containers');
const SOCKET = join(FOLDER, 'podman.sock');
const BASE = 'localhost/debian-base';
/** Images and volumes of its own: nobody's Podman gets an image with the name of n8n's. */
const STORAGE = ['--root', join(FOLDER, 'storage'), '--runroot', join(FOLDER, 'run')];

/** n8n needs many files at once. The rest is what Podman of Debian 12 runs with inside a container. */
const CONTAINERS_CONF = `[containers]
default_ulimits = ["nofile=16384:16384", "nproc=4096:4096"]
[engine]
runtime = "runc"
cgroup_manager = "cgroupfs"
`;

const containerfile = `FROM ${BASE}
RUN useradd --uid 1000 --create-home --shell /bin/sh node && mkdir /home/node/.n8n && chown -R node:node /home/node
COPY node tini /usr/local/bin/
COPY docker-entrypoint.sh /
COPY n8n-host/node_modules /usr/local/lib/node_modules
RUN ln -s /usr/local/lib/node_modules/n8n/bin/n8n /usr/local/bin/n8n
USER node
WORKDIR /home/node
EXPOSE 5678
ENTRYPOINT ["tini", "--", "/docker-entrypoint.sh"]
`;
const ENTRYPOINT = '#!/bin/sh\nexec n8n "$@"\n';

const n8nVersion = (): string => {
	const host: unknown = JSON.parse(readFileSync(join(HOST_MANIFEST, 'package.json'), 'utf8'));
	return String(asRecord(asRecord(host).dependencies).n8n);
};

export async function standInImage(): Promise<Runtime> {
	if (!mayInstall())
		throw new Error(`Neither Docker nor Podman can be used. ${installCommand(PACKAGES)}`);
	await installHost();
	if (!existsSync('/usr/bin/podman') || !existsSync('/usr/bin/docker-compose'))
		await step('Installing Podman', () => aptInstall(PACKAGES));
	mkdirSync(FOLDER, { recursive: true });
	const conf = join(FOLDER, 'containers.conf');
	writeFileSync(conf, CONTAINERS_CONF);
	const env = { ...cleanEnv(), CONTAINERS_CONF: conf };
	const podman = (...args: string[]) =>
		runProgram({ command: 'podman', args: [...STORAGE, ...args], cwd: ROOT, env });
	const image = `docker.n8n.io/n8nio/n8n:${n8nVersion()}`;
	await podman('image', 'exists', image).catch(() => buildImage(podman, image));
	rmSync(SOCKET, { force: true });
	const serve = [...STORAGE, 'system', 'service', '--time=0', `unix://${SOCKET}`];
	const service = startProgram({ command: 'podman', args: serve, cwd: ROOT, env });
	await inTime("Podman's service", () => existsSync(SOCKET));
	return {
		image: `a stand-in with n8n ${n8nVersion()}, not the official one`,
		command: ['docker-compose'],
		env: { ...env, DOCKER_HOST: `unix://${SOCKET}` },
		close: () => endProgram(service),
	};
}

async function buildImage(
	podman: (...args: string[]) => Promise<void>,
	image: string,
): Promise<void> {
	const base = join(FOLDER, 'base.tar');
	await step('Making a small Debian', async () => {
		const args = ['--variant=minbase', 'bookworm', base, 'http://deb.debian.org/debian'];
		await runProgram({ command: 'mmdebstrap', args, cwd: ROOT });
		await podman('import', base, BASE);
		rmSync(base);
	});
	const inContext = (name: string) => join(CACHE, name);
	copyFileSync(process.execPath, inContext('node'));
	copyFileSync('/usr/bin/catatonit', inContext('tini'));
	writeFileSync(inContext('docker-entrypoint.sh'), ENTRYPOINT);
	for (const name of ['node', 'tini', 'docker-entrypoint.sh']) chmodSync(inContext(name), 0o755);
	const file = join(FOLDER, 'Containerfile');
	writeFileSync(file, containerfile);
	await step('Making an image with n8n: once, some minutes', () =>
		podman('build', '--file', file, '--tag', image, CACHE),
	);
}
