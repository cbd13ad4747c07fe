// A registry on this machine that has our packed package and nothing else, and an npm that asks it. So
// n8n's own installer can be seen at work before the package is on npm.

import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, delimiter, join } from 'node:path';

import { npm } from './children';
import { ROOT } from './folders';
import { asRecord } from './n8nApi';

export interface Registry {
	/** Whose n8n installs from here. */
	env: Record<string, string>;
	close(): Promise<void>;
}

/** The folder is for what npm needs. */
export async function startRegistry(tarball: string, folder: string): Promise<Registry> {
	const bytes = readFileSync(tarball);
	const manifest = asRecord(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')));
	const { name, version } = manifest;
	const file = `/${String(name)}/-/${basename(tarball)}`;
	const server = createServer(({ url = '', headers }, response) => {
		if (url === file) {
			response.end(bytes);
			return;
		}
		const found = decodeURIComponent(url) === `/${String(name)}`;
		const dist = {
			tarball: `http://${headers.host ?? ''}${file}`,
			integrity: `sha512-${createHash('sha512').update(bytes).digest('base64')}`,
			shasum: createHash('sha1').update(bytes).digest('hex'),
		};
		const latest = String(version);
		const versions = { [latest]: { ...manifest, dist } };
		response.writeHead(found ? 200 : 404, { 'content-type': 'application/json' });
		response.end(JSON.stringify(found ? { name, 'dist-tags': { latest }, versions } : {}));
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	return {
		env: {
			PATH: [npmThatAsks(url, folder), process.env.PATH ?? ''].join(delimiter),
			// n8n itself asks others about the package first. Here it gets no answer, and goes on.
			HTTPS_PROXY: url,
			NO_PROXY: '127.0.0.1',
		},
		close: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}

/** n8n names the public registry to npm; what stands last counts. Gives the folder that it lies in. */
function npmThatAsks(url: string, folder: string): string {
	const { command, args } = npm([], { cache: join(folder, 'npm-cache') });
	const quoted = (word: string) => `'${word}'`;
	const start = [command, ...args].map(quoted).join(' ');
	// Else it would find itself.
	const path = quoted(process.env.PATH ?? '');
	const bin = join(folder, 'bin');
	mkdirSync(bin, { recursive: true });
	writeFileSync(
		join(bin, 'npm'),
		`#!/bin/sh\nPATH=${path} exec ${start} "$@" --registry=${url}\n`,
		{
			mode: 0o755,
		},
	);
	return bin;
}
