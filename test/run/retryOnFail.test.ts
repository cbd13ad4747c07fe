/**
 * n8n's own "Retry On Fail" and "Retry execution" on its engine: whatever happens, no write happens
 * twice, and every item is accounted for. What each try may do is held by `tries.test.ts`.
 */
import { SsrfProtectionConfig } from '@n8n/config';
import { Container } from '@n8n/di';

import type { Effect } from '../../fake-service/index';
import { withBinary, type NodeRun, type RunNodeOptions } from '../support/engine';
import { instance } from '../support/instance';
import { byId, setUpKit, type Parameters } from '../support/kit/index';

const kit = setUpKit({ sample: 'none' });

const CREATE = { resource: 'post', operation: 'create', text: '={{ $json.text }}' };
const RETRYING = { retryOnFail: true, maxTries: 3 };
const textsOf = (count: number) =>
	Array.from({ length: count }, (_, index) => ({ json: { text: `Post ${index + 1}` } }));
/** "Retry execution" of a run. */
const again = ({ fullRun }: NodeRun, executionId = '2000') => ({
	...{ runExecutionData: fullRun.data, executionId },
});
/** Creates a post of each text; `posted` is how often each was really posted. */
async function creating(count: number, more: Partial<RunNodeOptions> = {}) {
	const items = textsOf(count);
	const run = await kit.run(CREATE, { items, ...more });
	const stored = kit.service.world.own.posts.toArray();
	const posted = items.map(({ json }) => stored.filter(({ text }) => text === json.text).length);
	return { ...run, posted };
}
beforeEach(() => {
	const { posts } = kit.service.world.own;
	for (const { id } of posts.toArray()) posts.remove(id);
});

describe.each<[string, Effect, number]>([
	['before it is carried out', { kind: 'error', status: 500 }, 0],
	['after it was carried out', { kind: 'reset', after: true }, 1],
])('ten creates, of which the seventh fails once %s', (_, effect, done) => {
	const EACH_ONCE = [1, 1, 1, 1, 1, 1, done, 1, 1, 1];
	beforeEach(() => void kit.service.faults.add(effect, { route: 'posts.create', nth: 7 }));

	it('post nothing twice, and the error is honest, also after "Retry execution"', async () => {
		const first = await creating(10, RETRYING);
		expect([first.timesRun, first.posted, kit.writes().length]).toEqual([3, EACH_ONCE, 10]);
		const second = await creating(10, again(first));
		for (const { error, posted } of [first, second]) {
			expect(error?.message).toContain('may have succeeded, so it was not sent again');
			expect(posted).toEqual(EACH_ONCE);
		}
	});

	it('post all others where n8n goes on', async () => {
		const onError = 'continueErrorOutput';
		const { posted, outputs } = await creating(10, { ...RETRYING, onError });
		expect([posted, outputs[0]?.length, outputs[1]?.length]).toEqual([EACH_ONCE, 9, 1]);
		const unknown = { outcome: 'unknown', retryable: false };
		expect(outputs[1]?.[0]?.json.details).toMatchObject(unknown);
	});
});

it('"Retry execution" posts only what was not posted, and shows all', async () => {
	kit.service.faults.status(400, { route: 'posts.create', nth: 3 });
	const second = await creating(5, again(await creating(5)));
	expect([second.error, second.posted]).toEqual([undefined, [1, 1, 1, 1, 1]]);
	expect(second.outputs[0]?.map(({ json }) => json.text)).toEqual(
		textsOf(5).map(({ json }) => json.text),
	);
});

