/**
 * Every endpoint of the service, once. Nothing else in the package spells a path, and nothing
 * is sent that does not stand here.
 */
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

export interface Endpoint {
	/** What the API document calls it. */
	readonly task: string;
	readonly method: Method;
	/** Relative to the base address; `{name}` is a parameter, `{networkWord}` the vendor's. */
	readonly path: string;
	/** Whether it also exists below `/clients/{clientId}`, for a client's account. */
	readonly agency: boolean;
	/** The scope it needs; `key` is any valid key, `none` needs no key and gets none. */
	readonly scope: Scope | 'key' | 'none';
	/** Whether the document says that it accepts an idempotency key. */
	readonly keyed: boolean;
	readonly answer: AnswerShape;
}

/**
 * What the document lets us believe of a success: `record` and `list` come in their envelopes;
 * `undocumented` is not shown, so its data may be anything or nothing; `bare` is not shown either,
 * and is an object that may come without an envelope.
 */
type AnswerShape = 'record' | 'list' | 'undocumented' | 'bare';

const row = (
	task: string,
	[method, path]: readonly [Method, string],
	scope: Endpoint['scope'],
	more: Partial<Pick<Endpoint, 'agency' | 'keyed' | 'answer'>> = {},
): Endpoint => ({
	task,
	method,
	path,
	scope,
	agency: false,
	keyed: false,
	answer: 'record',
	...more,
});

const both = { agency: true };
const bothList = { agency: true, answer: 'list' } as const;
const bothKeyed = { agency: true, keyed: true };
const undocumented = { answer: 'undocumented' } as const;

export const ENDPOINTS = {
	'account.getApiInfo': row('API metadata', ['GET', ''], 'none', { answer: 'bare' }),
	'account.getSubject': row('Current subject', ['GET', '/me'], 'key'),
	'client.getAll': row('List clients', ['GET', '/clients'], 'clients:read', { answer: 'list' }),
	'client.get': row('Get client', ['GET', '/clients/{clientId}'], 'clients:read'),
	'post.getAll': row('List posts', ['GET', '/posts'], 'posts:read', bothList),
	'post.create': row('Create post', ['POST', '/posts'], 'posts:write', both),
	'post.get': row('Get post', ['GET', '/posts/{id}'], 'posts:read', both),
	'post.update': row('Update post', ['PATCH', '/posts/{id}'], 'posts:write', bothKeyed),
	'post.delete': row('Delete post', ['DELETE', '/posts/{id}'], 'posts:write', bothKeyed),
	'post.getEngagement': row(
		'Post engagement',
		['GET', '/posts/{id}/engagement'],
		'analytics:read',
		{ ...both, ...undocumented },
	),
	'post.startFastResponse': row(
		'Start Fast Response',
		['POST', '/posts/{id}/fast-response/start'],
		'posts:write',
		{ ...bothKeyed, ...undocumented },
	),
	'post.stopFastResponse': row(
		'Stop Fast Response',
		['POST', '/posts/{id}/fast-response/stop'],
		'posts:write',
		{ ...both, ...undocumented },
	),
	'leadMagnet.getAll': row(
		'List lead magnets',
		['GET', '/lead-magnets'],
		'lead_magnets:read',
		bothList,
	),
	'leadMagnet.create': row(
		'Create lead magnet',
		['POST', '/lead-magnets'],
		'lead_magnets:write',
		both,
	),
	'leadMagnet.get': row(
		'Get lead magnet',
		['GET', '/lead-magnets/{id}'],
		'lead_magnets:read',
		both,
	),
	'leadMagnet.update': row(
		'Update lead magnet',
		['PATCH', '/lead-magnets/{id}'],
		'lead_magnets:write',
		both,
	),
	'leadMagnet.archive': row(
		'Archive lead magnet',
		['DELETE', '/lead-magnets/{id}'],
		'lead_magnets:write',
		both,
	),
	'leadMagnet.getAnalytics': row(
		'Lead magnet analytics',
		['GET', '/lead-magnets/{id}/analytics'],
		'analytics:read',
		{ ...both, ...undocumented },
	),
	'media.createUploadUrl': row(
		'Create upload URL',
		['POST', '/media/upload-url'],
		'media:write',
		both,
	),
	'media.delete': row('Delete media', ['DELETE', '/media'], 'media:write', both),
	'lead.getAll': row('List leads', ['GET', '/leads'], 'leads:read', bothList),
	'activity.getAll': row('List activity', ['GET', '/activity'], 'activity:read', bothList),
	// The document names no scope for the last two.
	'socialAction.create': row(
		'Social actions',
		['POST', '/workspaces/{workspaceId}/social-actions'],
		'key',
		{ keyed: true, ...undocumented },
	),
	'networkOrganization.refresh': row(
		'Organization refresh',
		['POST', '/{networkWord}/organizations/refresh'],
		'key',
		undocumented,
	),
} as const satisfies Record<string, Endpoint>;

export type EndpointName = keyof typeof ENDPOINTS;

export const endpointNames = Object.keys(ENDPOINTS) as EndpointName[];
export const endpoint = (name: EndpointName): Endpoint => ENDPOINTS[name];

export const AGENCY_PREFIX = '/clients/{clientId}';
export const agencyPath = (name: EndpointName): string | undefined =>
	endpoint(name).agency ? AGENCY_PREFIX + endpoint(name).path : undefined;
