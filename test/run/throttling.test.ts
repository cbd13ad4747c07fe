/** "Retry-After" holds for the run: for all of its items, pages, nodes and tries. */
import { byId, setUpKit } from '../support/kit/index';
import type { LoggedRequest, Match } from '../../fake-service/index';

const kit = setUpKit({ sample: 'none' });

const CREATE = { resource: 'post', operation: 'create', text: '={{ $json.text }}' };
const GET = { resource: 'post', operation: 'get', postId: byId('={{ $json.id }}') };
const textsOf = (count: number) =>
	Array.from({ length: count }, (_, index) => ({ json: { text: `Post ${index}` } }));
const posts = (count: number) =>
	Array.from({ length: count }, () => ({
		json: { id: kit.service.world.addPost(kit.service.world.own).id },
	}));
const onward = { onError: 'continueErrorOutput' } as const;

/** The requests that came later than so long after the first refusal had been answered. */
const after = (ms: number): LoggedRequest[] => {
	const [refused] = kit.service.requests.filter(({ status }) => status === 429);
	const from = (refused?.endedAt ?? Infinity) + ms;
	return kit.service.requests.filter(({ startedAt }) => startedAt > from);
};
/** Those within the wait; what was sent before its answer came is let arrive. */
const within = (waitMs: number): LoggedRequest[] => {
	const later = after(waitMs - 10);
	return after(waitMs / 2).filter((request) => !later.includes(request));
};
const throttleOnce = (retryAfter: number | Date, match: Match = {}) =>
	kit.service.faults.rateLimit(retryAfter, match);

describe('twenty creates that go on after an error, throttled for longer than may be waited', () => {
	it.each<[string, () => number | Date]>([
		['120 seconds', () => 120],
		['a date', () => new Date(Date.now() + 120_000)],
		['a day', () => 86_400],
		['three years', () => 94_608_000],
	])('by %s: the others are not sent, and say so', async (_, retryAfter) => {
		throttleOnce(retryAfter(), { nth: 3, count: Infinity });
		const { outputs } = await kit.run(CREATE, { items: textsOf(20), ...onward });
		expect(kit.service.requests).toHaveLength(3);
		expect(outputs.map((items) => items.length)).toEqual([2, 18]);
		const [refused, ...held] = outputs[1] ?? [];
		expect(refused?.json.details).toMatchObject({ http_status: 429, retryable: true });
		for (const { json } of held) {
			expect(json.error).toMatch(/^Not sent, because the service asked to wait until \d{4}-/);
			expect(json.message).toContain('Max Wait (Seconds)');
			const details = json.details as Record<string, unknown>;
			expect(details).toMatchObject({
				http_status: null,
				code: 'rate_limited',
				retryable: true,
				request_id: kit.service.requests[2]?.requestId,
				retry_after_seconds: expect.any(Number),
			});
			expect(details.outcome).toBeUndefined();
			const opens = Date.parse(String(details.not_before)) - Date.now();
			expect(opens).toBeGreaterThan(60_000);
		}
	});
});

describe("n8n's Retry On Fail", () => {
	it('waits as well: a further try within the wait sends nothing', async () => {
		throttleOnce(120, { nth: 3, count: Infinity });
		const run = await kit.run(CREATE, { items: textsOf(5), retryOnFail: true, maxTries: 3 });
		expect(run.timesRun).toBe(3);
		expect(kit.service.requests).toHaveLength(3);
		expect(run.error?.message).toContain('Not sent, because the service asked to wait');
		expect(run.error).toMatchObject({ failure: { cause: 'rate-limited' } });
	});
});
