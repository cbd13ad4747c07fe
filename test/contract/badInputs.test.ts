/**
 * What people, expressions and models get wrong, and what services and proxies answer: each with
 * the message that the user reads. For a bad input nothing may have been sent.
 */
import type { INodeExecutionData } from 'n8n-workflow';

import type { Effect } from '../../fake-service/index';
import type { NodeRun } from '../support/engine';
import { withBinary } from '../support/engine';
import { byId, type Parameters, setUpKit } from '../support/kit/index';

const kit = setUpKit();
const ID = '6f1c2f0e-7d4b-4a53-9d53-0c1f0a6c1b11';

const at = (name: string, parameters: Parameters = {}): Parameters => {
	const [resource, operation] = name.split('.');
	return { resource, operation, ...parameters };
};
const leads = (parameters: Parameters) => at('lead.getAll', parameters);
/** A list with these custom fields. */
const custom = (customFields: unknown) => leads({ options: { customFields } });
const post = (parameters: Parameters) => at('post.create', { text: 'A post', ...parameters });
const update = (updateFields: Parameters, more: Parameters = {}) =>
	at('post.update', { postId: byId(ID), updateFields, ...more });
const magnet = (parameters: Parameters) =>
	at('leadMagnet.create', {
		deliveryMode: 'external_link',
		keyword: 'GUIDE',
		resourceName: 'The guide',
		resourceLink: 'https://example.com/guide',
		...parameters,
	});
const boost = (parameters: Parameters) =>
	at('post.startFastResponse', { postId: byId(ID), ...parameters });
const link = (parameters: Parameters) =>
	at('media.createUploadUrl', {
		fileName: 'a.png',
		contentType: 'image/png',
		fileSize: 10,
		...parameters,
	});
const act = (parameters: Parameters) =>
	at('socialAction.create', { workspaceId: ID, body: '{"kind":"comment"}', ...parameters });
const spread = (parameters: Parameters) => at('schedule.spread', parameters);

