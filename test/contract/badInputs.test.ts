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

const INPUTS: ReadonlyArray<[string, () => Parameters, string]> = [
	['an unknown operation', () => at('lead.create'), '"create" of the resource "lead" does not'],
	['an unknown resource', () => at('campaign.get'), 'of the resource "campaign" does not exist'],
	['a name that every object has', () => at('lead.constructor'), 'does not exist'],
	['a limit of text', () => leads({ limit: 'many' }), '"Limit" must be a number'],
	['a limit of 0', () => leads({ limit: 0 }), '"Limit" must be a whole number of at least 1'],
	['a limit below 0', () => leads({ limit: -5 }), '"Limit" must be a whole number of at least 1'],
	['a limit with a fraction', () => leads({ limit: 1.5 }), '"Limit" must be a whole number'],
	['a limit of nothing', () => leads({ limit: '' }), '"Limit" is empty'],
	['a limit that is infinite', () => leads({ limit: 'Infinity' }), '"Limit" must be a number'],
	['a limit that is a list', () => leads({ limit: [5] }), '"Limit" must be a number'],
	[
		'"return all" of text',
		() => leads({ returnAll: 'maybe' }),
		'"Return All" must be true or false',
	],
	[
		'a filter of text',
		() => leads({ filters: { hasEmail: 'often' } }),
		'"Filters > Has Email" must be',
	],
	[
		'custom fields of text',
		() => leads({ options: { customFields: 'a=b' } }),
		'"Options > Custom Fields" is not valid JSON',
	],
	[
		'custom fields cut off',
		() => leads({ options: { customFields: '{"a":' } }),
		'"Options > Custom Fields" is not valid',
	],
	[
		'custom fields of a list',
		() => leads({ options: { customFields: '[1]' } }),
		'must be a JSON object',
	],
	[
		'custom fields of a number',
		() => leads({ options: { customFields: 7 } }),
		'must be a JSON object',
	],
	[
		"an offset of one's own",
		() => leads({ options: { customFields: { offset: 5 } } }),
		'may not set "offset"',
	],
	[
		'a cursor',
		() => leads({ options: { customFields: '{"cursor":"x"}' } }),
		'may not set "cursor"',
	],
	['a page', () => leads({ options: { customFields: '{"page":2}' } }), 'may not set "page"'],
	[
		'a wait of text',
		() => leads({ options: { maxWaitSeconds: 'long' } }),
		'"Options > Max Wait (Seconds)"',
	],
	['a wait below 0', () => leads({ options: { maxWaitSeconds: -1 } }), 'from 0 to 3600'],
	['a wait of a day', () => leads({ options: { maxWaitSeconds: 86_400 } }), 'from 0 to 3600'],
	['an unknown account', () => leads({ actAs: 'team' }), '"Act As" must be one of own, client'],
	['no client', () => leads({ actAs: 'client', clientId: byId('  ') }), '"Client" is empty'],
	[
		'a client by name',
		() => leads({ actAs: 'client', clientId: byId('Ada') }),
		'"Client" is not an ID',
	],
	[
		'a client out of a path',
		() => leads({ actAs: 'client', clientId: byId('../me') }),
		'"Client" is not an ID',
	],
	[
		'a client that is null',
		() => leads({ actAs: 'client', clientId: byId('={{ null }}') }),
		'"Client" is empty',
	],
	[
		'a post by its address',
		() => at('post.get', { postId: byId('https://x.y/1') }),
		'"Post" is an address that does not show which ID is meant',
	],
	[
		'a post of two IDs',
		() => at('post.get', { postId: byId(`${ID},${ID}`) }),
		'"Post" is not an ID',
	],
	[
		'a client by expression',
		() => leads({ actAs: 'client', clientId: byId('={{ "Ada" }}') }),
		'"Client" is not an ID',
	],
	[
		'a post by expression',
		() => at('post.get', { postId: byId('={{ "p-1" }}') }),
		'"Post" is not an ID',
	],
	['a post of an object', () => at('post.get', { postId: byId('={{ {} }}') }), '"Post"'],
	[
		'a lead magnet by name',
		() => at('leadMagnet.get', { leadMagnetId: byId('guide') }),
		'"Lead Magnet" is not an ID',
	],
	[
		'a client to get by name',
		() => at('client.get', { clientId: byId('Ada') }),
		'"Client" is not an ID',
	],
	['a post without text', () => post({ text: '' }), 'Text'],
	['a post of blanks', () => post({ text: ' \n ' }), '"Text" is empty'],
	['a post of an object', () => post({ text: '={{ { a: 1 } }}' }), '"Text" must be text'],
	[
		'a post that is too long',
		() => post({ text: 'x'.repeat(3001) }),
		'3001 characters, but at most 3000',
	],
	[
		'a post that is publishing',
		() => post({ status: '={{ "publishing" }}' }),
		'"Status" must be one of draft, published, scheduled',
	],
	[
		'a schedule without a time',
		() => post({ status: 'scheduled', scheduledAt: '' }),
		'Scheduled At',
	],
	[
		'a schedule in the past',
		() => post({ status: 'scheduled', scheduledAt: '2020-01-01T00:00:00Z' }),
		'"Scheduled At" is not in the future',
	],
	[
		'a schedule of words',
		() => post({ status: 'scheduled', scheduledAt: '={{ "next week" }}' }),
		'"Scheduled At" is not a date',
	],
	[
		'images and a document',
		() =>
			post({
				additionalFields: { images: '["https://x.y/a.png"]', documentUrl: 'https://x.y/a.pdf' },
			}),
		'"Additional Fields > Images" cannot be combined with a document',
	],
	[
		'a rule for conflicts that is none',
		() => post({ options: { onTeamBoostConflict: 'ignore' } }),
		'must be one of fail, reschedule',
	],
	[
		'custom text that is too long',
		() => post({ options: { customFields: { text: 'x'.repeat(3001) } } }),
		'"Options > Custom Fields" gives "text" a value that has 3001 characters',
	],
	['an update of nothing', () => update({}), '"Update Fields" is empty'],
	['an update without text', () => update({ text: ' ' }), '"Update Fields > Text" is empty'],
	[
		'an update to publishing',
		() => update({ status: '={{ "publishing" }}' }),
		'"Update Fields > Status" must be one of draft',
	],
	[
		'a key with a blank',
		() => update({ notes: 'x' }, { options: { idempotencyKey: 'a b' } }),
		'"Options > Idempotency Key" may hold only visible ASCII',
	],
	[
		'a key that is too long',
		() => update({ notes: 'x' }, { options: { idempotencyKey: 'k'.repeat(256) } }),
		'is longer than 255 characters',
	],
	[
		'an etag with an umlaut',
		() => update({ text: 'x' }, { options: { etag: 'ü' } }),
		'"Options > ETag" may hold only visible ASCII',
	],
	[
		'a rule for versions that is none',
		() => update({ text: 'x' }, { options: { onStaleVersion: 'force' } }),
		'must be one of fail, retryWithFreshEtag',
	],
	[
		'an interval of 3 minutes',
		() => boost({ interval: 3 }),
		'"Interval (Minutes)" must be one of 2, 5, 10',
	],
	[
		'a duration of an hour and a half',
		() => boost({ duration: '90' }),
		'"Duration (Minutes)" must be one of 30, 60',
	],
	[
		'a link that is none',
		() => magnet({ resourceLink: 'example.com/guide' }),
		'"Resource Link" is not a valid URL',
	],
	[
		'a link that is missing',
		() => magnet({ resourceLink: '={{ "" }}' }),
		'"Resource Link" is empty',
	],
	[
		'a delivery that is none',
		() => magnet({ deliveryMode: '={{ "email" }}' }),
		'"Delivery Mode" must be one of external_link',
	],
	[
		'a label without its address',
		() => magnet({ additionalFields: { cta: { values: { ctaLabel: 'Go' } } } }),
		'"CTA URL" is missing',
	],
	[
		'an address without its label',
		() => magnet({ additionalFields: { cta: { values: { ctaUrl: 'https://x.y' } } } }),
		'"CTA Label" is missing',
	],
	[
		'hosted content without a page',
		() => magnet({ deliveryMode: 'hosted_content', hostedPage: '{}' }),
		'"Hosted Page"',
	],
	[
		'a lead magnet update of nothing',
		() => at('leadMagnet.update', { leadMagnetId: byId(ID), updateFields: {} }),
		'"Update Fields" is empty',
	],
	[
		'a file type that is not taken',
		() => link({ contentType: '={{ "image/tiff" }}' }),
		'"Content Type" must be one of',
	],
	['a file of no bytes', () => link({ fileSize: 0 }), '"File Size (Bytes)"'],
	['an image that is too big', () => link({ fileSize: 5_242_881 }), 'at most 5242880'],
	[
		'a PDF that is too big',
		() => link({ contentType: 'application/pdf', fileSize: 16_000_000 }),
		'at most 15728640',
	],
	['media without a path', () => at('media.delete', { path: ' ' }), '"Path" is empty'],
	[
		'an upload without a file',
		() => at('media.upload', { binaryPropertyName: 'file' }),
		'names the binary field "file", which the input item does not have',
	],
	['a workspace by name', () => act({ workspaceId: 'main' }), '"Workspace ID" is not an ID'],
	['an action without a body', () => act({ body: '{}' }), '"Body" is empty'],
	['an action of a list', () => act({ body: '[]' }), '"Body" must be a JSON object'],
	['an action cut off', () => act({ body: '{"kind"' }), '"Body" is not valid JSON'],
	[
		'a body of a refresh that is text',
		() => at('networkOrganization.refresh', { body: 'now' }),
		'"Body" is not valid JSON',
	],
	['a start that is no date', () => spread({ start: '={{ "soon" }}' }), '"Start" is not a date'],
	[
		'a time zone that is none',
		() => spread({ timeZone: 'Mars/Base' }),
		'"Time Zone" is not a time zone',
	],
	[
		'hours that end before they begin',
		() => spread({ fromTime: '18:00', toTime: '09:00' }),
		'"To Time" is not after "From Time"',
	],
	['an hour that is none', () => spread({ fromTime: '25:00' }), '"From Time" is not a time of day'],
	[
		'an output field "error"',
		() => spread({ options: { outputField: 'error' } }),
		'"Options > Output Field" cannot be "error"',
	],
	['no working day', () => spread({ workingDays: [] }), '"Working Days" is empty'],
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

it.each(INPUTS)('%s is told, and nothing is sent', async (_, parameters, message) => {
	const run = await kit.run(parameters(), { onError });
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
