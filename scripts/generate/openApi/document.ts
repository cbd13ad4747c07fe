/**
 * An OpenAPI description of the service, made from the table of endpoints. The service publishes
 * none, so this one says of itself that it is unofficial, and leaves open what is not known.
 */
import { findOperation } from '../../../nodes/LeadGenPublishing/operations/index';
import manifest from '../../../package.json';
import {
	agencyPath,
	endpoint,
	endpointNames,
	isWrite,
	type Endpoint,
	type EndpointName,
	type WriteName,
} from '../../../nodes/LeadGenPublishing/api/endpoints';
import { MAX_PAGE } from '../../../nodes/LeadGenPublishing/api/pages';
import {
	DOCUMENTED_WORDS,
	IDEMPOTENCY_HEADER,
	etagHeaderOf,
} from '../../../nodes/LeadGenPublishing/api/wire';
import { exampleOf } from './examples';
import { NOT_SHOWN, reference, SCHEMAS, type Schema, type SchemaName } from './schemas';

const NO_BODY = undefined;
/** A record with fields that are not shown. */
const ANY_RECORD: Schema = { type: 'object' };
const RECORD_NOT_SHOWN: Schema = { ...ANY_RECORD, ...NOT_SHOWN };

/** The schema of a request's body, for each request that writes. */
const BODIES: Readonly<Record<WriteName, SchemaName | Schema | typeof NO_BODY>> = {
	'post.create': 'PostFields',
	'post.update': 'PostChanges',
	'post.delete': NO_BODY,
	'post.startFastResponse': {
		...NOT_SHOWN,
		description:
			'An interval of 2, 5 or 10 minutes, 10 unless given; a duration of 30 or 60 minutes, 60 unless given. The names of the fields are not shown.',
	},
	'post.stopFastResponse': NOT_SHOWN,
	'leadMagnet.create': 'LeadMagnetFields',
	'leadMagnet.update': 'LeadMagnetChanges',
	'leadMagnet.archive': NO_BODY,
	'media.createUploadUrl': 'UploadRequest',
	'media.delete': NOT_SHOWN,
	'socialAction.create': NOT_SHOWN,
	'networkOrganization.refresh': NOT_SHOWN,
};

/** The schema of a record in each response. */
const RECORDS: Readonly<Record<EndpointName, SchemaName | Schema>> = {
	'account.getApiInfo': RECORD_NOT_SHOWN,
	'account.getSubject': ANY_RECORD,
	'client.getAll': 'Client',
	'client.get': 'Client',
	'post.getAll': 'Post',
	'post.create': 'Post',
	'post.get': 'Post',
	'post.update': ANY_RECORD,
	'post.delete': ANY_RECORD,
	'post.getEngagement': RECORD_NOT_SHOWN,
	'post.startFastResponse': RECORD_NOT_SHOWN,
	'post.stopFastResponse': RECORD_NOT_SHOWN,
	'leadMagnet.getAll': 'LeadMagnet',
	'leadMagnet.create': 'LeadMagnet',
	'leadMagnet.get': 'LeadMagnet',
	'leadMagnet.update': ANY_RECORD,
	'leadMagnet.archive': ANY_RECORD,
	'leadMagnet.getAnalytics': RECORD_NOT_SHOWN,
	'media.createUploadUrl': 'Upload',
	'media.delete': ANY_RECORD,
	'lead.getAll': 'Lead',
	'activity.getAll': 'Activity',
	'socialAction.create': RECORD_NOT_SHOWN,
	'networkOrganization.refresh': RECORD_NOT_SHOWN,
};

/** Their key is required for a published post. */
const CHANGES_PUBLISHED: ReadonlySet<EndpointName> = new Set(['post.update', 'post.delete']);

const FILTERS: Partial<Record<EndpointName, ReadonlyArray<readonly [string, Schema]>>> = {
	'lead.getAll': [['has_email', { type: 'boolean' }]],
	'activity.getAll': [['source', { type: 'string' }]],
};

