/**
 * Every endpoint of the service, listed once: all requests to the service get their path here. Also
 * builds the path for an account. Pure.
 */
import { canonicalId } from './identifiers';
import { isMisleading } from './misleadingPath';

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

type Scope =
	| 'clients:read'
	| 'posts:read'
	| 'posts:write'
	| 'lead_magnets:read'
	| 'lead_magnets:write'
	| 'media:write'
	| 'analytics:read'
	| 'leads:read'
	| 'activity:read';

/**
 * The response to expect. `record` and `list` come in their envelopes. `undocumented` is not shown
 * in the API document, so it may be empty, or anything with or without an envelope.
 */
type AnswerShape = 'record' | 'list' | 'undocumented';

export interface Endpoint {
	readonly method: Method;
	/** Relative to the Base URL. `{name}` is a parameter, and `{networkWord}` is the Network Word. */
	readonly path: string;
	/** The scope it needs. `key` is any valid key. With `none`, no key is sent. */
	readonly scope: Scope | 'key' | 'none';
	/** Whether it also exists under `/clients/{clientId}`, for a client's account. */
	readonly agency: boolean;
	/** Whether the document says that it accepts an idempotency key. */
	readonly keyed: boolean;
	readonly answer: AnswerShape;
}

/** Keeps the method as a type, so that the compiler knows which endpoints write. */
function row<M extends Method>(
	request: M | `${M} /${string}`,
	scope: Endpoint['scope'],
	...traits: ReadonlyArray<'agency' | 'keyed' | Exclude<AnswerShape, 'record'>>
): Endpoint & { readonly method: M } {
	const [method, path = ''] = request.split(' ') as [M, string?];
	const answer = (['list', 'undocumented'] as const).find((shape) => traits.includes(shape));
	return {
		method,
		path,
		scope,
		agency: traits.includes('agency'),
		keyed: traits.includes('keyed'),
		answer: answer ?? 'record',
	};
}

export const ENDPOINTS = {
	'account.getApiInfo': row('GET', 'none', 'undocumented'),
	'account.getSubject': row('GET /me', 'key'),
	'client.getAll': row('GET /clients', 'clients:read', 'list'),
	'client.get': row('GET /clients/{clientId}', 'clients:read'),
	'post.getAll': row('GET /posts', 'posts:read', 'agency', 'list'),
	'post.create': row('POST /posts', 'posts:write', 'agency'),
	'post.get': row('GET /posts/{id}', 'posts:read', 'agency'),
	'post.update': row('PATCH /posts/{id}', 'posts:write', 'agency', 'keyed'),
	'post.delete': row('DELETE /posts/{id}', 'posts:write', 'agency', 'keyed'),
	'post.getEngagement': row(
		'GET /posts/{id}/engagement',
		'analytics:read',
		'agency',
		'undocumented',
	),
	'post.startFastResponse': row(
		'POST /posts/{id}/fast-response/start',
		'posts:write',
		'agency',
		'keyed',
		'undocumented',
	),
	'post.stopFastResponse': row(
		'POST /posts/{id}/fast-response/stop',
		'posts:write',
		'agency',
		'undocumented',
	),
	'leadMagnet.getAll': row('GET /lead-magnets', 'lead_magnets:read', 'agency', 'list'),
	'leadMagnet.create': row('POST /lead-magnets', 'lead_magnets:write', 'agency'),
	'leadMagnet.get': row('GET /lead-magnets/{id}', 'lead_magnets:read', 'agency'),
	'leadMagnet.update': row('PATCH /lead-magnets/{id}', 'lead_magnets:write', 'agency'),
	'leadMagnet.archive': row('DELETE /lead-magnets/{id}', 'lead_magnets:write', 'agency'),
	'leadMagnet.getAnalytics': row(
		'GET /lead-magnets/{id}/analytics',
		'analytics:read',
		'agency',
		'undocumented',
	),
	'media.createUploadUrl': row('POST /media/upload-url', 'media:write', 'agency'),
	'media.delete': row('DELETE /media', 'media:write', 'agency'),
	'lead.getAll': row('GET /leads', 'leads:read', 'agency', 'list'),
	'activity.getAll': row('GET /activity', 'activity:read', 'agency', 'list'),
	// The document names no scope for the last two.
	'socialAction.create': row(
		'POST /workspaces/{workspaceId}/social-actions',
		'key',
		'keyed',
		'undocumented',
	),
	'networkOrganization.refresh': row(
		'POST /{networkWord}/organizations/refresh',
		'key',
		'undocumented',
	),
} as const satisfies Record<string, Endpoint>;

export type EndpointName = keyof typeof ENDPOINTS;

/** The endpoints that change something. A `Record` of them must have a row for each. */
export type WriteName = {
	[Name in EndpointName]: (typeof ENDPOINTS)[Name]['method'] extends 'GET' ? never : Name;
}[EndpointName];

export const endpointNames = Object.keys(ENDPOINTS) as EndpointName[];
export const endpoint = (name: EndpointName): Endpoint => ENDPOINTS[name];
export const isWrite = (name: EndpointName): name is WriteName => endpoint(name).method !== 'GET';

export const AGENCY_PREFIX = '/clients/{clientId}';
export const agencyPath = (name: EndpointName): string | undefined =>
	endpoint(name).agency ? AGENCY_PREFIX + endpoint(name).path : undefined;

export type Account =
	{ readonly kind: 'own' } | { readonly kind: 'client'; readonly clientId: string };
export const OWN_ACCOUNT: Account = { kind: 'own' };

export interface Route {
	readonly method: Method;
	readonly path: string;
}

export class RouteError extends Error {}

/** A missing parameter is an error, never an empty segment: `/posts/` would be another endpoint. */
export function routeOf(
	name: EndpointName,
	{ account = OWN_ACCOUNT, params }: { account?: Account; params?: Record<string, string> } = {},
): Route {
	const { method, path } = endpoint(name);
	const { kind, ...client } = account;
	const template = kind === 'client' ? agencyPath(name) : path;
	if (template === undefined) throw new RouteError(`${name} does not exist for a client's account`);
	const values: Record<string, string> = { ...params, ...client };
	const fillIn = (_: string, part: string) => fill(part, values[part]);
	return { method, path: template.replace(/\{(\w+)\}/g, fillIn) };
}

function fill(part: string, value = ''): string {
	const text = value.trim();
	if (text === '') throw new RouteError(`The URL needs "${part}", but it is empty`);
	if (isMisleading(text))
		throw new RouteError(`"${text.slice(0, 60)}" cannot be used as "${part}"`);
	return encodeURIComponent(canonicalId(text));
}
