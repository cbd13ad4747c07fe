/** The client inside a node on n8n's engine: what only a real connection shows. */
import { sleep } from 'n8n-workflow';

import { startService, type Effect, type FakeService } from '../../fake-service/index';
import type { CallOptions, Client, ClientSettings } from '../../nodes/LeadGenPublishing/api/client';
import type { EndpointName } from '../../nodes/LeadGenPublishing/api/endpoints';
import { messageOf } from '../../nodes/LeadGenPublishing/api/errors';
import { keyFrom } from '../../nodes/LeadGenPublishing/api/identifiers';
import { failed, useClient } from '../support/kit/index';

let service: FakeService;
beforeAll(async () => {
	service = await startService();
});
afterAll(async () => await service.close());
beforeEach(() => {
	service.clearLog();
	service.faults.clear();
});

/** Nothing here waits for real time: what is not answered is ended by something else. */
const PATIENT: ClientSettings = { timeoutMs: 3_600_000 };
const credentials = (more: Record<string, unknown> = {}) => ({
	...{ baseUrl: service.baseUrl, apiKey: service.world.keys.own },
	...more,
});
const through = async <T>(
	use: (client: Client) => Promise<T>,
	more: Record<string, unknown> = {},
) => await useClient(credentials(more), use, { settings: PATIENT });
const call = async (name: EndpointName, options: CallOptions = {}) =>
	await through(async (client) => await client.call(name, options));

const me = async () => await call('account.getSubject', { item: 7 });
const write = async () => await call('post.create', { body: { text: 'Once' } });
const keyedWrite = async () => {
	const { id } = service.world.addPost(service.world.own, { status: 'scheduled' });
	const idempotencyKey = keyFrom('test', id);
	const body = { interval_minutes: 5 };
	return await call('post.startFastResponse', { params: { id }, body, idempotencyKey });
};
const sent = () => service.requests.map(({ method, path }) => `${method} ${path}`);
const requestIds = () => service.requests.map(({ headers }) => headers['x-request-id'] ?? '');

const FOREVER = { count: Infinity };
const HANG: Effect = { kind: 'hang' };

describe('what is sent', () => {
	it('is the key, what is accepted, and nothing more', async () => {
		const { value } = await me();
		expect(value?.data.user_id).toBe(service.world.own.id);
		const [request] = service.requests;
		expect(request).toMatchObject({
			headers: { authorization: `Bearer ${service.world.keys.own}`, accept: 'application/json' },
			body: '',
		});
		for (const name of ['content-type', 'idempotency-key'])
			expect(request?.headers).not.toHaveProperty([name]);
	});

	it('holds no key for an endpoint that needs none', async () => {
		expect((await call('account.getApiInfo')).value?.data.version).toBe('v1');
		expect(sent()).toEqual(['GET ']);
		expect(JSON.stringify(service.requests)).not.toContain(service.world.keys.own);
	});

	it.each([
		[{}, '{}', 'application/json'],
		[undefined, '', undefined],
	])('has for the body %j the text %p', async (given, body, type) => {
		service.faults.status(400);
		await call('networkOrganization.refresh', { body: given });
		const [request] = service.requests;
		expect([request?.body, request?.headers['content-type']]).toEqual([body, type]);
	});

	it('reaches a client below /clients only', async () => {
		const { clientA, keys } = service.world;
		const account = { kind: 'client', clientId: clientA.id } as const;
		const { value } = await through(
			async (client) => await client.list('lead.getAll', { account }),
			{
				apiKey: keys.agency,
			},
		);
		expect(value?.records).toHaveLength(12);
		expect(sent()).toEqual([`GET /clients/${clientA.id}/leads`]);
	});
});

it.each([301, 302, 303, 307, 308] as const)(
	'a redirect of HTTP %i is not followed, and the other host sees nothing',
	async (status) => {
		service.faults.add({ kind: 'redirect', status }, FOREVER);
		for (const ask of [me, write])
			expect(failed(await ask())).toMatchObject({ kind: 'redirected', status });
		expect([service.requests.length, service.redirected]).toEqual([2, []]);
	},
);

