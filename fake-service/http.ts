// The API's listener: reads a request, logs it, lets a fault have its way, answers.

import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Backend } from './call';
import { distort, PageMemory } from './distort';
import { ApiError, badRequest, type Refusal } from './errors';
import type { Effect } from './effect';
import { errorOf, type Faults } from './faults';
import { answer, find } from './gate';
import type { LoggedRequest } from './log';
import { lookup } from './router';
import { reshaped } from './shapes';
import { cutOff, flatHeaders, readBody, send } from './sockets';
import type { Json, JsonObject } from './types';
import { wait } from './wait';
import { objectionsTo } from './watches';
import { spelled, type Words } from './words';

/** Below it are all paths of the API. */
export const BASE_PATH = '/api/v1';

/** How long the service thinks before each answer, in ms. */
export interface Latency {
	global: number;
}

export interface ApiListening {
	backend: Backend;
	redirectUrl: () => string;
	requests: LoggedRequest[];
	faults: Faults;
	latency: Latency;
	/** How the service waits before it handles a late request. */
	pause: (ms: number) => Promise<void>;
	/** Told of each request that is over. */
	answered: (request: LoggedRequest) => void;
}

interface Handled {
	status: number;
	envelope: JsonObject;
	headers: Record<string, string>;
}

export function apiListener(api: ApiListening) {
	const pages = new PageMemory();
	return async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
		const request = await arrival(api, incoming);
		api.requests.push(request);
		// The client may have hung up. Then the request is over, although it is still being handled.
		response.once('close', () => (request.endedAt ??= Date.now()));
		const effect = api.faults.take('api', request, request);
		request.fault = effect?.kind ?? null;
		const delay = api.latency.global + (effect?.kind === 'delay' ? effect.ms : 0);
		if (delay > 0) await wait(delay);
		if (effect?.kind === 'late') handleLater(api, request, effect.ms);
		const handled = instead(effect) ? null : handle(api.backend, request);
		request.handled = handled?.status ?? null;
		conclude(api, pages, { request, effect, handled, response });
	};
}

function handleLater(api: ApiListening, request: LoggedRequest, ms: number): void {
	request.lateMs = ms;
	const later = async () => {
		await api.pause(ms);
		request.handled = handle(api.backend, request).status;
	};
	void later();
}

/** Whether the fault stands in for the handling of the request. */
function instead(effect: Effect | null): boolean {
	switch (effect?.kind) {
		case 'error':
		case 'raw':
		case 'reset':
		case 'hang':
		case 'html':
			return !effect.after;
		case 'redirect':
		case 'late':
			return true;
		default:
			return false;
	}
}

async function arrival(api: ApiListening, incoming: IncomingMessage): Promise<LoggedRequest> {
	const startedAt = Date.now();
	const url = incoming.url ?? '/';
	const [full = '', query = ''] = url.split('?');
	const inside = full === BASE_PATH || full.startsWith(`${BASE_PATH}/`);
	const path = inside ? full.slice(BASE_PATH.length) : full;
	const method = incoming.method ?? 'GET';
	const found = inside ? lookup(method, path, api.backend.world.words).found : null;
	const body = (await readBody(incoming)).toString('utf8');
	const headers = flatHeaders(incoming.headers);
	const given = headers['x-request-id'];
	return {
		method,
		path: inside ? path : `(outside)${full}`,
		url,
		query: Object.fromEntries(new URLSearchParams(query)),
		headers,
		body,
		json: parsed(body),
		route: found?.route.id ?? null,
		clientId: found?.params.clientId ?? null,
		status: null,
		handled: null,
		requestId: isRequestId(given) ? given : `req_${randomBytes(9).toString('hex')}`,
		fault: null,
		startedAt,
		endedAt: null,
	};
}

const isRequestId = (value: string | undefined): value is string =>
	value !== undefined && /^[A-Za-z0-9._:-]{1,128}$/.test(value);