const INPUTS: ReadonlyArray<readonly [Parameters, string]> = [
	[at('lead.create'), '"create" of the resource "lead" does not'],
	[at('campaign.get'), 'of the resource "campaign" does not exist'],
	[at('lead.constructor'), 'does not exist'],
	[leads({ limit: 'many' }), '"Limit" must be a number'],
	[leads({ limit: 0 }), '"Limit" must be a whole number of at least 1'],
	[leads({ limit: -5 }), '"Limit" must be a whole number of at least 1'],
	[leads({ limit: 1.5 }), '"Limit" must be a whole number'],
	[leads({ limit: '' }), '"Limit" is empty'],
	[leads({ limit: 'Infinity' }), '"Limit" must be a number'],
	[leads({ limit: [5] }), '"Limit" must be a number'],
	[leads({ returnAll: 'maybe' }), '"Return All" must be true or false'],
	[leads({ filters: { hasEmail: 'often' } }), '"Filters > Has Email" must be'],
	[custom('a=b'), '"Options > Custom Fields" is not valid JSON'],
	[custom('{"a":'), '"Options > Custom Fields" is not valid'],
	[custom('[1]'), 'must be a JSON object'],
	[custom(7), 'must be a JSON object'],
	[custom({ offset: 5 }), 'may not set "offset"'],
	[custom('{"cursor":"x"}'), 'may not set "cursor"'],
	[custom('{"page":2}'), 'may not set "page"'],
	[leads({ options: { maxWaitSeconds: 'long' } }), '"Options > Max Wait (Seconds)"'],
	[leads({ options: { maxWaitSeconds: -1 } }), 'from 0 to 3600'],
	[leads({ options: { maxWaitSeconds: 86_400 } }), 'from 0 to 3600'],
	[leads({ actAs: 'team' }), '"Act As" must be one of own, client'],
	[leads({ actAs: 'client', clientId: byId('  ') }), '"Client" is empty'],
	[leads({ actAs: 'client', clientId: byId('Ada') }), '"Client" is not an ID'],
	[leads({ actAs: 'client', clientId: byId('../me') }), '"Client" is not an ID'],
	[leads({ actAs: 'client', clientId: byId('={{ null }}') }), '"Client" is empty'],
	[
		at('post.get', { postId: byId('https://x.y/1') }),
		'"Post" is an address that does not show which ID is meant',
	],
	[at('post.get', { postId: byId(`${ID},${ID}`) }), '"Post" is not an ID'],
	[leads({ actAs: 'client', clientId: byId('={{ "Ada" }}') }), '"Client" is not an ID'],
	[at('post.get', { postId: byId('={{ "p-1" }}') }), '"Post" is not an ID'],
	[at('post.get', { postId: byId('={{ {} }}') }), '"Post"'],
	[at('leadMagnet.get', { leadMagnetId: byId('guide') }), '"Lead Magnet" is not an ID'],
	[at('client.get', { clientId: byId('Ada') }), '"Client" is not an ID'],
	[post({ text: '' }), 'Text'],
	[post({ text: ' \n ' }), '"Text" is empty'],
	[post({ text: '={{ { a: 1 } }}' }), '"Text" must be text'],
	[post({ text: 'x'.repeat(3001) }), '3001 characters, but at most 3000'],
	[post({ status: '={{ "publishing" }}' }), '"Status" must be one of draft, published, scheduled'],
	[post({ status: 'scheduled', scheduledAt: '' }), 'Scheduled At'],
	[
		post({ status: 'scheduled', scheduledAt: '2020-01-01T00:00:00Z' }),
		'"Scheduled At" is not in the future',
	],
	[
		post({ status: 'scheduled', scheduledAt: '={{ "next week" }}' }),
		'"Scheduled At" is not a date',
	],
	[
		post({
			additionalFields: { images: '["https://x.y/a.png"]', documentUrl: 'https://x.y/a.pdf' },
		}),
		'"Additional Fields > Images" cannot be combined with a document',
	],
	[post({ options: { onTeamBoostConflict: 'ignore' } }), 'must be one of fail, reschedule'],
	[
		post({ options: { customFields: { text: 'x'.repeat(3001) } } }),
		'"Options > Custom Fields" gives "text" a value that has 3001 characters',
	],
	[update({}), '"Update Fields" is empty'],
	[update({ text: ' ' }), '"Update Fields > Text" is empty'],
	[update({ status: '={{ "publishing" }}' }), '"Update Fields > Status" must be one of draft'],
	[
		update({ notes: 'x' }, { options: { idempotencyKey: 'a b' } }),
		'"Options > Idempotency Key" may hold only visible ASCII',
	],
	[
		update({ notes: 'x' }, { options: { idempotencyKey: 'k'.repeat(256) } }),
		'is longer than 255 characters',
	],
	[
		update({ text: 'x' }, { options: { etag: 'ü' } }),
		'"Options > ETag" may hold only visible ASCII',
	],
	[
		update({ text: 'x' }, { options: { onStaleVersion: 'force' } }),
		'must be one of fail, retryWithFreshEtag',
	],
	[boost({ interval: 3 }), '"Interval (Minutes)" must be one of 2, 5, 10'],
	[boost({ duration: '90' }), '"Duration (Minutes)" must be one of 30, 60'],
	[magnet({ resourceLink: 'example.com/guide' }), '"Resource Link" is not a valid URL'],
	[magnet({ resourceLink: '={{ "" }}' }), '"Resource Link" is empty'],
	[magnet({ deliveryMode: '={{ "email" }}' }), '"Delivery Mode" must be one of external_link'],
	[magnet({ additionalFields: { cta: { values: { ctaLabel: 'Go' } } } }), '"CTA URL" is missing'],
	[
		magnet({ additionalFields: { cta: { values: { ctaUrl: 'https://x.y' } } } }),
		'"CTA Label" is missing',
	],
	[magnet({ deliveryMode: 'hosted_content', hostedPage: '{}' }), '"Hosted Page"'],
	[
		at('leadMagnet.update', { leadMagnetId: byId(ID), updateFields: {} }),
		'"Update Fields" is empty',
	],
	[link({ contentType: '={{ "image/tiff" }}' }), '"Content Type" must be one of'],
	[link({ fileSize: 0 }), '"File Size (Bytes)"'],
	[link({ fileSize: 5_242_881 }), 'at most 5242880'],
	[link({ contentType: 'application/pdf', fileSize: 16_000_000 }), 'at most 15728640'],
	[at('media.delete', { path: ' ' }), '"Path" is empty'],
	[
		at('media.upload', { binaryPropertyName: 'file' }),
		'names the binary field "file", which the input item does not have',
	],
	[act({ workspaceId: 'main' }), '"Workspace ID" is not an ID'],
	[act({ body: '{}' }), '"Body" is empty'],
	[act({ body: '[]' }), '"Body" must be a JSON object'],
	[act({ body: '{"kind"' }), '"Body" is not valid JSON'],
	[at('networkOrganization.refresh', { body: 'now' }), '"Body" is not valid JSON'],
	[spread({ start: '={{ "soon" }}' }), '"Start" is not a date'],
	[spread({ timeZone: 'Mars/Base' }), '"Time Zone" is not a time zone'],
	[spread({ fromTime: '18:00', toTime: '09:00' }), '"To Time" is not after "From Time"'],
	[spread({ fromTime: '25:00' }), '"From Time" is not a time of day'],
	[spread({ options: { outputField: 'error' } }), '"Options > Output Field" cannot be "error"'],
	[spread({ workingDays: [] }), '"Working Days" is empty'],
];