const ERRORS: Readonly<Record<string, { description: string; codes: readonly string[] }>> = {
	400: { description: 'The request is not valid', codes: ['bad_request'] },
	401: { description: 'The key is absent, unknown, or not in use', codes: ['unauthorized'] },
	403: { description: 'The scope or the grant is lacking', codes: ['forbidden'] },
	404: { description: 'Nothing is there, or nothing that this key may see', codes: ['not_found'] },
	409: { description: 'The state of the resource forbids it', codes: ['conflict'] },
	422: { description: 'The network rejects the content or the account', codes: ['bad_request'] },
	429: { description: 'Too many requests', codes: ['rate_limited'] },
	500: { description: 'Something unexpected', codes: ['internal_error'] },
	502: { description: 'The provider did not bring a change to its end', codes: ['upstream_error'] },
	default: {
		description: 'Any other refusal; the status of these codes is not shown',
		codes: ['method_not_allowed', 'not_implemented'],
	},
};
const ONLY_OF_WRITES = new Set(['409', '422', '502']);

const RESOURCES: Readonly<Record<string, { name: string; description: string }>> = {
	account: { name: 'Account', description: 'The API itself, and whose key it is.' },
	activity: { name: 'Activity', description: 'Comments and messages that came in.' },
	client: { name: 'Clients', description: 'The accounts that an agency may act for.' },
	lead: { name: 'Leads', description: 'People who reacted.' },
	leadMagnet: { name: 'Lead magnets', description: 'What people get for a keyword.' },
	media: { name: 'Media', description: 'Addresses for uploads, and deletion.' },
	networkOrganization: { name: 'Network organizations', description: 'Only their refresh.' },
	post: { name: 'Posts', description: 'Drafts, scheduled and published ones.' },
	socialAction: { name: 'Social actions', description: 'Their shape is not shown.' },
};

const json = (schema: Schema, example?: Schema): Schema => ({
	'application/json': example === undefined ? { schema } : { schema, example },
});
const parameter = (name: string): Schema => ({ $ref: `#/components/parameters/${name}` });
const header = (name: string, more: Schema): Schema => ({ name, in: 'header', ...more });
const text = { type: 'string' };

const PARAMETERS: Readonly<Record<string, Schema>> = {
	requestId: header('X-Request-Id', {
		description: 'Echoed as `request_id`.',
		schema: { ...text, pattern: '^[A-Za-z0-9._:-]{1,128}$' },
	}),
	publishedPostKey: header(IDEMPOTENCY_HEADER, {
		description: 'Required to change or delete a published post.',
		schema: text,
	}),
	idempotencyKey: header(IDEMPOTENCY_HEADER, {
		description: 'Optional. Send the same key again to repeat the identical request.',
		schema: text,
	}),
	postEtag: header(etagHeaderOf(DOCUMENTED_WORDS.service), {
		description:
			"Required where a published post's text is changed: the latest edit etag. The document replaces the name of the service by `svc`.",
		schema: text,
	}),
	limit: {
		name: 'limit',
		in: 'query',
		description: 'These limits are the general ones. An endpoint may have its own.',
		schema: { type: 'integer', minimum: 1, maximum: MAX_PAGE, default: 50 },
	},
	offset: { name: 'offset', in: 'query', schema: { type: 'integer', minimum: 0, default: 0 } },
};

const HEADERS: Readonly<Record<string, Schema>> = {
	RequestId: { description: 'The same as `request_id`.', schema: reference('RequestId') },
	RetryAfter: { description: 'Not always there; it counts where it is.', schema: text },
};
const REQUEST_ID_HEADER: Schema = { 'X-Request-Id': { $ref: '#/components/headers/RequestId' } };

const examplesOf = (codes: readonly string[]): Schema =>
	Object.fromEntries(
		codes.map((code) => [
			code,
			{ value: { error: { code, message: 'In words' }, request_id: 'req_2f8c' } },
		]),
	);