function handle(backend: Backend, request: LoggedRequest): Handled {
	const { words } = backend.world;
	try {
		const given = request.headers['x-request-id'];
		if (given !== undefined && !isRequestId(given)) throw badRequest('Invalid X-Request-Id');
		const found = find(backend, request.method, request.path);
		const { status, ...whole } = answer(backend, found, request);
		const { shapes } = backend;
		const route = found.route.id;
		const rest = shapes === undefined ? whole : reshaped(whole, { route, shapes, words });
		const envelope: JsonObject = { ...rest, request_id: request.requestId };
		return { status, envelope, headers: {} };
	} catch (error) {
		if (error instanceof ApiError) return refused(error.refusal, request.requestId, words);
		const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
		process.stderr.write(`fake service: ${message}\n`);
		const code = 'internal_error';
		return refused({ status: 500, code, message: 'Unexpected error' }, request.requestId, words);
	}
}

function refused(refusal: Refusal, requestId: string, words: Words): Handled {
	const { status, code, message, headers = {} } = refusal;
	const reason = refusal.details?.reason;
	const details =
		typeof reason === 'string'
			? { ...refusal.details, reason: spelled(reason, words) }
			: refusal.details;
	const error: JsonObject = { code, message, ...(details ? { details } : {}) };
	return { status, envelope: { error, request_id: requestId }, headers };
}

interface Conclusion {
	request: LoggedRequest;
	effect: Effect | null;
	handled: Handled | null;
	response: ServerResponse;
}

function conclude(api: ApiListening, pages: PageMemory, conclusion: Conclusion): void {
	const { request, effect, handled, response } = conclusion;
	const done = (status: number | null) => {
		request.status = status;
		request.endedAt ??= Date.now();
		api.answered(request);
	};
	const json = { 'Content-Type': 'application/json; charset=utf-8' };
	const id = { 'X-Request-Id': request.requestId };
	const reply = (status: number, body: string, headers: Record<string, string>) => {
		done(status);
		send(response, { status, body, headers: { ...id, ...headers } });
	};
	switch (effect?.kind) {
		case 'reset':
		case 'late':
			done(null);
			return cutOff(response);
		case 'hang':
			return;
		case 'raw':
			return reply(effect.status, effect.body, effect.headers ?? json);
		case 'html':
			return reply(effect.status, htmlPage(effect.status), { 'Content-Type': 'text/html' });
		case 'redirect': {
			const location = effect.to ?? `${api.redirectUrl()}${request.url}`;
			return reply(effect.status, '', { Location: location });
		}
		case 'error': {
			const error = refused(errorOf(effect), request.requestId, api.backend.world.words);
			return reply(error.status, JSON.stringify(error.envelope), { ...json, ...error.headers });
		}
	}
	if (!handled) return;
	const before = Array.isArray(handled.envelope.data)
		? pages.exchange(listOf(request), handled.envelope.data)
		: [];
	const wire = distort(effect, handled.status, handled.envelope, before);
	done(wire.status);
	const headers = { ...id, ...json, ...handled.headers, ...datesOf(api.backend.settings) };
	const { words } = api.backend.world;
	if (effect === null && api.backend.settings.isStrict) {
		const objections = objectionsTo({ request, envelope: handled.envelope, words });
		if (objections.length > 0) {
			const code = 'not_as_described';
			const message = objections.join('; ');
			process.stderr.write(`fake service: ${message}\n`);
			// No client repeats a request after this status.
			const { envelope } = refused({ status: 501, code, message }, request.requestId, words);
			return reply(501, JSON.stringify(envelope), json);
		}
	}
	send(response, { ...wire, headers });
}

function datesOf({ dateAheadMs, age }: Backend['settings']): Record<string, string> {
	if (dateAheadMs === 0 && age === null) return {};
	const date = new Date(Date.now() + dateAheadMs).toUTCString();
	return age === null ? { Date: date } : { Date: date, Age: String(age) };
}

/** The same path is another list for another key. */
const listOf = ({ path, headers }: LoggedRequest) => `${headers.authorization} ${path}`;

const htmlPage = (status: number) =>
	`<!doctype html>\n<html><head><title>${status}</title></head><body><h1>${status}</h1></body></html>\n`;

function parsed(body: string): Json | undefined {
	try {
		return body === '' ? undefined : (JSON.parse(body) as Json);
	} catch {
		return undefined;
	}
}