const CREDENTIALS: ReadonlyArray<[string, Record<string, unknown>, string]> = [
	['no address', { baseUrl: '' }, 'Base URL'],
	[
		'an address without https',
		{ baseUrl: 'http://api.example.com/v1' },
		'must start with https://',
	],
	['an address that is none', { baseUrl: 'api.example.com' }, 'not a valid address'],
	[
		'an address with a password',
		{ baseUrl: 'https://a:b@api.example.com' },
		'user name or password',
	],
	['no key', { apiKey: '' }, 'key'],
	['a key of two lines', { apiKey: 'svc_live_a\nb_0000' }, 'key'],
	['a key with an umlaut', { apiKey: 'svc_live_ü€_0000' }, 'key'],
	[
		'a host that is not allowed',
		{ allowedHttpRequestDomains: 'domains', allowedDomains: 'example.com' },
		'The credential does not allow requests to 127.0.0.1',
	],
];

const ANSWERS: ReadonlyArray<[string, Effect, string]> = [
	['a web page', { kind: 'html', status: 200 }, 'is not one of this API: a web page (HTML)'],
	['a web page with 404', { kind: 'html', status: 404 }, '(HTTP 404) is not one of this API'],
	['a web page with 401', { kind: 'html', status: 401 }, '(HTTP 401) is not one of this API'],
	[
		'a web page with 503',
		{ kind: 'html', status: 503 },
		'The service ran into something unexpected',
	],
	['nothing', { kind: 'empty' }, 'an empty answer'],
	['half of an answer', { kind: 'cut' }, 'JSON that is cut off or damaged'],
	['text', { kind: 'raw', status: 200, body: 'Welcome' }, 'text that is not JSON'],
	['a number', { kind: 'raw', status: 200, body: '7' }, 'JSON, but not an object'],
	['a list', { kind: 'raw', status: 200, body: '[{}]' }, 'JSON, but not an object'],
	['no data', { kind: 'envelope', shape: 'noData' }, 'JSON without "data"'],
	['data of null', { kind: 'envelope', shape: 'nullData' }, 'whose "data" is not a list'],
	['data of text', { kind: 'envelope', shape: 'dataAsText' }, 'whose "data" is not a list'],
	[
		'a record for a list',
		{ kind: 'envelope', shape: 'dataAsObject' },
		'whose "data" is not a list',
	],
	[
		'no pagination',
		{ kind: 'envelope', shape: 'noPagination' },
		'a list without valid "pagination"',
	],
	['an error with 200', { kind: 'envelope', shape: 'errorWith200' }, 'JSON without "data"'],
	['a bare list', { kind: 'envelope', shape: 'bareData' }, 'JSON, but not an object'],
	['a redirect', { kind: 'redirect', status: 302 }, 'a redirect (HTTP 302), which is not followed'],
	[
		'an error without words',
		{ kind: 'raw', status: 400, body: '{"error":{"code":"bad_request"}}' },
		'The service did not accept the request.',
	],
	[
		'an error of text',
		{ kind: 'raw', status: 400, body: '{"error":"no"}' },
		'(HTTP 400) is not one of this API',
	],
	[
		'an unknown code',
		{ kind: 'error', status: 418, code: 'teapot', message: 'Short' },
		'HTTP 418 (teapot): Short',
	],
	['a reset', { kind: 'reset' }, 'No complete answer came from the service (connection'],
	[
		'throttling for an hour',
		{ kind: 'error', status: 429, retryAfter: 3600 },
		'Retry after 3600 s.',
	],
];