const after = { after: true };

describe('an answer that does not come, or is none of the API', () => {
	/** How often it is sent until it fails: a read, a write without a key, and one with a key. */
	it.each<[string, Effect, [read: number, write: number, keyed: number], kind: string]>([
		['a reset', { kind: 'reset', ...after }, [5, 1, 5], 'unreachable'],
		['half of the JSON', { kind: 'cut' }, [5, 1, 5], 'unreadable'],
		['half of it, and a cut connection', { kind: 'cut', abort: true }, [5, 1, 5], 'unreachable'],
		['nothing with 200', { kind: 'empty' }, [5, 1, 1], 'unreadable'],
		['500', { kind: 'error', status: 500, ...after }, [5, 1, 5], 'answered'],
		['a page with 502', { kind: 'html', status: 502, ...after }, [5, 1, 5], 'answered'],
		['a page with 200', { kind: 'html', status: 200, ...after }, [1, 1, 1], 'unreadable'],
		['an error with 200', { kind: 'envelope', shape: 'errorWith200' }, [1, 1, 1], 'unreadable'],
	])('%s is told of a read, and acts once for a write', async (...[, effect, times, kind]) => {
		const posts = service.world.own.posts.toArray().length;
		service.world.own.boosts = [];
		const counts: number[] = [];
		for (const ask of [me, write, keyedWrite]) {
			service.clearLog();
			service.faults.add(effect, FOREVER);
			const { error, value } = await ask();
			service.faults.clear();
			counts.push(service.requests.length);
			// What the document does not show may be anything.
			if (ask === keyedWrite && times[2] === 1 && value !== undefined) continue;
			const facts = failed({ error });
			expect(facts).toMatchObject({ kind, uncertain: ask !== me, attempts: counts.at(-1) });
			// Each attempt has a request ID of its own, and the last one is told, but not in the title.
			expect(new Set(requestIds()).size).toBe(counts.at(-1));
			expect(facts.requestId).toBe(requestIds().at(-1));
			expect(messageOf(facts)).not.toContain(facts.requestId);
			expect(new Set(service.requests.map(({ body }) => body)).size).toBe(1);
			const keys = service.requests.map(({ headers }) => headers['idempotency-key']);
			expect(new Set(keys).size).toBe(1);
		}
		expect(counts).toEqual(times);
		// One by `write`, and one that `keyedWrite` needs.
		expect(service.world.own.posts.toArray().length - posts).toBe(2);
		expect(service.world.own.boosts.length).toBeLessThanOrEqual(1);
	});

	it('is asked again for twice, and then read', async () => {
		service.faults.add({ kind: 'reset' }, { count: 2 });
		const { value, waits } = await me();
		expect([value?.data.user_id, waits]).toEqual([service.world.own.id, [250, 500]]);
		for (const id of requestIds()) expect(id).toMatch(/^n8n:1000:7:[0-9a-f]{20}$/);
	});

	it('is told as what it is', async () => {
		const refused = async (baseUrl: string) =>
			failed(await through(async (client) => await client.call('account.getSubject'), { baseUrl }))
				.seen;
		expect(await refused('http://127.0.0.1:9/v1')).toBe('connection refused');
		expect(await refused('https://no-such-host.invalid/v1')).toMatch(/^host name not/);
		const encrypted = service.baseUrl.replace('http:', 'https:');
		expect(await refused(encrypted)).toBe('no TLS at this address');
	});
});

