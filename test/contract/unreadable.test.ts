/**
 * Responses that cannot be read, on n8n's engine, with its own HTTP helper: the outcome of a write
 * stays unknown, a read is repeated, a stored file counts as stored, and half a file is an error.
 */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';

import type { INodeExecutionData } from 'n8n-workflow';

import type { JsonRecord } from '../../nodes/LeadGenPublishing/api/schemas';
import { runNode, stopInstance, withBinary } from '../support/engine';
import { subjectOf, type Parameters } from '../support/kit/index';

type Answering = (request: IncomingMessage, response: ServerResponse) => void;

let answer: Answering = () => undefined;
const asked: string[] = [];
const server = createServer((request, response) => {
	asked.push(`${request.method} ${request.url}`);
	request.resume();
	request.once('end', () => answer(request, response));
});
let origin = '';

beforeAll(async () => {
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
	server.closeAllConnections();
	server.close();
	await stopInstance();
});
beforeEach(() => void asked.splice(0));

async function run(parameters: Parameters, items?: INodeExecutionData[]): Promise<JsonRecord> {
	const { outputs } = await runNode({
		...subjectOf({ baseUrl: `${origin}/api/v1`, apiKey: 'svc_live_key_0123456789' }),
		...{ parameters, items, onError: 'continueErrorOutput' },
	});
	return outputs.flat()[0]?.json ?? {};
}
const CREATE = { resource: 'post', operation: 'create', text: 'Hello' };
const GET = { resource: 'post', operation: 'get', simplify: false };
const POST_ID = {
	postId: { __rl: true, mode: 'id', value: '6f1c2f0e-7d4b-4a53-9d53-0c1f0a6c1b11' },
};
const DONE =
	'{"data":{"id":"6f1c2f0e-7d4b-4a53-9d53-0c1f0a6c1b11","text":"Hello"},"request_id":"req_1"}';
const NAMED = { 'Content-Type': 'application/json', 'X-Request-Id': 'req_1' };

const BODIES: Readonly<Record<string, Answering>> = {
	...Object.fromEntries(
		['gzip', 'br', 'deflate', 'zstd'].map((encoding) => [
			`${encoding} that is none`,
			(_request: IncomingMessage, response: ServerResponse) => {
				response.writeHead(200, { ...NAMED, 'Content-Encoding': encoding }).end(DONE);
			},
		]),
	),
	'half of a compressed body': (_request, response) => {
		const half = gzipSync(DONE).subarray(0, 40);
		response.writeHead(200, { ...NAMED, 'Content-Encoding': 'gzip' }).end(half);
	},
	'a record nested 100,000 deep': (_request, response) => {
		const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
		response.writeHead(201, NAMED).end(`{"data":{"id":"1","deep":${deep}}}`);
	},
	'a body that is cut off by the connection': (_request, response) => {
		response.writeHead(200, { ...NAMED, 'Content-Length': DONE.length });
		response.write(DONE.slice(0, 20), () => response.destroy());
	},
};

describe.each(Object.entries(BODIES))('%s', (_, broken) => {
	it('leaves the outcome of a write open, and is not sent again', async () => {
		answer = broken;
		const { error, details } = await run(CREATE);
		expect(error).toMatch(/not known whether the post was created/);
		expect(details).toMatchObject({
			outcome: 'unknown',
			request_id: expect.stringMatching(/^(req_1|n8n:)/) as string,
		});
		expect(asked).toEqual(['POST /api/v1/posts']);
	});
});

it.each(Object.entries(BODIES).filter(([name]) => !name.includes('deep')))(
	'%s is asked for again by a read',
	async (_, broken) => {
		answer = (request, response) => {
			if (asked.length < 3) broken(request, response);
			else response.writeHead(200, NAMED).end(DONE);
		};
		expect(await run({ ...GET, ...POST_ID })).toMatchObject({ text: 'Hello' });
		expect(asked).toHaveLength(3);
	},
);

