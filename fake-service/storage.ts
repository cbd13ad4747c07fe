// The storage host: takes one upload for each URL that the service signed. It is not the API, and
// an API key has no business here.

import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Backend } from './call';
import type { Faults } from './faults';
import type { StorageRequest } from './log';
import { BUCKET } from './media';
import { cutOff, flatHeaders, send } from './sockets';
import type { Ticket } from './uploads';
import { wait } from './wait';

const SIGNED = `/storage/v1/object/upload/sign/${BUCKET}/`;
const PUBLIC = `/storage/v1/object/public/${BUCKET}/`;
/** More than any upload may be; past it nothing is kept. */
const KEEP = 16 * 1024 * 1024;

interface Storage {
	backend: Backend;
	requests: StorageRequest[];
	faults: Faults;
}

class StorageError extends Error {
	constructor(
		readonly status: number,
		message: string,
	) {
		super(message);
	}
}

export function storageListener(storage: Storage) {
	return async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
		const url = new URL(incoming.url ?? '/', 'http://storage');
		const headers = flatHeaders(incoming.headers);
		const path = decodeURIComponent(url.pathname.replace(SIGNED, '').replace(PUBLIC, ''));
		const admitted = storage.backend.uploads.check(url.searchParams.get('token'), path);
		const request: StorageRequest = {
			method: incoming.method ?? 'GET',
			url: incoming.url ?? '/',
			headers,
			bytes: 0,
			sha256: '',
			tokenOk: typeof admitted !== 'string',
			status: null,
			fault: null,
		};
		storage.requests.push(request);
		const about = { method: request.method, path: url.pathname, route: null, clientId: null };
		const effect = storage.faults.take('storage', about);
		request.fault = effect?.kind ?? null;
		if (effect?.kind === 'reset' && !effect.after) return cutOff(response);
		const bytes = await receive(incoming, request);
		if (effect?.kind === 'hang' && !effect.after) return;
		if ((effect?.kind === 'error' || effect?.kind === 'raw') && !effect.after) {
			request.status = effect.status;
			const body = effect.kind === 'raw' ? effect.body : failure(effect.status, 'Injected fault');
			const headers = effect.kind === 'raw' ? effect.headers : undefined;
			return send(response, {
				status: effect.status,
				body,
				headers: { ...JSON_TYPE, ...headers },
			});
		}
		if (effect?.kind === 'delay') await wait(effect.ms);
		const reply = respond(storage.backend, { url, path, request, admitted, bytes });
		if (effect?.kind === 'hang') return;
		if (effect?.kind === 'reset') return cutOff(response);
		request.status = reply.status;
		send(response, reply);
	};
}

const JSON_TYPE = { 'Content-Type': 'application/json' };

async function receive(incoming: IncomingMessage, request: StorageRequest): Promise<Buffer> {
	const hash = createHash('sha256');
	const kept: Buffer[] = [];
	for await (const chunk of incoming) {
		const part = chunk as Buffer;
		request.bytes += part.length;
		hash.update(part);
		if (request.bytes <= KEEP) kept.push(part);
	}
	request.sha256 = hash.digest('hex');
	return Buffer.concat(kept);
}

interface Visit {
	url: URL;
	path: string;
	request: StorageRequest;
	admitted: Ticket | string;
	bytes: Buffer;
}

function respond(backend: Backend, visit: Visit) {
	try {
		if (visit.url.pathname.startsWith(PUBLIC)) return download(backend, visit);
		if (!visit.url.pathname.startsWith(SIGNED)) throw new StorageError(404, 'Not found');
		store(backend, visit);
		const body = JSON.stringify({ Key: `${BUCKET}/${visit.path}` });
		return { status: 200, body, headers: JSON_TYPE };
	} catch (error) {
		if (!(error instanceof StorageError)) throw error;
		return { status: error.status, body: failure(error.status, error.message), headers: JSON_TYPE };
	}
}

function store(backend: Backend, { path, request, admitted, bytes }: Visit): void {
	const { headers, method } = request;
	if (method !== 'PUT' && method !== 'POST') throw new StorageError(405, 'PUT or POST only');
	if (headers.authorization !== undefined) {
		throw new StorageError(400, 'An Authorization header does not belong here');
	}
	if (typeof admitted === 'string') throw new StorageError(403, admitted);
	if (headers['content-length'] === undefined) {
		throw new StorageError(411, 'Content-Length is required');
	}
	if (headers['content-type'] !== admitted.contentType) {
		throw new StorageError(415, 'Content-Type differs from what was announced');
	}
	if (request.bytes > admitted.size) throw new StorageError(413, 'Larger than announced');
	if (request.bytes < admitted.size) throw new StorageError(400, 'Smaller than announced');
	admitted.used = true;
	const { contentType: content_type, size } = admitted;
	const stored = { path, content_type, size, sha256: request.sha256, bytes };
	backend.world.account(admitted.account).media.set(path, stored);
}

function download(backend: Backend, { path, request }: Visit) {
	const stored = backend.world.ownerOf('media', path)?.media.get(path);
	if (!stored || request.method !== 'GET') throw new StorageError(404, 'Not found');
	return { status: 200, body: stored.bytes, headers: { 'Content-Type': stored.content_type } };
}

function failure(status: number, message: string): string {
	return JSON.stringify({ statusCode: String(status), error: 'storage_error', message });
}
