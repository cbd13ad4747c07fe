/**
 * Connections that never become ready to send, on n8n's engine, with its own HTTP helper: nothing was
 * sent, so a write has certainly had no effect. The errors alone do not tell: some look like those of
 * a response that was lost.
 */
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';

import type { JsonRecord } from '../../nodes/LeadGenPublishing/api/schemas';
import { runNode, stopInstance } from '../support/engine';
import { subjectOf } from '../support/kit/index';

/** A TLS alert: fatal, and why. */
const alert = (why: number): Buffer => Buffer.from([0x15, 3, 3, 0, 2, 2, why]);
const PROTOCOL_VERSION = 70;
const HANDSHAKE_FAILURE = 40;
const HALF_HELLO = Buffer.from([0x16, 3, 3, 0, 0x50, 2, 0, 0, 10]);

/** What happens once the client has begun the handshake. */
const ENDINGS: Readonly<Record<string, (socket: Socket) => unknown>> = {
	'is cut off': (socket) => socket.end(),
	'is reset': (socket) => socket.resetAndDestroy(),
	'is cut off in the middle of a message': (socket) => socket.end(HALF_HELLO),
	'has no version in common': (socket) => socket.end(alert(PROTOCOL_VERSION)),
	'has no cipher in common': (socket) => socket.end(alert(HANDSHAKE_FAILURE)),
	'leads to another protocol': (socket) => socket.end('SSH-2.0-OpenSSH_9\r\n'),
	'gets no response': () => undefined,
};

const open: Server[] = [];
afterEach(() => open.splice(0).forEach((server) => server.close()));
afterAll(stopInstance);

async function portOf(server: Server): Promise<number> {
	open.push(server);
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	return (server.address() as AddressInfo).port;
}

async function creationAt(port: number): Promise<JsonRecord> {
	const { outputs } = await runNode({
		...subjectOf({
			baseUrl: `https://localhost:${port}/api/v1`,
			apiKey: 'svc_live_key_0123456789',
		}),
		parameters: {
			...{ resource: 'post', operation: 'create', text: 'Hello' },
			options: { maxWaitSeconds: 1 },
		},
		onError: 'continueErrorOutput',
	});
	return outputs.flat()[0]?.json ?? {};
}

function expectNeverSent({ error, details }: JsonRecord): void {
	expect(details).toMatchObject({ http_status: null, code: 'unreachable', retryable: true });
	expect(details).not.toHaveProperty('outcome');
	expect(error).toContain('could not be reached');
}

it.each(Object.entries(ENDINGS))('a handshake that %s', async (_, end) => {
	const sockets: Socket[] = [];
	const server = createServer((socket) => {
		sockets.push(socket.on('error', () => undefined));
		socket.once('data', () => end(socket));
	});
	expectNeverSent(await creationAt(await portOf(server)));
	for (const socket of sockets) socket.destroy();
});

it('https to a port that speaks http', async () => {
	let requests = 0;
	const server = createHttpServer((_request, response) => {
		requests += 1;
		response.end();
	});
	expectNeverSent(await creationAt(await portOf(server)));
	expect(requests).toBe(0);
});