describe('a refusal', () => {
	it('[code unauthorized] of a key is final', async () => {
		const { unknown } = service.world.keys;
		const outcome = await through(
			async (client) => await client.call('post.create', { body: { text: 'x' } }),
			{ apiKey: unknown },
		);
		expect(failed(outcome)).toMatchObject({ status: 401, code: 'unauthorized', attempts: 1 });
		expect(service.requests).toHaveLength(1);
	});

	it.each([400, 409])('of HTTP %i is final, and certain', async (status) => {
		service.faults.add({ kind: 'error', status }, FOREVER);
		expect(failed(await write())).toMatchObject({ attempts: 1, uncertain: false });
		expect(sent()).toEqual(['POST /posts']);
	});

	it('[code rate_limited] by 429 is waited for, and sent again', async () => {
		const posts = service.world.own.posts.toArray().length;
		service.faults.rateLimit(7);
		service.faults.rateLimit();
		const { value, waits } = await write();
		expect([typeof value?.data.id, waits]).toEqual(['string', [7_000, 500]]);
		expect(service.world.own.posts.toArray().length).toBe(posts + 1);
	});

	it('[code rate_limited] is waited for until a date', async () => {
		service.faults.rateLimit(new Date('2020-01-01T00:00:00Z'));
		expect((await me()).waits).toEqual([]);
	});
});

describe('a list', () => {
	const leads = async (options: Parameters<Client['list']>[1] = {}) =>
		await through(async (client) => await client.list('lead.getAll', options));
	const at =
		(offset: number) =>
		({ query }: { query: Record<string, string> }) =>
			Number(query.offset) === offset;
	beforeAll(() => {
		const { own } = service.world;
		service.world.seedLeads(own, 250 - own.leads.toArray().length);
	});

	it('asks the same offset again after a page failed', async () => {
		service.faults.status(500, { nth: 2 });
		expect((await leads({ atOnce: 1 })).value?.records).toHaveLength(250);
		expect(service.requests.map(({ query }) => query.offset)).toEqual(['0', '100', '100', '200']);
	});

	it('does not wait for a page behind the end of the list, nor leave it open', async () => {
		service.faults.add(HANG, { ...FOREVER, when: at(300) });
		// Until then the page behind it is under way.
		service.faults.add({ kind: 'delay', ms: 100 }, { when: at(200) });
		expect((await leads()).value?.records).toHaveLength(250);
		// The service would be busy with it for ever.
		await service.idle();
		expect(service.requests.filter(at(300))).toHaveLength(1);
	});

	it('fails as a whole when a page stays broken: half a list is no list', async () => {
		service.faults.status(500, { ...FOREVER, when: at(200) });
		expect(failed(await leads())).toMatchObject({ status: 500 });
	});
});

describe('a run that is cancelled', () => {
	it.each([undefined, 20])('ends at once while it waits, asked to for %p s', async (retryAfter) => {
		if (retryAfter === undefined) service.faults.status(500, FOREVER);
		else service.faults.rateLimit(retryAfter, FOREVER);
		let isWaiting = false;
		const wait = async (_: number, signal?: AbortSignal) => {
			isWaiting = true;
			await sleep(3_600_000, signal);
		};
		const outcome = await useClient(
			credentials(),
			async (client) => await client.call('account.getSubject'),
			{ abortWhen: () => isWaiting, settings: { ...PATIENT, wait } },
		);
		expect(outcome.run.status).toBe('canceled');
		// n8n ends the run so only for an error with this word.
		expect(String(outcome.error)).toContain('canceled');
		await service.idle();
		expect(service.requests).toHaveLength(1);
	});

	it('ends at once during a request', async () => {
		service.faults.add(HANG, FOREVER);
		const { run } = await useClient(
			credentials(),
			async (client) => await client.call('account.getSubject'),
			{ abortWhen: () => service.requests.length > 0, settings: PATIENT },
		);
		expect(run.status).toBe('canceled');
		await service.idle();
		expect(service.requests).toHaveLength(1);
	});
});

it.each([
	['127.0.0.1', 1],
	['*', 0],
	['api.example.com', 0],
	['', 0],
])('a credential that allows the domain %p lets %i requests through', async (domains, count) => {
	const { value, error } = await through(
		async (client) => await client.call('account.getSubject'),
		{ allowedHttpRequestDomains: 'domains', allowedDomains: domains },
	);
	expect(service.requests).toHaveLength(count);
	if (count > 0) expect(value?.data.user_id).toBeDefined();
	else expect(String(error)).toContain('The credential');
});
