// An npm registry on loopback, as far as `npm publish`, `npm pack` and `npm install` need one. It knows what
// was published to it, and nothing else.

import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

import { asRecord, type JsonRecord } from '../../scripts/n8n/n8nApi';

export interface Registry {
	url: string;
	close(): Promise<void>;
}

export async function startRegistry(): Promise<Registry> {
	const packages = new Map<string, JsonRecord>();
	const tarballs = new Map<string, Buffer>();
	const server = createServer((request, response) => {
		const reply = (status: number, body: JsonRecord | Buffer) =>
			response.writeHead(status).end(Buffer.isBuffer(body) ? body : JSON.stringify(body));
		const path = decodeURIComponent((request.url ?? '/').slice(1));
		if (request.method === 'PUT') {
			void read(request)
				.then(store)
				.then(
					() => reply(201, { ok: true }),
					(error: Error) => reply(409, { error: error.message }),
				);
			return;
		}
		const found = tarballs.get(path) ?? packages.get(path);
		return found === undefined ? reply(404, { error: 'not found' }) : reply(200, found);
	});

	function store(document: JsonRecord): void {
		const name = String(document.name);
		const known = asRecord(packages.get(name));
		// A version is published once, as in npm's own registry.
		for (const version of Object.keys(asRecord(document.versions)))
			if (version in asRecord(known.versions)) throw new Error(`${version} exists already`);
		const merged = (part: string) =>
			Object.assign({}, asRecord(known[part]), asRecord(document[part]));
		packages.set(name, {
			name,
			'dist-tags': merged('dist-tags'),
			versions: merged('versions'),
		});
		for (const [file, content] of Object.entries(asRecord(document._attachments)))
			tarballs.set(`${name}/-/${file}`, Buffer.from(String(asRecord(content).data), 'base64'));
	}

	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${port}`,
		close: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}

async function read(request: IncomingMessage): Promise<JsonRecord> {
	const chunks: Buffer[] = [];
	for await (const chunk of request) chunks.push(chunk as Buffer);
	return asRecord(JSON.parse(Buffer.concat(chunks).toString('utf8')));
}
