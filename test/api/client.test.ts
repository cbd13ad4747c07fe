import { sleep } from 'n8n-workflow';

import type { CallOptions, Client, ClientSettings } from '../../nodes/LeadGenPublishing/api/client';
import type { EndpointName } from '../../nodes/LeadGenPublishing/api/endpoints';
import { messageOf } from '../../nodes/LeadGenPublishing/api/errors';
import { keyFrom } from '../../nodes/LeadGenPublishing/api/identifiers';
import { startService, type Effect, type FakeService } from '../../fake-service/index';
import { failed, useClient } from '../support/kit/index';

let service: FakeService;
beforeAll(async () => {
	service = await startService();
});
afterAll(async () => {
	await service.close();
});
beforeEach(() => {
	service.clearLog();
	service.faults.clear();
});
afterEach(() => {
	jest.restoreAllMocks();
});

const credentials = (more: Record<string, unknown> = {}) => ({
	baseUrl: service.baseUrl,
	apiKey: service.world.keys.own,
	...more,
});
const through = async <T>(use: (client: Client) => Promise<T>, settings: ClientSettings = {}) =>
	await useClient(credentials(), use, { settings });
const call = async (name: EndpointName, options: CallOptions = {}, settings: ClientSettings = {}) =>
	await through(async (client) => await client.call(name, options), settings);

const me = async (settings?: ClientSettings) => await call('account.getSubject', {}, settings);
const write = async (settings?: ClientSettings) =>
	await call('post.create', { body: { text: 'Once' } }, settings);
const keyedWrite = async () => {
	const post = service.world.addPost(service.world.own, { status: 'scheduled' });
	const idempotencyKey = keyFrom('test', post.id);
	return await call('post.startFastResponse', {
		params: { id: post.id },
		body: { interval_minutes: 5 },
		idempotencyKey,
	});
};
const posts = () => service.world.own.posts.toArray().length;
const sent = () => service.requests.map(({ method, path }) => `${method} ${path}`);

describe('what is sent', () => {
	it('is the key, what is accepted, and nothing more', async () => {
		const { value } = await me();
		expect(value?.data.user_id).toBe(service.world.own.id);
		expect(value?.requestId).toMatch(/^n8n:1000:[0-9a-f]{20}$/);
		const [request] = service.requests;
		expect(request?.headers).toMatchObject({
			authorization: `Bearer ${service.world.keys.own}`,
			accept: 'application/json',
		});
		expect(request?.headers['content-type']).toBeUndefined();
		expect(request?.headers['idempotency-key']).toBeUndefined();
		expect(request?.body).toBe('');
	});

	it('holds no key for an endpoint that needs none', async () => {
		const { value } = await call('account.getApiInfo');
		expect(value?.data.version).toBe('v1');
		expect(sent()).toEqual(['GET ']);
		expect(JSON.stringify(service.requests)).not.toContain(service.world.keys.own);
	});

	it('is a body of {} when it is empty', async () => {
		service.faults.status(400);
		await call('networkOrganization.refresh', { body: {} });
		expect(service.requests[0]?.body).toBe('{}');
		expect(service.requests[0]?.headers['content-type']).toBe('application/json');
	});

	it('has no body when none is given', async () => {
		service.faults.status(400);
		await call('networkOrganization.refresh');
		expect(service.requests[0]?.body).toBe('');
	});

	it('leaves out query parameters that are not set', async () => {
		await call('lead.getAll', { query: { has_email: true, other: undefined, no: null } });
		expect(service.requests[0]?.query).toEqual({ has_email: 'true' });
	});

	it('holds an idempotency key only where the endpoint takes one', async () => {
		service.faults.add({ kind: 'error', status: 400 }, { count: Infinity });
		await call('post.create', { body: { text: 'x' }, idempotencyKey: 'k' });
		expect(service.requests[0]?.headers['idempotency-key']).toBeUndefined();
		await keyedWrite();
		expect(service.requests[1]?.headers['idempotency-key']).toBeDefined();
	});

	it('reaches a client below /clients only', async () => {
		const { clientA, keys } = service.world;
		const account = { kind: 'client', clientId: clientA.id } as const;
		const { value } = await useClient(
			credentials({ apiKey: keys.agency }),
			async (client) => await client.list('lead.getAll', { account }),
		);
		expect(value?.records).toHaveLength(12);
		expect(sent()).toEqual([`GET /clients/${clientA.id}/leads`]);
	});
});

