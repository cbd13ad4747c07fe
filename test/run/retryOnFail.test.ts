/**
 * n8n's own "Retry On Fail" and "Retry execution" on its engine, where n8n or the service holds a write
 * back. What each try may do is held by `tries.test.ts`, that nothing happens twice by `writes.test.ts`.
 */
import { SsrfProtectionConfig } from '@n8n/config';
import { Container } from '@n8n/di';

import type { NodeRun, RunNodeOptions } from '../support/engine';
import { instance } from '../support/instance';
import { setUpKit, type Parameters } from '../support/kit/index';

const kit = setUpKit({ sample: 'none' });

const CREATE = { resource: 'post', operation: 'create', text: '={{ $json.text }}' };
const RETRYING = { retryOnFail: true, maxTries: 3 };
const textsOf = (count: number) =>
	Array.from({ length: count }, (_, index) => ({ json: { text: `Post ${index + 1}` } }));
/** "Retry execution" of a run. */
const again = ({ fullRun }: NodeRun, executionId = '2000') => ({
	...{ runExecutionData: fullRun.data, executionId },
});
const creating = async (count: number, more: Partial<RunNodeOptions> = {}) =>
	await kit.run(CREATE, { items: textsOf(count), ...more });

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
	const BLOCKED = 'blocked by the SSRF protection of n8n).';
	const [PROXY, ENDED] = ['proxy of n8n', 'Proxy connection ended before'];
	it.each<[string, () => void, string, string]>([
		['its SSRF protection', () => protect(true), BLOCKED, 'N8N_SSRF_ALLOWED_HOST'],
		['a proxy without an address', () => behind('http://:::'), 'Invalid URL', PROXY],
		['a proxy without a connection', () => behind(kit.service.baseUrl), ENDED, PROXY],
	])('%s', async (what, close, cause, remedy) => {
		const outside = { baseUrl: 'https://service.example.com/v1', apiKey: 'x_live_a' };
		close();
		const closed = await kit.run(create, {
			...{ ...RETRYING, ...(what.includes('proxy') ? { credentials: outside } : {}) },
		});
		expect([closed.timesRun, kit.sent()]).toEqual([3, []]);
		expect(closed.error?.message).toContain(`n8n did not send the request (${cause}`);
		expect(closed.error?.message).not.toMatch(/not known|may have succeeded/);
		expect(closed.error?.description).toContain(remedy);
		open();
		const opened = await kit.run(create, again(closed));
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