describe('what n8n itself does not let out locks no item, and its cause is what the user reads', () => {
	const PROXIES = ['HTTP_PROXY', 'HTTPS_PROXY', 'http_proxy', 'https_proxy'];
	const protect = (enabled: boolean) =>
		void (Container.get(SsrfProtectionConfig).enabled = enabled);
	const behind = (proxy: string) => {
		for (const name of PROXIES) process.env[name] = proxy;
	};
	const open = () => {
		protect(false);
		for (const name of PROXIES) delete process.env[name];
	};
	beforeEach(async () => void (await instance()));
	afterEach(open);
	const create = { ...CREATE, text: 'A post' };
	const start = () => {
		const { id } = kit.service.world.addPost(kit.service.world.own, { status: 'scheduled' });
		return { resource: 'post', operation: 'startFastResponse', postId: byId(id) };
	};

	const BLOCKED = 'blocked by the SSRF protection of this n8n).';
	it.each<[string, () => void, () => Parameters, string, string]>([
		['its SSRF protection', () => protect(true), () => create, BLOCKED, 'N8N_SSRF_ALLOWED_HOST'],
		[
			...(['its SSRF protection, a unique key', () => protect(true)] as const),
			...([() => ({ ...create, options: { uniqueKey: 'one' } }), BLOCKED, 'N8N_SSRF_'] as const),
		],
		['its SSRF protection, a key', () => protect(true), start, BLOCKED, 'N8N_SSRF_ALLOWED_HOST'],
		[
			...(['a proxy without an address', () => behind('http://:::'), () => create] as const),
			...(['Invalid URL', 'proxy of this n8n'] as const),
		],
		[
			...(['a proxy without a connection', () => behind(kit.service.baseUrl)] as const),
			...([() => create, 'Proxy connection ended before', 'proxy of this n8n'] as const),
		],
	])('%s', async (what, close, parameters, cause, remedy) => {
		const given = parameters();
		const outside = { baseUrl: 'https://service.example.com/v1', apiKey: 'x_live_a' };
		close();
		const closed = await kit.run(given, {
			...{ ...RETRYING, ...(what.includes('proxy') ? { credentials: outside } : {}) },
		});
		expect([closed.timesRun, kit.sent()]).toEqual([3, []]);
		expect(closed.error?.message).toContain(`n8n did not send the request (${cause}`);
		expect(closed.error?.message).not.toMatch(/not known|may have succeeded/);
		expect(closed.error?.description).toContain(remedy);
		open();
		const opened = await kit.run(given, again(closed));
		expect([opened.error, kit.writes().length]).toEqual([undefined, 1]);
	});

	it('what may have been done before stays in doubt', async () => {
		kit.service.faults.add({ kind: 'reset', after: true });
		const lost = await kit.run(create);
		protect(true);
		const blocked = await kit.run(create, again(lost));
		open();
		const { error } = await kit.run(create, again(blocked, '3000'));
		for (const one of [blocked.error, error]) expect(one?.message).toContain('may have succeeded');
		expect(kit.writes()).toHaveLength(1);
	});
});

it('a file that the storage has refused is sent to another address by the next try', async () => {
	kit.service.faults.add({ kind: 'error', status: 403 }, { host: 'storage', count: 2 });
	const file = { buffer: Buffer.from('a file'), mimeType: 'image/png', fileName: 'a.png' };
	const items = [await withBinary({ json: {} }, file)];
	const upload = { resource: 'media', operation: 'upload', binaryPropertyName: 'data' };
	const { error, timesRun } = await kit.run(upload, { ...RETRYING, items });
	const addresses = kit.service.storageRequests.map(({ url }) => url);
	expect([error, timesRun, addresses.length, new Set(addresses).size]).toEqual([
		...[undefined, 2, 3, 3],
	]);
});

it('a run that is stopped while the service wants to be left alone leaves nothing in doubt', async () => {
	kit.service.faults.add({
		...{ kind: 'raw', status: 429, body: '', headers: { 'retry-after': '50' } },
	});
	// Only what has begun to wait has read the answer.
	const timers = jest.spyOn(globalThis, 'setTimeout');
	const hasPaused = () => timers.mock.calls.some(([, ms = 0]) => ms > 49_000 && ms <= 50_000);
	const stopped = await creating(1, { abortWhen: hasPaused });
	timers.mockRestore();
	expect((await creating(1, again(stopped))).error).toBeUndefined();
	expect(kit.answered()).toEqual(['POST 429', 'POST 201']);
});

describe('"Retry-After" holds for all items of a run, and for all tries', () => {
	const throttleThird = (retryAfter: number) =>
		kit.service.faults.rateLimit(retryAfter, { nth: 3, count: Infinity });

	it('the items after it are not sent, and say so', async () => {
		throttleThird(120);
		const { outputs } = await creating(20, { onError: 'continueErrorOutput' });
		expect(kit.service.requests).toHaveLength(3);
		expect(outputs.map((items) => items.length)).toEqual([2, 18]);
		const [refused, ...held] = outputs[1] ?? [];
		expect(refused?.json.details).toMatchObject({ http_status: 429, retryable: true });
		for (const { json } of held) {
			expect(json.error).toMatch(/^Not sent, because the service asked to wait until \d{4}-/);
			expect(json.message).toContain('Max Wait (Seconds)');
			const details = json.details as Parameters;
			expect(details).toMatchObject({
				...{ http_status: null, code: 'rate_limited', retryable: true },
				request_id: kit.service.requests[2]?.requestId,
				retry_after_seconds: expect.any(Number) as number,
			});
			expect(details.outcome).toBeUndefined();
			expect(Date.parse(String(details.not_before)) - Date.now()).toBeGreaterThan(60_000);
		}
	});

	it('a further try within the wait sends nothing', async () => {
		throttleThird(120);
		const { timesRun, error } = await creating(5, RETRYING);
		expect([timesRun, kit.service.requests.length]).toEqual([3, 3]);
		expect(error?.message).toContain('Not sent, because the service asked to wait');
		expect(error).toMatchObject({ failure: { cause: 'rate-limited' } });
	});
});