describe('a refused key', () => {
	it('[code unauthorized] is sent once', async () => {
		const { unknown } = service.world.keys;
		const outcome = await useClient(
			credentials({ apiKey: unknown }),
			async (client) => await client.call('post.create', { body: { text: 'x' } }),
		);
		expect(failed(outcome)).toMatchObject({ status: 401, code: 'unauthorized', attempts: 1 });
		expect(service.requests).toHaveLength(1);
	});
});

describe('redirects', () => {
	it.each([301, 302, 303, 307, 308] as const)(
		'of HTTP %i are not followed, and the other host sees nothing',
		async (status) => {
			service.faults.add({ kind: 'redirect', status }, { count: Infinity });
			expect(failed(await me())).toMatchObject({ kind: 'redirected', status });
			expect(failed(await write())).toMatchObject({ kind: 'redirected', status });
			expect(service.requests).toHaveLength(2);
			expect(service.redirected).toEqual([]);
		},
	);
});

const BROKEN: ReadonlyArray<[string, Effect, string]> = [
	['HTML with 200', { kind: 'html', status: 200 }, 'a web page (HTML)'],
	['text', { kind: 'raw', status: 200, body: 'OK' }, 'text that is not JSON'],
	['a JSON list', { kind: 'raw', status: 200, body: '[]' }, 'JSON, but not an object'],
	['a JSON null', { kind: 'raw', status: 200, body: 'null' }, 'JSON, but not an object'],
	['no data', { kind: 'envelope', shape: 'noData' }, 'without "data"'],
	['null as data', { kind: 'envelope', shape: 'nullData' }, '"data" is not an object'],
	['a list as data', { kind: 'envelope', shape: 'dataAsArray' }, '"data" is not an object'],
	['text as data', { kind: 'envelope', shape: 'dataAsText' }, '"data" is not an object'],
	['a bare record', { kind: 'envelope', shape: 'bareData' }, 'without "data"'],
	['an error with 200', { kind: 'envelope', shape: 'errorWith200' }, 'without "data"'],
];

describe('an answer that is none of the API', () => {
	it.each(BROKEN)('%s is told, and not asked again', async (_, effect, seen) => {
		service.faults.add(effect);
		const facts = failed(await me());
		expect(facts).toMatchObject({ kind: 'unreadable', attempts: 1 });
		expect(messageOf(facts)).toContain(seen);
	});

	it.each<[string, Effect]>([
		['cut-off JSON', { kind: 'cut' }],
		['a connection cut in the answer', { kind: 'cut', abort: true }],
		['an empty answer with 200', { kind: 'empty' }],
		['a reset', { kind: 'reset' }],
		['HTML with 502', { kind: 'html', status: 502 }],
		['500', { kind: 'error', status: 500 }],
	])('%s is asked again when it was a read', async (_, effect) => {
		service.faults.add(effect, { count: 2 });
		const { value, waits } = await me();
		expect(value?.data.user_id).toBe(service.world.own.id);
		expect(service.requests).toHaveLength(3);
		expect(waits).toEqual([250, 500]);
	});

	it.each<[string, Effect]>([
		['a list without pagination', { kind: 'envelope', shape: 'noPagination' }],
		['a list that is an object', { kind: 'envelope', shape: 'dataAsObject' }],
		['a list in a record', { kind: 'envelope', shape: 'bareData' }],
	])('%s is told', async (_, effect) => {
		service.faults.add(effect);
		const outcome = await through(async (client) => await client.list('lead.getAll'));
		expect(failed(outcome)).toMatchObject({ kind: 'unreadable' });
	});

	it('is read all the same when only the request id is missing', async () => {
		service.faults.add({ kind: 'envelope', shape: 'noRequestId' });
		const { value } = await me();
		expect(value?.data.user_id).toBe(service.world.own.id);
		expect(value?.requestId).toMatch(/^n8n:1000:[0-9a-f]{20}$/);
	});

	it('is a success without content at 204', async () => {
		service.faults.add({ kind: 'raw', status: 204, body: '' });
		expect((await me()).value).toMatchObject({ data: {} });
	});
});

