import { ask, keyed, patch, post } from '../../fake-service/asking';
import { startService, type FakeService, type WrongShape } from '../../fake-service/index';

let service: FakeService;
beforeAll(async () => {
	service = await startService();
});
afterAll(() => service.close());
beforeEach(() => {
	service.faults.clear();
	service.clearLog();
});

const statuses = async (count: number, path = '/me') => {
	const found: number[] = [];
	for (let index = 0; index < count; index++) found.push((await ask(service, path)).status);
	return found;
};

test('the log holds what arrived, and what was answered', async () => {
	await ask(service, '/leads?limit=3&has_email=true');
	await ask(service, '/posts', post({ text: 'x' }, { headers: { 'x-request-id': 'mine' } }));
	expect(service.requests).toMatchObject([
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
	expect(service.requests[0]?.headers.authorization).toContain(service.world.keys.own);
	const { startedAt, endedAt } = service.requests[0] ?? {};
	expect(endedAt).toBeGreaterThanOrEqual(startedAt ?? Infinity);
});

test('faults are matched by method, path, route, client, predicate, nth and count', async () => {
	const { clientA, clientB, keys } = service.world;
	const fault = service.faults.status(503, { path: '/me', nth: 2, count: 2 });
	expect(await statuses(5)).toEqual([200, 503, 503, 200, 200]);
	expect(fault.hits).toBe(2);
	service.faults.status(500, { path: /^\/posts/, method: 'POST' });
	expect(await statuses(1, '/posts')).toEqual([200]);
	expect((await ask(service, '/posts', post({ text: 'x' }))).status).toBe(500);
	service.faults.status(502, { clientId: clientB.id, route: 'leads.list', count: Infinity });
	const asked = async (id: string) =>
		(await ask(service, `/clients/${id}/leads`, { key: keys.agency })).status;
	expect([await asked(clientA.id), await asked(clientB.id)]).toEqual([200, 502]);
	service.faults.status(500, { when: ({ query }) => query.offset === '5' });
	expect(await statuses(1, '/leads?offset=0')).toEqual([200]);
	expect(await statuses(2, '/leads?offset=5')).toEqual([500, 200]);
	service.faults.status(500);
	service.faults.status(502);
	expect(await statuses(3)).toEqual([500, 502, 200]);
});

test('7.1 rate_limited: Retry-After in seconds, as a date, or absent', async () => {
	service.faults.rateLimit(7);
	service.faults.rateLimit(new Date('2030-01-01T00:00:00Z'));
	service.faults.rateLimit();
	const after: unknown[] = [];
	for (let index = 0; index < 3; index++) {
		const reply = await ask(service, '/me');
		expect([reply.status, reply.body.error?.code]).toEqual([429, 'rate_limited']);
		after.push(reply.headers['retry-after']);
	}
	expect(after).toEqual(['7', 'Tue, 01 Jan 2030 00:00:00 GMT', undefined]);
});

test('7.1 any code, reason and details', async () => {
	service.faults.add({
		kind: 'error',
		status: 501,
		code: 'not_implemented',
		details: { hint: 'later' },
	});
	const reply = await ask(service, '/me');
	expect(reply.body.error).toMatchObject({ code: 'not_implemented', details: { hint: 'later' } });
	service.faults.reason('provider_ambiguous', { route: 'posts.update' });
	const id = service.world.own.posts.at(-1)?.id;
	expect((await ask(service, `/posts/${id}`, patch({ notes: 'x' }))).reason).toBe(
		'provider_ambiguous',
	);
});

test('a reset before the handling leaves nothing, one after it leaves the write', async () => {
	const { posts } = service.world.own;
	const before = posts.size;
	service.faults.add({ kind: 'reset' });
	await expect(ask(service, '/posts', post({ text: 'lost' }))).rejects.toThrow();
	expect(posts.size).toBe(before);
	service.faults.add({ kind: 'reset', after: true });
	await expect(ask(service, '/posts', post({ text: 'kept' }))).rejects.toThrow();
	expect(posts.size).toBe(before + 1);
	expect(posts.at(-1)?.text).toBe('kept');
	expect(service.requests).toMatchObject([
		{ status: null, handled: null, fault: 'reset' },
		{ status: null, handled: 201, fault: 'reset' },
	]);
});

test('7.2 a lost answer is replayed to the same key', async () => {
	const shown = service.world.addPost(service.world.own, { status: 'published' });
	const path = `/posts/${shown.id}`;
	const capabilities = (await ask(service, path)).data.published_mutation_capabilities;
	const etag = String((capabilities as Record<string, unknown>).edit_etag);
	service.faults.add({ kind: 'reset', after: true }, { method: 'PATCH' });
	const question = patch({ text: 'once' }, { headers: keyed('lost-1', etag) });
	await expect(ask(service, path, question)).rejects.toThrow();
	expect((await ask(service, path, question)).data.text).toBe('once');
	expect(service.world.applied.filter((one) => one.post === shown.id)).toHaveLength(1);
});

test('a 5xx after the handling: applied all the same', async () => {
	const before = service.world.own.posts.size;
	service.faults.add({ kind: 'error', status: 502, after: true });
	expect((await ask(service, '/posts', post({ text: 'x' }))).status).toBe(502);
	expect(service.world.own.posts.size).toBe(before + 1);
});

test('a hang never answers, and does not keep the service from closing', async () => {
	const other = await startService({ sample: 'none' });
	other.faults.add({ kind: 'hang' });
	const asked = ask(other, '/me');
	asked.catch(() => {});
	while (!other.requests.length) await new Promise((resolve) => setTimeout(resolve, 5));
	await other.close();
	await expect(asked).rejects.toThrow();
	expect(other.requests[0]).toMatchObject({ status: null, endedAt: null });
});

test.each([200, 404, 502])('an HTML page with %s', async (status) => {
	service.faults.add({ kind: 'html', status });
	const reply = await ask(service, '/me');
	expect(reply.status).toBe(status);
	expect(reply.headers['content-type']).toContain('text/html');
	expect(reply.text).toContain('<h1>');
});

test('JSON cut off, with and without the connection; an empty answer; raw text', async () => {
	service.faults.add({ kind: 'cut' }, { path: '/leads' });
	await expect(ask(service, '/leads')).rejects.toThrow(SyntaxError);
	service.faults.add({ kind: 'cut', abort: true });
	await expect(ask(service, '/leads')).rejects.toThrow(/other side closed|aborted|terminated/);
	service.faults.add({ kind: 'empty' });
	expect(await ask(service, '/leads')).toMatchObject({ status: 200, text: '' });
	service.faults.add({ kind: 'raw', status: 200, body: 'null' });
	expect((await ask(service, '/leads')).text).toBe('null');
});

test('2.1 wrong envelopes of every kind', async () => {
	const sent = async (shape: WrongShape) => {
		service.faults.add({ kind: 'envelope', shape });
		return JSON.parse((await ask(service, '/leads?limit=1')).text) as Record<string, unknown>;
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
	service.faults.add({ kind: 'change', change: (real) => ({ ...real, extra: 1 }) });
	expect((await ask(service, '/leads')).text).toContain('"extra":1');
});

test('part 8: lists that mislead', async () => {
	const page = (offset: number) => ask(service, `/leads?limit=5&offset=${offset}`);
	service.faults.add({ kind: 'emptyPage' });
	expect((await page(0)).body).toMatchObject({ data: [], pagination: { has_more: true } });
	service.faults.add({ kind: 'limitZero' });
	expect((await page(0)).body.pagination?.limit).toBe(0);
	const first = await page(0);
	service.faults.add({ kind: 'repeatPage' });
	expect((await page(5)).rows).toEqual(first.rows);
	service.faults.add({ kind: 'neverEnding' }, { count: Infinity });
	await page(4000);
	const far = await page(5000);
	expect(far.body.pagination).toEqual({ limit: 5, offset: 5000, has_more: true });
	expect(far.rows.length).toBeGreaterThan(0);
});

test.each([301, 302, 303, 307, 308] as const)(
	'a redirect with %s to another host',
	async (status) => {
		service.faults.add({ kind: 'redirect', status });
		const reply = await ask(service, '/me');
		expect(reply.status).toBe(status);
		expect(reply.headers.location).toBe(`${service.redirectHost}/api/v1/me`);
		await fetch(String(reply.headers.location), { headers: { 'x-told': 'yes' } });
		expect(service.redirected[0]).toMatchObject({
			url: '/api/v1/me',
			headers: { 'x-told': 'yes' },
		});
	},
);

test('latency: for all, for a path, for a client; the longest counts', async () => {
	const { clientA, keys } = service.world;
	service.latency.path(/^\/leads/, 60);
	service.latency.client(clientA.id, 90);
	const took = async (path: string) => {
		const started = performance.now();
		await ask(service, path, { key: keys.agency });
		return performance.now() - started;
	};
	expect(await took('/leads')).toBeGreaterThanOrEqual(59);
	expect(await took(`/clients/${clientA.id}/leads`)).toBeGreaterThanOrEqual(89);
	service.latency.clear();
	service.latency.global = 40;
	expect(await took('/me')).toBeGreaterThanOrEqual(39);
	service.latency.clear();
});
