// Everything between a request's arrival and its handler: part 5, the request shape of part 4, and
// the order in which they are asked for.

import type { Answer, Call, Handler, ListHandler, Playing } from './call';
import { ApiError, badRequest, forbidden, notFound, unauthorized } from './errors';
import { startFastResponse, stopFastResponse } from './fastResponse';
import { isObject } from './fields';
import {
	archiveLeadMagnet,
	createLeadMagnet,
	getLeadMagnet,
	leadMagnetAnalytics,
	listLeadMagnets,
	updateLeadMagnet,
} from './leadMagnets';
import { refuseOthers, windowOf, type ListName, type Page } from './lists';
import type { LoggedRequest } from './log';
import { createUploadUrl, deleteMedia } from './media';
import { getClient, grantFor, listActivity, listClients, listLeads, me, metadata } from './people';
import { createPost, deletePost, getPost, listPosts, postEngagement, updatePost } from './posts';
import { lookup, ROUTES, type Found, type Route } from './router';
import { createSocialAction, refreshOrganizations } from './socialActions';
import type { ApiKey, JsonObject } from './types';

const HANDLERS: Record<string, Handler> = {
	me,
	'clients.get': getClient,
	'posts.create': createPost,
	'posts.get': getPost,
	'posts.update': updatePost,
	'posts.delete': deletePost,
	'posts.engagement': postEngagement,
	'fastResponse.start': startFastResponse,
	'fastResponse.stop': stopFastResponse,
	'leadMagnets.create': createLeadMagnet,
	'leadMagnets.get': getLeadMagnet,
	'leadMagnets.update': updateLeadMagnet,
	'leadMagnets.archive': archiveLeadMagnet,
	'leadMagnets.analytics': leadMagnetAnalytics,
	'media.uploadUrl': createUploadUrl,
	'media.delete': deleteMedia,
	'socialActions.create': createSocialAction,
	'organizations.refresh': refreshOrganizations,
};

const LISTS: Record<string, { name: ListName; handler: ListHandler }> = {
	'clients.list': { name: 'clients', handler: listClients },
	'posts.list': { name: 'posts', handler: listPosts },
	'leadMagnets.list': { name: 'leadMagnets', handler: listLeadMagnets },
	'leads.list': { name: 'leads', handler: listLeads },
	'activity.list': { name: 'activity', handler: listActivity },
};

for (const { id, kind } of ROUTES) {
	if (id === 'base' || id in (kind === 'list' ? LISTS : HANDLERS)) continue;
	throw new Error(`The route ${id} of router.ts has no handler in gate.ts`);
}

/** Part 1 rule 4. */
const UNSUPPORTED =
	/^\/(accounts|users|lists|campaigns|organizations|team|workspaces|lead-magnet-posts|webhooks)(\/|$)/;

export function find(playing: Playing, method: string, path: string): Found {
	const result = lookup(method, path, playing.world.words);
	if (result.found) return result.found;
	const denied = playing.settings.unsupportedPaths === 'method_not_allowed';
	if (!result.known && !(denied && UNSUPPORTED.test(path))) throw notFound('Unknown path');
	const message = 'This path does not support the method';
	const status = playing.settings.methodNotAllowedStatus;
	throw new ApiError({ status, code: 'method_not_allowed', message });
}

export async function answer(
	playing: Playing,
	found: Found,
	request: LoggedRequest,
): Promise<Answer | (Page & { status: 200 })> {
	const { route, params } = found;
	if (route.id === 'base') {
		refuseShape(route, queryOf(request), request);
		return { status: 200, data: metadata };
	}
	const key = authenticate(playing, request.headers.authorization);
	if (route.scope !== 'none' && route.scope !== 'key' && !hasScope(key, route.scope)) {
		throw forbidden(`The key lacks the scope ${route.scope}`);
	}
	const caller = playing.world.account(key.account);
	const grant = found.agency ? grantFor({ caller, params, world: playing.world }) : null;
	const subject = grant ? playing.world.account(grant.client) : caller;
	const query = queryOf(request);
	const call: Call = {
		...playing,
		key,
		caller,
		subject,
		params,
		query,
		body: refuseShape(route, query, request),
		header: (name) => request.headers[name],
	};
	const list = LISTS[route.id];
	if (!list) return handlerOf(route)(call);
	const window = windowOf(query, route.query, playing.settings.limitCap);
	await playing.lists.announce({ list: list.name, account: subject.id, ...window });
	return { status: 200, ...list.handler(call) };
}

function handlerOf(route: Route): Handler {
	const handler = HANDLERS[route.id];
	if (!handler) throw new Error(`no handler for ${route.id}`);
	return handler;
}

function authenticate({ world }: Playing, header: string | undefined): ApiKey {
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
function refuseShape(route: Route, query: URLSearchParams, request: LoggedRequest): JsonObject {
	if (route.kind === 'record') refuseOthers(query, []);
	if (request.body === '') {
		if (route.body === 'required') throw badRequest('A JSON body is required');
		return {};
	}
	if (route.body === 'none') throw badRequest('This route takes no body');
	const type = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase();
	if (type !== 'application/json') throw badRequest('Content-Type must be application/json');
	if (request.json === undefined) throw badRequest('The body is not valid JSON');
	if (!isObject(request.json)) throw badRequest('The body must be a JSON object');
	return request.json;
}