describe('a write without a key', () => {
	it.each<[string, Effect, boolean]>([
		['500', { kind: 'error', status: 500, after: true }, true],
		['502', { kind: 'error', status: 502, after: true }, true],
		['a reset', { kind: 'reset', after: true }, true],
		['a hang', { kind: 'hang', after: true }, true],
		['cut-off JSON', { kind: 'cut' }, true],
		['an empty answer', { kind: 'empty' }, true],
		['HTML', { kind: 'html', status: 200, after: true }, true],
		['400', { kind: 'error', status: 400 }, false],
		['409', { kind: 'error', status: 409 }, false],
	])('is never sent again after %s', async (_, effect, uncertain) => {
		const before = posts();
		service.faults.add(effect, { count: Infinity });
		// Long enough for a slow machine: a request that arrives later would be taken for a second one.
		const timeoutMs = effect.kind === 'hang' ? 2_000 : 20_000;
		expect(failed(await write({ timeoutMs }))).toMatchObject({ attempts: 1, uncertain });
		expect(sent()).toEqual(['POST /posts']);
		expect(posts() - before).toBe(uncertain ? 1 : 0);
	});

	it('[code rate_limited] is sent again after 429, because it was certainly refused', async () => {
		const before = posts();
		service.faults.rateLimit(undefined, { count: 2 });
		const { value, waits } = await write();
		expect(value?.data.id).toEqual(expect.any(String));
		expect(waits).toEqual([250, 500]);
		expect(posts() - before).toBe(1);
	});

	it('stays of unknown fate when a 429 is followed by a reset', async () => {
		service.faults.rateLimit();
		service.faults.add({ kind: 'reset', after: true }, { nth: 1 });
		expect(failed(await write())).toMatchObject({ attempts: 2, uncertain: true });
	});
});

