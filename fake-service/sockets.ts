// node:http, reduced to what the fake service does with it.

import { once } from 'node:events';
import {
	createServer,
	type IncomingHttpHeaders,
	type IncomingMessage,
	type Server,
	type ServerResponse,
} from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';

export interface Listening {
	origin: string;
	/** Resolves once everything that was sent up to now is answered or given up. */
	idle: () => Promise<void>;
	close: () => Promise<void>;
}

type Listener = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** Listens on loopback unless another host is given; port 0 picks a free one. */
export async function listen(listener: Listener, port = 0, host = '127.0.0.1'): Promise<Listening> {
	const server = createServer((request, response) => {
		// A caller that gives up halfway is no business of the service.
		listener(request, response).catch(() => response.destroy());
	});
	server.keepAliveTimeout = 60_000;
	const busy = new BusySockets(server);
	await new Promise<void>((resolve, reject) => {
		server.once('error', reject);
		server.listen(port, host, resolve);
	});
	const { port: taken } = server.address() as AddressInfo;
	return {
		origin: `http://127.0.0.1:${taken}`,
		idle: async () => {
			// Connections are taken in their order: with this one, all that were opened before it.
			const last = connect(taken, '127.0.0.1').end().resume();
			await once(last, 'close');
			await busy.none();
		},
		close: () => closed(server),
	};
}

/** The connections on which a request is still arriving, or not yet answered. */
class BusySockets {
	private readonly sockets = new Set<Socket>();
	private readonly waiting: Array<() => void> = [];

	constructor(server: Server) {
		server.on('connection', (socket) => this.until(socket, socket));
		server.on('request', ({ socket }, response) => this.until(response, socket));
	}

	private until(end: Socket | ServerResponse, socket: Socket): void {
		this.sockets.add(socket);
		end.once('close', () => {
			this.sockets.delete(socket);
			if (this.sockets.size === 0) for (const tell of this.waiting.splice(0)) tell();
		});
	}

	async none(): Promise<void> {
		if (this.sockets.size > 0) await new Promise<void>((resolve) => this.waiting.push(resolve));
	}
}

function closed(server: Server): Promise<void> {
	return new Promise((resolve) => {
		server.close(() => resolve());
		server.closeAllConnections();
	});
}

export async function readBody(request: IncomingMessage): Promise<Buffer> {
	const chunks: Buffer[] = [];
	for await (const chunk of request) chunks.push(chunk as Buffer);
	return Buffer.concat(chunks);
}

export function flatHeaders(headers: IncomingHttpHeaders): Record<string, string> {
	const flat: Record<string, string> = {};
	for (const [name, value] of Object.entries(headers)) {
		if (value !== undefined) flat[name] = Array.isArray(value) ? value.join(', ') : value;
	}
	return flat;
}

export interface Outgoing {
	status: number;
	body: string | Buffer;
	headers: Record<string, string>;
	cutAt?: number;
}

export function send(response: ServerResponse, { status, body, headers, cutAt }: Outgoing): void {
	const bytes = Buffer.from(body as string);
	response.writeHead(status, { ...headers, 'Content-Length': bytes.length });
	if (cutAt === undefined) {
		response.end(bytes);
		return;
	}
	response.write(bytes.subarray(0, cutAt), () => response.socket?.destroy());
}

/** Ends the connection with a reset and not a word. */
export function cutOff(response: ServerResponse): void {
	response.socket?.resetAndDestroy();
}
