// Where n8n's official image cannot be pulled: an image of our own in its place, with the same user, port,
// volume and entrypoint, around the n8n of "npm start". Podman runs it, and docker-compose talks to Podman.

import { chmodSync, copyFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { cleanEnv, endProgram, runProgram, startProgram } from '../../scripts/n8n/children';
import { aptInstall, installCommand, mayInstall } from '../../scripts/n8n/debian';
import { CACHE, ROOT } from '../../scripts/n8n/folders';
import { installHost, testedVersion } from '../../scripts/n8n/host';
import { step } from '../../scripts/n8n/progress';
import { inTime } from '../../scripts/n8n/waiting';
import { askForVersion, imageName, type Runtime } from './runtime';

const PACKAGES = [
	...['podman', 'runc', 'netavark', 'aardvark-dns', 'iptables', 'catatonit'],
	...['docker-compose', 'mmdebstrap'],
];
const FOLDER = join(CACHE, 'containers');
const SOCKET = join(FOLDER, 'podman.sock');
const BASE = 'localhost/debian-base';
const STAND_IN = `localhost/n8n:${testedVersion()}`;
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

/** Whatever the tag says, the stand-in has the n8n of "npm start". */
export async function standInImage(tag: string): Promise<Runtime> {
	if (!mayInstall())
		throw new Error(`Neither Docker nor Podman can be used. ${installCommand(PACKAGES)}`);
	await installHost();
	if (!existsSync('/usr/bin/podman') || !existsSync('/usr/bin/docker-compose'))
		await step('Installing Podman', () => aptInstall(PACKAGES));
	mkdirSync(FOLDER, { recursive: true });
	const conf = join(FOLDER, 'containers.conf');
	writeFileSync(conf, CONTAINERS_CONF);
	const env = { ...cleanEnv(), CONTAINERS_CONF: conf };
	const podman = async (...args: string[]) => {
		let last = '';
		const onLine = (line: string) => void (last = line);
		await runProgram({ command: 'podman', args: [...STORAGE, ...args], cwd: ROOT, env, onLine });
		return last;
	};
	await podman('image', 'exists', STAND_IN).catch(() => buildImage(podman));
	await podman('tag', STAND_IN, imageName(tag));
	rmSync(SOCKET, { force: true });
	const serve = [...STORAGE, 'system', 'service', '--time=0', `unix://${SOCKET}`];
	const service = startProgram({ command: 'podman', args: serve, cwd: ROOT, env });
	await inTime("Podman's service", () => existsSync(SOCKET));
	return {
		image: `a stand-in with n8n ${testedVersion()}, not the official one`,
		compose: ['docker-compose'],
		env: { ...env, DOCKER_HOST: `unix://${SOCKET}` },
		versionInImage: () => podman(...askForVersion(tag)),
		close: () => endProgram(service),
	};
}

async function buildImage(podman: (...args: string[]) => Promise<unknown>): Promise<void> {
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
		// One layer: without an overlay file system, each further one is a copy of all 2 GB.
		podman('build', '--layers=false', '--file', file, '--tag', STAND_IN, CACHE),
	);
}