describe('a write with a key', () => {
	it.each<[string, Effect]>([
		['500', { kind: 'error', status: 500, after: true }],
		['502', { kind: 'error', status: 502 }],
		['a reset', { kind: 'reset', after: true }],
		['cut-off JSON', { kind: 'cut' }],
	])('is sent again after %s with the same key and the same bytes', async (_, effect) => {
		service.world.own.boosts = [];
		service.faults.add(effect, { count: 2 });
		const { value, error } = await keyedWrite();
		expect(error).toBeUndefined();
		expect(value?.data.status).toBe('scheduled');
		expect(service.requests).toHaveLength(3);
		expect(new Set(service.requests.map(({ body }) => body)).size).toBe(1);
		expect(new Set(service.requests.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
		expect(service.world.own.boosts).toHaveLength(1);
	});
});

describe('throttling', () => {
	it.each([
		['seconds', 7, [7_000]],
		['none', undefined, [250]],
	])('[code rate_limited] with Retry-After as %s', async (_, header, expected) => {
		service.faults.rateLimit(header);
		expect((await me()).waits).toEqual(expected);
	});

	it('[code rate_limited] with Retry-After as a date', async () => {
		service.faults.rateLimit(new Date(Date.now() + 20_000));
		const [wait, ...others] = (await me()).waits;
		expect(others).toEqual([]);
		expect(wait).toBeLessThanOrEqual(20_000);
		expect(wait).toBeGreaterThan(15_000);
	});

	it('[code rate_limited] gives up at once when the service asks for longer than allowed', async () => {
		service.faults.rateLimit(61);
		const outcome = await me();
		expect(failed(outcome)).toMatchObject({ attempts: 1, retryAfterMs: 61_000, retryable: true });
		expect(outcome.waits).toEqual([]);
	});

	it('keeps to the maximum that the call gives', async () => {
		service.faults.rateLimit(3, { count: Infinity });
		const outcome = await call('account.getSubject', { maxWaitMs: 7_000 });
		expect(outcome.waits).toEqual([3_000, 3_000]);
		expect(failed(outcome).attempts).toBe(3);
	});

	it('gives up after five attempts', async () => {
		service.faults.status(500, { count: Infinity });
		const outcome = await me();
		expect(failed(outcome)).toMatchObject({ attempts: 5, code: 'internal_error' });
		expect(outcome.waits).toEqual([250, 500, 1_000, 2_000]);
	});
});

describe('a service that cannot be reached', () => {
	it('hangs no longer than the time limit', async () => {
		service.faults.add({ kind: 'hang' }, { count: Infinity });
		const start = Date.now();
		const facts = failed(await me({ timeoutMs: 1_000, retry: { maxAttempts: 2 } }));
		expect(facts).toMatchObject({ kind: 'unreachable', seen: 'timed out', attempts: 2 });
		expect(Date.now() - start).toBeLessThan(20_000);
	});

	it('is told as refused, and as a name that is not known', async () => {
		const at = async (baseUrl: string) =>
			failed(
				await useClient(
					credentials({ baseUrl }),
					async (client) => await client.call('account.getSubject'),
				),
			);
		expect((await at('http://127.0.0.1:9/v1')).seen).toBe('connection refused');
		expect((await at('https://no-such-host.invalid/v1')).seen).toMatch(/^host name not/);
	});

	it('is told as one without TLS when https:// is asked of plain HTTP', async () => {
		const { error } = await useClient(
			credentials({ baseUrl: service.baseUrl.replace('http:', 'https:') }),
			async (client) => await client.call('account.getSubject'),
		);
		expect(failed({ error })).toMatchObject({
			kind: 'unreachable',
			seen: 'no TLS at this address',
		});
	});
});

describe('a list', () => {
	it('asks the same offset again after a page failed', async () => {
		const { own } = service.world;
		service.world.seedLeads(own, 250 - own.leads.toArray().length);
		service.faults.status(500, { nth: 2 });
		const { value } = await through(
			async (client) => await client.list('lead.getAll', { atOnce: 1 }),
		);
		expect(value?.records).toHaveLength(250);
		expect(service.requests.map(({ query }) => query.offset)).toEqual(['0', '100', '100', '200']);
	});

	it('does not wait for a page behind the end of the list', async () => {
		const { own } = service.world;
		service.world.seedLeads(own, 250 - own.leads.toArray().length);
		const isBehind = ({ query }: { query: Record<string, string> }) => Number(query.offset) >= 300;
		service.faults.add({ kind: 'hang' }, { count: Infinity, when: isBehind });
		// Until then the page behind it is under way.
		service.faults.add({ kind: 'delay', ms: 100 }, { when: ({ query }) => query.offset === '200' });
		const { value } = await useClient(
			credentials(),
			async (client) => await client.list('lead.getAll'),
			{ settings: { timeoutMs: 3_600_000 } },
		);
		expect(value?.records).toHaveLength(250);
		// Nor is it left open: the service would be busy with it for ever.
		await service.idle();
		expect(service.requests.filter(isBehind)).toHaveLength(1);
	});

	it('does not send a page that nobody waits for any more', async () => {
		const { value } = await through(
			async (client) =>
				await client
					.page('lead.getAll', { offset: 0, limit: 1, givenUp: AbortSignal.abort() })
					.catch(() => 'not sent'),
		);
		expect(value).toBe('not sent');
		expect(service.requests).toEqual([]);
	});

	it('fails as a whole when a page stays broken: half a list is no list', async () => {
		service.faults.status(500, { count: Infinity, when: ({ query }) => query.offset === '200' });
		const outcome = await through(async (client) => await client.list('lead.getAll'));
		expect(failed(outcome)).toMatchObject({ status: 500 });
	});
});

describe('cancelling', () => {
	it.each([
		['before another attempt', undefined],
		['because the service asked to', 20],
	])('stops at once while waiting %s', async (_, retryAfter) => {
		if (retryAfter === undefined) service.faults.status(500, { count: Infinity });
		else service.faults.rateLimit(retryAfter, { count: Infinity });
		const start = Date.now();
		let waiting = false;
		const outcome = await useClient(
			credentials(),
			async (client) => await client.call('account.getSubject'),
			{
				abortWhen: () => waiting,
				settings: {
					wait: async (ms, signal) => {
						waiting = true;
						await sleep(Math.max(ms, 20_000), signal);
					},
				},
			},
		);
		expect(outcome.run.status).toBe('canceled');
		// n8n ends the run so only for an error with this word.
		expect(String(outcome.error)).toContain('canceled');
		expect(Date.now() - start).toBeLessThan(15_000);
		await new Promise((resolve) => setTimeout(resolve, 50));
		expect(service.requests).toHaveLength(1);
	});

	it('stops at once during a request', async () => {
		service.faults.add({ kind: 'hang' }, { count: Infinity });
		const start = Date.now();
		const outcome = await useClient(
			credentials(),
			async (client) => await client.call('account.getSubject'),
			{ abortWhen: () => service.requests.length > 0, settings: { timeoutMs: 20_000 } },
		);
		expect(outcome.run.status).toBe('canceled');
		expect(Date.now() - start).toBeLessThan(15_000);
		expect(service.requests).toHaveLength(1);
	});
});

describe('allowed domains of the credential', () => {
	it.each([
		['127.0.0.1', true],
		['*', false],
		['api.example.com', false],
		['', false],
	])('%p', async (allowedDomains, allowed) => {
		const { value, error } = await useClient(
			credentials({ allowedHttpRequestDomains: 'domains', allowedDomains }),
			async (client) => await client.call('account.getSubject'),
		);
		expect(service.requests).toHaveLength(allowed ? 1 : 0);
		if (allowed) expect(value?.data.user_id).toBeDefined();
		else expect(String(error)).toContain('The credential');
	});
});
