/** Trouble on demand. What a redirect, a page or half an answer does to a caller, `test/api/client.test.ts` shows. */
import { ask as askOf, keyed, patch, post } from '../../fake-service/asking';
import { startService, type WrongShape } from '../../fake-service/index';
import { Latency } from '../../fake-service/latency';
import { conformance, refusal } from './conformance';

const kit = conformance();
const { ask, status } = kit;
beforeEach(() => {
	kit.service.faults.clear();
	kit.service.clearLog();
});

const statuses = async (count: number, path = '/me') => {
	const found: number[] = [];
	for (let index = 0; index < count; index++) found.push(await status(path));
	return found;
};

test('the log holds what arrived, and what was answered', async () => {
	await ask('/leads?limit=3&has_email=true');
	await ask('/posts', post({ text: 'x' }, { headers: { 'x-request-id': 'mine' } }));
	expect(kit.service.requests).toMatchObject([
		{
			method: 'GET',
			path: '/leads',
			url: '/api/v1/leads?limit=3&has_email=true',
			query: { limit: '3', has_email: 'true' },
			route: 'leads.list',
			status: 200,
		},
		{ method: 'POST', body: '{"text":"x"}', json: { text: 'x' }, requestId: 'mine', status: 201 },
	]);
	expect(kit.service.requests[0]?.headers.authorization).toContain(kit.service.world.keys.own);
	const { startedAt, endedAt } = kit.service.requests[0] ?? {};
	expect(endedAt).toBeGreaterThanOrEqual(startedAt ?? Infinity);
});

test('faults are matched by method, path, route, client, predicate, nth and count', async () => {
	const { clientA, clientB, keys } = kit.service.world;
	const fault = kit.service.faults.status(503, { path: '/me', nth: 2, count: 2 });
	expect(await statuses(5)).toEqual([200, 503, 503, 200, 200]);
	expect(fault.hits).toBe(2);
	kit.service.faults.status(500, { path: /^\/posts/, method: 'POST' });
	expect(await statuses(1, '/posts')).toEqual([200]);
	expect(await status('/posts', post({ text: 'x' }))).toBe(500);
	kit.service.faults.status(502, { clientId: clientB.id, route: 'leads.list', count: Infinity });
	const asked = async (id: string) => await status(`/clients/${id}/leads`, { key: keys.agency });
	expect([await asked(clientA.id), await asked(clientB.id)]).toEqual([200, 502]);
	kit.service.faults.status(500, { when: ({ query }) => query.offset === '5' });
	expect(await statuses(1, '/leads?offset=0')).toEqual([200]);
	expect(await statuses(2, '/leads?offset=5')).toEqual([500, 200]);
	kit.service.faults.status(500);
	kit.service.faults.status(502);
	expect(await statuses(3)).toEqual([500, 502, 200]);
});

test('7.1 rate_limited: Retry-After in seconds, as a date, or absent', async () => {
	kit.service.faults.rateLimit(7);
	kit.service.faults.rateLimit(new Date('2030-01-01T00:00:00Z'));
	kit.service.faults.rateLimit();
	const after: unknown[] = [];
	for (let index = 0; index < 3; index++) {
		const reply = await ask('/me');
		expect(refusal(reply)).toEqual([429, 'rate_limited']);
		after.push(reply.headers['retry-after']);
	}
	expect(after).toEqual(['7', 'Tue, 01 Jan 2030 00:00:00 GMT', undefined]);
});

test('7.1 any code, reason and details', async () => {
	kit.service.faults.add({
		kind: 'error',
		status: 501,
		code: 'not_implemented',
		details: { hint: 'later' },
	});
	const reply = await ask('/me');
	expect(reply.body.error).toMatchObject({ code: 'not_implemented', details: { hint: 'later' } });
	kit.service.faults.reason('provider_ambiguous', { route: 'posts.update' });
	const id = kit.service.world.own.posts.at(-1)?.id;
	expect((await ask(`/posts/${id}`, patch({ notes: 'x' }))).reason).toBe('provider_ambiguous');
});

