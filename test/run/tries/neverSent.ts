/** What n8n itself does not let out changes nothing: it locks no item, and its cause is what the user reads. */
import { SsrfProtectionConfig } from '@n8n/config';
import { Container } from '@n8n/di';

import { instance } from '../../support/instance';
import { byId, setUpKit } from '../../support/kit/index';

const kit = setUpKit();
const CREATE = { resource: 'post', operation: 'create', text: 'A post' };
const RETRYING = { retryOnFail: true, maxTries: 3 };
/** n8n's "Retry execution" of what failed. */
const again = (run: Awaited<ReturnType<typeof kit.run>>) => ({
	runExecutionData: run.fullRun.data,
	executionId: '2000',
});

describe("where n8n's SSRF protection does not allow the service", () => {
	const protect = (enabled: boolean) => {
		Container.get(SsrfProtectionConfig).enabled = enabled;
	};
	beforeEach(async () => {
		await instance();
		protect(true);
	});
	afterEach(() => protect(false));

	const expected = 'n8n did not send the request (blocked by the SSRF protection of this n8n).';
	const writes: Array<[string, () => Record<string, unknown>]> = [
		['without a key', () => CREATE],
		['with a unique key', () => ({ ...CREATE, text: 'With a key', options: { uniqueKey: 'one' } })],
		[
			'with an idempotency key',
			() => {
				const { own } = kit.service.world;
				const { id } = kit.service.world.addPost(own, { status: 'scheduled' });
				return { resource: 'post', operation: 'startFastResponse', postId: byId(id) };
			},
		],
	];

	it.each(writes)('a write %s says so, at each try', async (_, parameters) => {
		const { error, timesRun } = await kit.run(parameters(), RETRYING);
		expect(timesRun).toBe(3);
		expect(error?.message).toContain(expected);
		expect(error?.message).not.toMatch(/not known|may have succeeded/);
		expect(error?.description).toContain('N8N_SSRF_ALLOWED_HOSTNAMES');
		expect(kit.sent()).toEqual([]);
	});

	it.each(writes)('a write %s is sent once it is allowed', async (_, parameters) => {
		const given = parameters();
		const blocked = await kit.run(given, RETRYING);
		protect(false);
		const allowed = await kit.run(given, again(blocked));
		expect(allowed.error).toBeUndefined();
		expect(kit.writes()).toHaveLength(1);
	});

	it('a write whose answer was lost before stays in doubt', async () => {
		protect(false);
		kit.service.faults.add({ kind: 'reset', after: true });
		const lost = await kit.run(CREATE);
		protect(true);
		const blocked = await kit.run(CREATE, again(lost));
		protect(false);
		expect(blocked.error?.message).toContain('may have succeeded');
		const { error } = await kit.run(CREATE, { ...again(blocked), executionId: '3000' });
		expect(error?.message).toContain('may have succeeded');
		expect(kit.writes()).toHaveLength(1);
	});
});

describe('where a proxy', () => {
	const names = ['HTTP_PROXY', 'HTTPS_PROXY', 'http_proxy', 'https_proxy'];
	afterEach(() => {
		for (const name of names) delete process.env[name];
	});

	it.each([
		['has no address', () => 'http://:::', 'Invalid URL'],
		['makes no connection', () => kit.service.baseUrl, 'Proxy connection ended before'],
	])('%s, a write says so, and is sent once that is over', async (_, proxy, cause) => {
		for (const name of names) process.env[name] = proxy();
		const outside = {
			baseUrl: 'https://service.example.com/v1',
			apiKey: kit.service.world.keys.own,
		};
		const failed = await kit.run(CREATE, { ...RETRYING, credentials: outside });
		expect(failed.timesRun).toBe(3);
		expect(failed.error?.message).toContain(`n8n did not send the request (${cause}`);
		expect(failed.error?.description).toContain('proxy of this n8n');
		for (const name of names) delete process.env[name];
		const { error } = await kit.run(CREATE, again(failed));
		expect(error).toBeUndefined();
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
	const stopped = await kit.run(CREATE, { abortWhen: hasPaused });
	timers.mockRestore();
	const { error } = await kit.run(CREATE, again(stopped));
	expect(error).toBeUndefined();
	expect(kit.answered()).toEqual(['POST 429', 'POST 201']);
});
