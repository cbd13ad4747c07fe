// The table of 4.1, and finding a request's row in it.

import type { Scope } from './types';
import { pathOf, type Words } from './words';

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

export interface Route {
	id: string;
	method: Method;
	direct: string;
	/** The path below `/clients/{clientId}`, where there is one. */
	agency: string | null;
	/** `none`: no key is asked for; `key`: any valid key will do. */
	scope: Scope | 'none' | 'key';
	kind: 'record' | 'list';
	body: 'none' | 'optional' | 'required';
	/** Query parameters besides `limit` and `offset` of lists. */
	query: readonly string[];
}

type Row = Pick<Route, 'id' | 'method' | 'direct' | 'scope'> & Partial<Route>;

const both = (row: Row): Route => ({
	...defaults(row),
	agency: `/clients/{clientId}${row.direct}`,
});
const directOnly = (row: Row): Route => ({ ...defaults(row), agency: null });

function defaults(row: Row): Route {
	return { agency: null, kind: 'record', body: 'none', query: [], ...row };
}

export const ROUTES = [
	directOnly({ id: 'base', method: 'GET', direct: '', scope: 'none' }),
	directOnly({ id: 'me', method: 'GET', direct: '/me', scope: 'key' }),
	directOnly({
		id: 'clients.list',
		method: 'GET',
		direct: '/clients',
		scope: 'clients:read',
		kind: 'list',
	}),
	directOnly({
		id: 'clients.get',
		method: 'GET',
		direct: '/clients/{clientId}',
		scope: 'clients:read',
	}),
	both({ id: 'posts.list', method: 'GET', direct: '/posts', scope: 'posts:read', kind: 'list' }),
	both({
		id: 'posts.create',
		method: 'POST',
		direct: '/posts',
		scope: 'posts:write',
		body: 'required',
	}),
	both({ id: 'posts.get', method: 'GET', direct: '/posts/{id}', scope: 'posts:read' }),
	both({
		id: 'posts.update',
		method: 'PATCH',
		direct: '/posts/{id}',
		scope: 'posts:write',
		body: 'required',
	}),
	both({
		id: 'posts.delete',
		method: 'DELETE',
		direct: '/posts/{id}',
		scope: 'posts:write',
		body: 'optional',
	}),
	both({
		id: 'posts.engagement',
		method: 'GET',
		direct: '/posts/{id}/engagement',
		scope: 'analytics:read',
	}),
	both({
		id: 'fastResponse.start',
		method: 'POST',
		direct: '/posts/{id}/fast-response/start',
		scope: 'posts:write',
		body: 'optional',
	}),
	both({
		id: 'fastResponse.stop',
		method: 'POST',
		direct: '/posts/{id}/fast-response/stop',
		scope: 'posts:write',
		body: 'optional',
	}),
	both({
		id: 'leadMagnets.list',
		method: 'GET',
		direct: '/lead-magnets',
		scope: 'lead_magnets:read',
		kind: 'list',
	}),
	both({
		id: 'leadMagnets.create',
		method: 'POST',
		direct: '/lead-magnets',
		scope: 'lead_magnets:write',
		body: 'required',
	}),
	both({
		id: 'leadMagnets.get',
		method: 'GET',
		direct: '/lead-magnets/{id}',
		scope: 'lead_magnets:read',
	}),
	both({
		id: 'leadMagnets.update',
		method: 'PATCH',
		direct: '/lead-magnets/{id}',
		scope: 'lead_magnets:write',
		body: 'required',
	}),
	both({
		id: 'leadMagnets.archive',
		method: 'DELETE',
		direct: '/lead-magnets/{id}',
		scope: 'lead_magnets:write',
		body: 'optional',
	}),
	both({
		id: 'leadMagnets.analytics',
		method: 'GET',
		direct: '/lead-magnets/{id}/analytics',
		scope: 'analytics:read',
	}),
	both({
		id: 'media.uploadUrl',
		method: 'POST',
		direct: '/media/upload-url',
		scope: 'media:write',
		body: 'required',
	}),
	both({
		id: 'media.delete',
		method: 'DELETE',
		direct: '/media',
		scope: 'media:write',
		body: 'required',
	}),
	both({
		id: 'leads.list',
		method: 'GET',
		direct: '/leads',
		scope: 'leads:read',
		kind: 'list',
		query: ['has_email'],
	}),
	both({
		id: 'activity.list',
		method: 'GET',
		direct: '/activity',
		scope: 'activity:read',
		kind: 'list',
		query: ['source'],
	}),
	directOnly({
		id: 'socialActions.create',
		method: 'POST',
		direct: '/workspaces/{workspaceId}/social-actions',
		scope: 'key',
		body: 'optional',
	}),
	directOnly({
		id: 'organizations.refresh',
		method: 'POST',
		direct: '/network/organizations/refresh',
		scope: 'key',
		body: 'optional',
	}),
] as const satisfies readonly Route[];

export interface Found {
	route: Route;
	params: Record<string, string>;
	/** The request came through `/clients/{clientId}/…` work routes. */
	agency: boolean;
}

export type Lookup = { found: Found } | { found: null; known: boolean };

/** Finds the row; failing that, says whether the path at least exists with another method. */
export function lookup(method: string, path: string, words: Words): Lookup {
	let known = false;
	for (const route of ROUTES as readonly Route[]) {
		const direct = matches(pathOf(route.direct, words), path);
		const agency = route.agency === null ? null : matches(route.agency, path);
		const params = direct ?? agency;
		if (!params) continue;
		known = true;
		if (route.method === method) return { found: { route, params, agency: !direct } };
	}
	return { found: null, known };
}

function matches(pattern: string, path: string): Record<string, string> | null {
	const wanted = pattern.split('/');
	const given = path.split('/');
	if (wanted.length !== given.length) return null;
	const params: Record<string, string> = {};
	for (const [index, part] of wanted.entries()) {
		const actual = given[index] ?? '';
		if (!part.startsWith('{')) {
			if (part !== actual) return null;
			continue;
		}
		const value = decoded(actual);
		if (!value) return null;
		params[part.slice(1, -1)] = value;
	}
	return params;
}

function decoded(part: string): string | null {
	try {
		return decodeURIComponent(part);
	} catch {
		return null;
	}
}
