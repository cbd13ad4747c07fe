// Everything between a request's arrival and its handler: part 5, the request shape of part 4, and
// the order in which they are asked for.

import type { Answer } from './answer';
import type { Call, Backend } from './call';
import { ApiError, badRequest, forbidden, notFound, unauthorized } from './errors';
import { isObject } from './fields';
import { refuseOthers, windowOf, type Page } from './lists';
import type { LoggedRequest } from './log';
import { apiMetadata, grantFor } from './people';
import type { Route } from './route';
import { lookup, type Found } from './router';
import type { Settings } from './settings';
import type { ApiKey, JsonObject } from './types';

export function find(backend: Backend, method: string, path: string): Found {
	const result = lookup(method, path, backend.world.words);
	if (result.found) return result.found;
	if (!result.known) throw notFound('Unknown path');
	// 4.1 names this code without a number.
	const message = 'This path does not support the method';
	throw new ApiError({ status: 405, code: 'method_not_allowed', message });
}

export function answer(
	backend: Backend,
	found: Found,
	request: LoggedRequest,
): Answer | (Page & { status: 200 }) {
	const { route, params } = found;
	if (route.id === 'base') {
		refuseShape(route, { query: queryOf(request), settings: backend.settings }, request);
		return apiMetadata(backend);
	}
	const key = authenticate(backend, request.headers.authorization);
	if (route.scope !== 'none' && route.scope !== 'key' && !hasScope(key, route.scope)) {
		throw forbidden(`The key lacks the scope ${route.scope}`);
	}
	const caller = backend.world.account(key.account);
	const grant = found.agency ? grantFor({ caller, params, world: backend.world }) : null;
	const subject = grant ? backend.world.account(grant.client) : caller;
	const query = queryOf(request);
	const call: Call = {
		...{ ...backend, key, caller, subject, params, query },
		body: refuseShape(route, { query, settings: backend.settings }, request),
		header: (name) => request.headers[name],
	};
	if (route.list === undefined) return route.handler(call);
	return { status: 200, ...route.list(call, windowOf(query, route.query, backend.settings)) };
}

function authenticate({ world }: Backend, header: string | undefined): ApiKey {
	if (header === undefined) throw unauthorized('Missing Authorization header');
	const given = /^Bearer (\S+)$/.exec(header)?.[1];
	const prefixes = ['live', 'test'].map((kind) => `${world.words.service}_${kind}_`);
	if (given === undefined || !prefixes.some((prefix) => given.startsWith(prefix)))
		throw unauthorized('Malformed Authorization header');
	const key = world.keyring.get(given);
	if (key?.status !== 'active') throw unauthorized('Invalid API key');
	return key;
}

function hasScope({ scopes }: ApiKey, scope: ApiKey['scopes'][number]): boolean {
	return scopes.includes('*') || scopes.includes(scope);
}

const queryOf = ({ url }: LoggedRequest) => new URLSearchParams(url.split('?')[1] ?? '');

/** The request's shape; gives the body back, `{}` where there is none. */
function refuseShape(
	route: Route,
	{ query, settings }: { query: URLSearchParams; settings: Settings },
	request: LoggedRequest,
): JsonObject {
	const isInQuery = route.id === 'media.delete' && settings.deleteMediaIn === 'query';
	if (route.list === undefined) refuseOthers(query, isInQuery ? settings.fields.deleteMedia : []);
	if (request.body === '') {
		if (route.body === 'required' && !isInQuery) throw badRequest('A JSON body is required');
		return {};
	}
	if (route.body === 'none') throw badRequest('This route does not accept a body');
	const type = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase();
	if (type !== 'application/json') throw badRequest('Content-Type must be application/json');
	if (request.json === undefined) throw badRequest('The body is not valid JSON');
	if (!isObject(request.json)) throw badRequest('The body must be a JSON object');
	return request.json;
}