/** What the user reads: on the error output, or as the error that n8n itself raised before. */
function told(run: NodeRun): string {
	const [good = [], bad = []] = run.outputs;
	expect(good).toEqual([]);
	const [item] = bad;
	if (item === undefined) return run.error?.message ?? 'nothing';
	expect(Object.keys(item.json).sort()).toEqual(['details', 'error', 'message']);
	const { error, message } = item.json as { error: string; message: string };
	// A remedy follows what happened.
	expect(message.length).toBeGreaterThan(error.length + 10);
	return error;
}

const onError = 'continueErrorOutput' as const;

/** For the names of tests. */
const shortened = ({ resource, operation, ...given }: Parameters): string =>
	`${String(resource)}.${String(operation)} ${JSON.stringify(given).slice(0, 100)}`;
const inputs = INPUTS.map((row) => [shortened(row[0]), ...row] as const);

it.each(inputs)('%s is told, and nothing is sent', async (_, parameters, message) => {
	const run = await kit.run(parameters, { onError });
	expect(told(run)).toContain(message);
	expect(kit.service.requests).toEqual([]);
	expect(kit.service.storageRequests).toEqual([]);
});

it.each(CREDENTIALS)('a credential with %s is told, and nothing is accepted', async (...row) => {
	const [, change, message] = row;
	const { baseUrl, world } = kit.service;
	const credentials = { baseUrl, apiKey: world.keys.own, ...change };
	const run = await kit.run(leads({ limit: 1 }), { onError, credentials });
	expect(told(run)).toContain(message);
	expect(kit.service.requests.every(({ status }) => status === 401)).toBe(true);
});

it.each(ANSWERS)('an answer of %s is told', async (_, effect, message) => {
	kit.service.faults.add(effect, { count: Infinity });
	const options = { maxWaitSeconds: 0 };
	const run = await kit.run(leads({ limit: 1, options }), { onError });
	expect(told(run)).toContain(message);
	expect(kit.service.requests).toHaveLength(1);
});

describe('files', () => {
	const uploading = async (given: { buffer: Buffer; mimeType: string }): Promise<string> => {
		const items: INodeExecutionData[] = [await withBinary({ json: {} }, given)];
		return told(await kit.run(at('media.upload'), { onError, items }));
	};

	it.each([
		['of no bytes', { buffer: Buffer.alloc(0), mimeType: 'image/png' }, 'is empty'],
		[
			'of a kind that is not taken',
			{ buffer: Buffer.from('x'), mimeType: 'text/html' },
			'text/html',
		],
		[
			'that is too big',
			{ buffer: Buffer.alloc(5_242_881), mimeType: 'image/png' },
			'5242881 bytes',
		],
	])('%s are told, and nothing is sent', async (_, given, message) => {
		expect(await uploading(given)).toContain(message);
		expect(kit.service.requests).toEqual([]);
	});
});

it('there are more than sixty of them', () => {
	expect(INPUTS.length + ANSWERS.length + CREDENTIALS.length).toBeGreaterThan(60);
});