test('a reset before the handling leaves nothing, one after it leaves the write', async () => {
	const { posts } = kit.service.world.own;
	const before = posts.size;
	kit.service.faults.add({ kind: 'reset' });
	await expect(ask('/posts', post({ text: 'lost' }))).rejects.toThrow();
	expect(posts.size).toBe(before);
	kit.service.faults.add({ kind: 'reset', after: true });
	await expect(ask('/posts', post({ text: 'kept' }))).rejects.toThrow();
	expect(posts.size).toBe(before + 1);
	expect(posts.at(-1)?.text).toBe('kept');
	expect(kit.service.requests).toMatchObject([
		{ status: null, handled: null, fault: 'reset' },
		{ status: null, handled: 201, fault: 'reset' },
	]);
});

test('7.2 a lost answer is replayed to the same key', async () => {
	const shown = kit.service.world.addPost(kit.service.world.own, { status: 'published' });
	const path = `/posts/${shown.id}`;
	const capabilities = (await ask(path)).data.published_mutation_capabilities;
	const etag = String((capabilities as Record<string, unknown>).edit_etag);
	kit.service.faults.add({ kind: 'reset', after: true }, { method: 'PATCH' });
	const question = patch({ text: 'once' }, { headers: keyed('lost-1', etag) });
	await expect(ask(path, question)).rejects.toThrow();
	expect((await ask(path, question)).data.text).toBe('once');
	expect(kit.service.world.applied.filter((one) => one.post === shown.id)).toHaveLength(1);
});

test('a hang never answers, and does not keep the service from closing', async () => {
	const other = await startService({ sample: 'none' });
	other.faults.add({ kind: 'hang' });
	const asked = askOf(other, '/me');
	asked.catch(() => {});
	while (!other.requests.length) await new Promise(setImmediate);
	expect(other.requests[0]).toMatchObject({ status: null, endedAt: null });
	await other.close();
	await expect(asked).rejects.toThrow();
	expect(other.requests[0]).toMatchObject({ status: null });
});

test('2.1 wrong envelopes of every kind', async () => {
	const sent = async (shape: WrongShape) => {
		kit.service.faults.add({ kind: 'envelope', shape });
		return JSON.parse((await ask('/leads?limit=1')).text) as Record<string, unknown>;
	};
	expect(await sent('noData')).not.toHaveProperty('data');
	expect(await sent('nullData')).toMatchObject({ data: null });
	expect(await sent('dataAsArray')).toMatchObject({ data: [[{}]] });
	expect(await sent('dataAsObject')).toMatchObject({ data: { items: [{}] } });
	expect(await sent('dataAsText')).toMatchObject({ data: 'ok' });
	expect(await sent('noPagination')).not.toHaveProperty('pagination');
	expect(await sent('noRequestId')).not.toHaveProperty('request_id');
	expect(await sent('errorWith200')).toHaveProperty('error');
	expect(Array.isArray(await sent('bareData'))).toBe(true);
	kit.service.faults.add({ kind: 'change', change: (real) => ({ ...real, extra: 1 }) });
	expect((await ask('/leads')).text).toContain('"extra":1');
});

test('part 8: lists that mislead', async () => {
	const page = (offset: number) => ask(`/leads?limit=5&offset=${offset}`);
	kit.service.faults.add({ kind: 'emptyPage' });
	expect((await page(0)).body).toMatchObject({ data: [], pagination: { has_more: true } });
	kit.service.faults.add({ kind: 'limitZero' });
	expect((await page(0)).body.pagination?.limit).toBe(0);
	const first = await page(0);
	kit.service.faults.add({ kind: 'repeatPage' });
	expect((await page(5)).rows).toEqual(first.rows);
	kit.service.faults.add({ kind: 'neverEnding' }, { count: Infinity });
	await page(4000);
	const far = await page(5000);
	expect(far.body.pagination).toEqual({ limit: 5, offset: 5000, has_more: true });
	expect(far.rows.length).toBeGreaterThan(0);
});

test('latency: for all, for a path, for a client; the longest counts', () => {
	const latency = new Latency();
	const of = (path: string, clientId: string | null = null) => latency.of({ path, clientId });
	expect(of('/leads')).toBe(0);
	latency.path(/^\/leads/, 60);
	latency.path('/me', 5);
	latency.client('a', 90);
	latency.global = 40;
	expect([of('/leads'), of('/leads', 'a'), of('/posts', 'b'), of('/me')]).toEqual([60, 90, 40, 40]);
	latency.clear();
	expect(of('/leads', 'a')).toBe(0);
});
