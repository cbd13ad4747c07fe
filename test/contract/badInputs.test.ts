/**
 * What people, expressions and models get wrong, and what services and proxies respond: each with
 * the message that the user reads. Nothing may have been sent for a bad input.
 */
import type { Effect } from '../../fake-service/index';
import type { NodeRun } from '../support/engine';
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
const client = (id: string) => leads({ actAs: 'client', clientId: byId(id) });
const post = (id: string) => at('post.get', { postId: byId(id) });
const change = (updateFields: Parameters, options: Parameters = {}) =>
	at('post.update', { postId: byId(ID), updateFields, options });
const act = (parameters: Parameters) =>
	at('socialAction.create', { workspaceId: ID, body: '{"kind":"comment"}', ...parameters });

/**
 * Bad inputs that `wrongValues.test.ts` does not give to all parameters, and that do not belong to
 * a single operation.
 */
const INPUTS: ReadonlyArray<readonly [Parameters, string]> = [
	[at('lead.create'), '"create" of the resource "lead" does not'],
	[at('campaign.get'), 'of the resource "campaign" does not exist'],
	[at('lead.constructor'), 'does not exist'],
	[leads({ limit: '' }), '"Limit" is empty'],
	[leads({ limit: 1.5 }), '"Limit" must be a whole number'],
	[custom('a=b'), '"Options > Custom Fields" is not valid JSON'],
	[custom('[1]'), 'must be a JSON object'],
	[client('  '), '"Client" is empty'],
	[client('={{ null }}'), '"Client" is empty'],
	[post('https://x.y/1'), '"Post" is a URL in which the node cannot find an ID'],
	[post(`${ID},${ID}`), '"Post" is not an ID'],
	[change({}), '"Update Fields" is empty'],
	[change({ notes: ' ' }), '"Update Fields > Notes" contains only spaces or line breaks'],
	[change({ notes: 'x' }, { idempotencyKey: 'a b' }), 'Key" may contain only visible ASCII'],
	[change({ notes: 'x' }, { idempotencyKey: 'k'.repeat(256) }), 'is longer than 255 characters'],
	[change({ text: 'x' }, { etag: 'ü' }), '"Options > ETag" may contain only visible ASCII'],
	[
		at('leadMagnet.update', { leadMagnetId: byId(ID), updateFields: {} }),
		'"Update Fields" is empty',
	],
	[act({ workspaceId: 'main' }), '"Workspace ID" is not an ID'],
	[act({ body: '{}' }), '"Body" is empty'],
	[act({ body: '[]' }), '"Body" must be a JSON object'],
	[act({ body: '{"kind"' }), '"Body" is not valid JSON'],
	[act({ body: '={{ $json.nothing }}' }), '"Body" is an expression that returned no value'],
	[at('networkOrganization.refresh', { body: '[1]' }), '"Body" must be a JSON object'],
];

const CREDENTIALS: ReadonlyArray<[Record<string, unknown>, string]> = [
	[{ baseUrl: '' }, 'Base URL'],
	[{ baseUrl: 'http://api.example.com/v1' }, 'must start with https://'],
	[{ baseUrl: 'api.example.com' }, 'not a valid URL'],
	[{ baseUrl: 'https://a:b@api.example.com' }, 'user name or password'],
	[{ apiKey: '' }, 'key'],
	[{ apiKey: 'svc_live_a\nb_0000' }, 'key'],
	[{ apiKey: 'svc_live_ü€_0000' }, 'key'],
	[
		{ allowedHttpRequestDomains: 'domains', allowedDomains: 'example.com' },
		'The credential does not allow requests to 127.0.0.1',
	],
];

const raw = (status: number, body: string): Effect => ({ kind: 'raw', status, body });
const ANSWERS: ReadonlyArray<[Effect, string]> = [
	[{ kind: 'html', status: 200 }, 'is not from this API: a web page (HTML)'],
	[{ kind: 'html', status: 503 }, 'The service failed unexpectedly'],
	[{ kind: 'cut' }, 'JSON that is truncated or damaged'],
	[raw(400, '{"error":{"code":"bad_request"}}'), 'The service did not accept the request.'],
	[{ kind: 'envelope', shape: 'dataAsObject' }, 'whose "data" is not a list'],
	[{ kind: 'redirect', status: 302 }, 'a redirect (HTTP 302). The node does not follow it'],
	[{ kind: 'error', status: 418, code: 'teapot', message: 'Short' }, 'HTTP 418 (teapot): Short'],
	[{ kind: 'reset' }, 'No complete response came from the service (connection'],
	[{ kind: 'error', status: 429, retryAfter: 3600 }, 'Retry after 3600 s.'],
];

/** What the user reads: on the error output, or as the error that n8n itself raised earlier. */
function failureOf(run: NodeRun): string {
	const [good = [], bad = []] = run.outputs;
	expect(good).toEqual([]);
	const [item] = bad;
	if (item === undefined) return run.error?.message ?? 'nothing';
	expect(Object.keys(item.json).sort()).toEqual(['details', 'error', 'message']);
	const { error, message } = item.json as { error: string; message: string };
	// The remedy comes after what happened.
	expect(message.length).toBeGreaterThan(error.length + 10);
	return error;
}

const onError = 'continueErrorOutput' as const;

/** For the names of tests. */
const shortened = ({ resource, operation, ...given }: Parameters): string =>
	`${String(resource)}.${String(operation)} ${JSON.stringify(given).slice(0, 100)}`;
const inputs = INPUTS.map((row) => [shortened(row[0]), ...row] as const);

it.each(inputs)('%s is reported, and nothing is sent', async (_, parameters, message) => {
	const run = await kit.run(parameters, { onError });
	expect(failureOf(run)).toContain(message);
	expect(kit.service.requests).toEqual([]);
	expect(kit.service.storageRequests).toEqual([]);
});

it.each(CREDENTIALS)(
	'a credential with %j is reported, and nothing is accepted',
	async (...row) => {
		const [change, message] = row;
		const { baseUrl, world } = kit.service;
		const credentials = { baseUrl, apiKey: world.keys.own, ...change };
		const run = await kit.run(leads({ limit: 1 }), { onError, credentials });
		expect(failureOf(run)).toContain(message);
		expect(kit.service.requests.every(({ status }) => status === 401)).toBe(true);
	},
);

it.each(ANSWERS)('a response of %j is reported', async (effect, message) => {
	kit.service.faults.add(effect, { count: Infinity });
	const options = { maxWaitSeconds: 0 };
	const run = await kit.run(leads({ limit: 1, options }), { onError });
	expect(failureOf(run)).toContain(message);
	expect(kit.service.requests).toHaveLength(1);
});