export function openApi(): Schema {
	const paths: Record<string, Record<string, Schema>> = {};
	const add = (path: string, name: EndpointName, isAgency: boolean): void => {
		const documented = path.replace('{networkWord}', DOCUMENTED_WORDS.network);
		const { method } = endpoint(name);
		(paths[documented || '/'] ??= {})[method.toLowerCase()] = operation(name, documented, isAgency);
	};
	for (const name of endpointNames) add(endpoint(name).path, name, false);
	for (const name of endpointNames) {
		const path = agencyPath(name);
		if (path !== undefined) add(path, name, true);
	}
	return {
		openapi: '3.1.0',
		info: {
			title: 'Lead Generation and Publishing Service API (unofficial description)',
			version: 'v1',
			summary: 'Not published by the service: made from its document by an independent project.',
			description:
				'What the document does not show is left open here: such bodies and answers accept anything. It writes `svc` and `network` in place of the names of the service and of the network.',
			license: { name: manifest.license, identifier: manifest.license },
			contact: { name: manifest.author.name, url: manifest.homepage },
		},
		servers: [
			{
				url: '{base_url}',
				description: "The service's API v1 base address.",
				variables: { base_url: { default: 'https://api.example.com/api/v1' } },
			},
		],
		security: [{ key: [] }],
		tags: Object.values(RESOURCES),
		paths,
		components: {
			securitySchemes: {
				key: {
					type: 'http',
					scheme: 'bearer',
					description: 'A key with the prefix `svc_live_` or `svc_test_`; server side only.',
				},
			},
			parameters: PARAMETERS,
			responses: Object.fromEntries(
				Object.entries(ERRORS).map(([status, { description, codes }]) => [
					`error${status === 'default' ? '' : status}`,
					{
						description,
						headers: {
							...REQUEST_ID_HEADER,
							...(status === '429'
								? { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } }
								: {}),
						},
						content: {
							'application/json': { schema: reference('Error'), examples: examplesOf(codes) },
						},
					},
				]),
			),
			headers: HEADERS,
			schemas: SCHEMAS,
		},
	};
}

function operation(name: EndpointName, path: string, isAgency: boolean): Schema {
	const { method, scope, keyed, answer } = endpoint(name);
	const [resource = '', verb = ''] = name.split('.');
	const { action } = findOperation(resource, verb);
	const id = `${resource}${verb.charAt(0).toUpperCase()}${verb.slice(1)}`;
	const body = isWrite(name) ? BODIES[name] : NO_BODY;
	return {
		operationId: isAgency ? `client${id.charAt(0).toUpperCase()}${id.slice(1)}` : id,
		summary: isAgency ? `${action} for a client` : action,
		tags: [RESOURCES[resource]?.name ?? resource],
		description: needs(name, path, isAgency),
		...(scope === 'none' ? { security: [] } : {}),
		parameters: [
			...[...path.matchAll(/\{(\w+)\}/g)].map(([, given = '']) => ({
				name: given,
				in: 'path',
				required: true,
				schema: { type: 'string', format: 'uuid' },
			})),
			...(answer === 'list' ? [parameter('limit'), parameter('offset')] : []),
			...(FILTERS[name] ?? []).map(([filter, schema]) => ({ name: filter, in: 'query', schema })),
			...(keyed
				? [parameter(CHANGES_PUBLISHED.has(name) ? 'publishedPostKey' : 'idempotencyKey')]
				: []),
			...(name === 'post.update' ? [parameter('postEtag')] : []),
			parameter('requestId'),
		],
		...(body === undefined
			? {}
			: {
					requestBody: {
						required: typeof body === 'string',
						content: json(typeof body === 'string' ? reference(body) : body),
					},
				}),
		responses: {
			'2XX': {
				description: 'Success',
				headers: REQUEST_ID_HEADER,
				content: json(success(endpoint(name), RECORDS[name]), exampleOf(name)),
			},
			...Object.fromEntries(
				Object.keys(ERRORS)
					.filter((status) => method !== 'GET' || !ONLY_OF_WRITES.has(status))
					.map((status) => [
						status,
						{ $ref: `#/components/responses/error${status === 'default' ? '' : status}` },
					]),
			),
		},
	};
}

function needs(name: EndpointName, path: string, isAgency: boolean): string {
	const { scope } = endpoint(name);
	if (path === '') return 'The base address itself, without the slash. It needs no key.';
	if (name === 'account.getSubject') return 'Any valid key will do.';
	if (scope === 'key') return 'Which scope it needs is not shown.';
	return `Needs the scope \`${scope}\`${isAgency ? ' and an active grant for the client' : ''}.`;
}

function success({ answer }: Endpoint, record: SchemaName | Schema): Schema {
	const one = typeof record === 'string' ? reference(record) : record;
	const isList = answer === 'list';
	return {
		type: 'object',
		properties: {
			data: isList ? { type: 'array', items: one } : one,
			...(isList ? { pagination: reference('Pagination') } : {}),
			request_id: reference('RequestId'),
		},
		required: ['data', ...(isList ? ['pagination'] : []), 'request_id'],
	};
}
