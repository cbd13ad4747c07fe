// A host of pictures that n8n reaches over https under a public name, as it reaches one on the internet.

import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const NAME = 'files.example.com';

/** Resolves this one name to this machine, in n8n's process. */
const RESOLVER = `const dns = require('node:dns');
const { lookup } = dns;
dns.lookup = (name, ...rest) => lookup(name === '${NAME}' ? '127.0.0.1' : name, ...rest);
`;

export interface FileHost {
	/** For n8n: how it finds the host, and trusts its certificate. */
	readonly env: Record<string, string>;
	urlOf(name: string): string;
	/** How often a picture was fetched. */
	fetched(): number;
	close(): Promise<void>;
}

export async function startFileHost(): Promise<FileHost> {
	const folder = mkdtempSync(join(tmpdir(), 'file-host-'));
	const [key, cert, resolver] = ['key.pem', 'cert.pem', 'resolver.cjs'].map((file) =>
		join(folder, file),
	) as [string, string, string];
	const subject = ['-subj', `/CN=${NAME}`, '-addext', `subjectAltName=DNS:${NAME}`];
	const made = ['-newkey', 'rsa:2048', '-nodes', '-days', '2', '-keyout', key, '-out', cert];
	execFileSync('openssl', ['req', '-x509', ...made, ...subject], { stdio: 'ignore' });
	writeFileSync(resolver, RESOLVER);
	let count = 0;
	const server = createServer(
		{ key: readFileSync(key), cert: readFileSync(cert) },
		({ url = '' }, response) => {
			count += 1;
			response.setHeader('content-type', 'image/png');
			response.end(pictureOf(url));
		},
	).listen(0, '127.0.0.1');
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;
	return {
		env: { NODE_EXTRA_CA_CERTS: cert, NODE_OPTIONS: `--require ${resolver}` },
		urlOf: (name) => `https://${NAME}:${port}/${name}.png`,
		fetched: () => count,
		close: async () => {
			rmSync(folder, { recursive: true, force: true });
			server.close();
			await once(server, 'close');
		},
	};
}

/** A PNG whose header holds the name, so that each picture has other bytes. */
function pictureOf(name: string): Buffer {
	const chunk = (type: string, data: Buffer) => {
		const length = Buffer.alloc(4);
		length.writeUInt32BE(data.length);
		return Buffer.concat([length, Buffer.from(type), data, Buffer.alloc(4)]);
	};
	const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
	const header = Buffer.from([0, 0, 0, 1, 0, 0, 0, 1, 8, 2, 0, 0, 0]);
	const chunks = [
		chunk('IHDR', header),
		chunk('tEXt', Buffer.from(name)),
		chunk('IEND', Buffer.alloc(0)),
	];
	return Buffer.concat([signature, ...chunks]);
}