const PNG = Buffer.concat([
	Buffer.from('89504e470d0a1a0a', 'hex'),
	Buffer.alloc(5_000, 7),
	Buffer.from('IEND\xaeB`\x82', 'latin1'),
]);
const UPLOAD = { resource: 'media', operation: 'upload' };

/** Random, so that compression does not shorten it. */
const NOISE = Buffer.concat([PNG.subarray(0, 8), randomBytes(5_000), PNG.subarray(-8)]);

/** The service gives an upload URL on this machine, and the storage answers as told. */
const storing =
	(storage: Answering): Answering =>
	(request, response) => {
		if (request.method === 'PUT' || request.url?.startsWith('/file'))
			return storage(request, response);
		const data = {
			upload_url: `${origin}/storage/up?token=t0ken-secret`,
			token: 't0ken-secret',
			path: 'a.png',
		};
		response.writeHead(200, NAMED).end(JSON.stringify({ data }));
	};

it('a file counts as stored if the storage says so, whatever the body of its response is', async () => {
	answer = storing((_request, response) => {
		response.writeHead(200, { 'Content-Encoding': 'gzip' }).end('not compressed');
	});
	const item = await withBinary(
		{ json: {} },
		{ buffer: PNG, mimeType: 'image/png', fileName: 'a.png' },
	);
	expect(await run(UPLOAD, [item])).toMatchObject({ path: 'a.png', size: PNG.length });
	expect(asked).toEqual(['POST /api/v1/media/upload-url', 'PUT /storage/up?token=t0ken-secret']);
});

describe('a file at a URL', () => {
	const fetched = async (file: Answering) => {
		answer = storing((request, response) => {
			if (request.method === 'PUT') response.writeHead(200).end();
			else file(request, response);
		});
		return await run({ ...UPLOAD, source: 'url', fileUrl: `${origin}/file.png` });
	};

	it('is requested as documented, and accepted as documented', async () => {
		let encoding: unknown;
		const item = await fetched((request, response) => {
			encoding = request.headers['accept-encoding'];
			response.writeHead(200, { 'Content-Type': 'text/plain' }).end(PNG);
		});
		expect(encoding).toBe('identity');
		expect(item).toMatchObject({ content_type: 'image/png', size: PNG.length });
	});

	it.each<[string, Answering]>([
		[
			'compressed in spite of that',
			(_request, response) => {
				response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(gzipSync(PNG));
			},
		],
		[
			'from a server that closes the connection at its end',
			({ socket }) => {
				socket.write('HTTP/1.0 200 OK\r\nContent-Type: image/png\r\n\r\n');
				socket.end(PNG);
			},
		],
	])('is taken if it is whole by its own structure: %s', async (_, file) => {
		expect(await fetched(file)).toMatchObject({ size: PNG.length });
	});

	it.each<[string, Answering, RegExp]>([
		[
			'half of a compressed one',
			(_request, response) => {
				const half = gzipSync(NOISE).subarray(0, 3_000);
				response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(half);
			},
			/only a part of the file/,
		],
		[
			'half of one, of a server that closes the connection at its end',
			({ socket }) => {
				socket.write('HTTP/1.0 200 OK\r\nContent-Type: image/png\r\n\r\n');
				socket.end(PNG.subarray(0, 1_000));
			},
			/only a part of the file/,
		],
		[
			'a part of one, as its status says',
			(_request, response) => {
				response.writeHead(206, { 'Content-Length': PNG.length }).end(PNG);
			},
			/only a part of the file/,
		],
		[
			'that breaks off',
			(_request, response) => {
				response.writeHead(200, { 'Content-Length': PNG.length });
				response.write(PNG.subarray(0, 100), () => response.destroy());
			},
			/could not be fetched/,
		],
	])('is none if it is %s', async (_, file, message) => {
		const { error } = await fetched(file);
		expect(error).toMatch(message);
		expect(asked).toEqual(['GET /file.png']);
	});
});
