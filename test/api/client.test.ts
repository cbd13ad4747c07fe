/** The client inside a node on n8n's engine: what only a real connection shows. */
import { startService, type Effect, type FakeService } from '../../fake-service/index';
import type { CallOptions } from '../../nodes/LeadGenPublishing/api/client';
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

const call = async (name: EndpointName, options: CallOptions = {}, more: object = {}) =>
	await useClient(
		{ baseUrl: service.baseUrl, apiKey: service.world.keys.own, ...more },
		async (client) => await client.call(name, options),
		// Nothing here waits for real time: what is not answered is ended by something else.
		{ timeoutMs: 3_600_000 },
	);

const me = async () => await call('account.getSubject', { item: 7 });
const write = async () => await call('post.create', { body: { text: 'Once' } });
const keyedWrite = async () => {
	const { id } = service.world.addPost(service.world.own, { status: 'scheduled' });
	const idempotencyKey = keyFrom('test', id);
	const body = { interval_minutes: 5 };
	return await call('post.startFastResponse', { params: { id }, body, idempotencyKey });
};
const requestIds = () => service.requests.map(({ headers }) => headers['x-request-id'] ?? '');
const FOREVER = { count: Infinity };

it.each([
	[{}, '{}', 'application/json'],
	[undefined, '', undefined],
])('the body %j is the text %p', async (given, body, type) => {
	service.faults.status(400);
	await call('networkOrganization.refresh', { body: given });
	const [request] = service.requests;
	expect([request?.body, request?.headers['content-type']]).toEqual([body, type]);
});

const after = { after: true };

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
		expect(facts.requestId).toMatch(ask === me ? /^n8n:1000:7:/ : /^n8n:1000:/);
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

it.each<[string, () => string, RegExp]>([
	['nobody listens', () => 'http://127.0.0.1:9/v1', /^connection refused$/],
	['there is no host', () => 'https://no-such-host.invalid/v1', /^host name not/],
	['nothing is encrypted', () => service.baseUrl.replace('http:', 'https:'), /^no TLS at this/],
])('where %s, that is what is told', async (_, baseUrl, seen) => {
	expect(failed(await call('account.getSubject', {}, { baseUrl: baseUrl() })).seen).toMatch(seen);
});
