/** "Retry-After" holds for the run: for all of its items, and for all tries of n8n. */
import { setUpKit } from '../support/kit/index';

const kit = setUpKit({ sample: 'none' });

const CREATE = { resource: 'post', operation: 'create', text: '={{ $json.text }}' };
const textsOf = (count: number) =>
	Array.from({ length: count }, (_, index) => ({ json: { text: `Post ${index}` } }));
const throttleThird = (retryAfter: number | Date) =>
	kit.service.faults.rateLimit(retryAfter, { nth: 3, count: Infinity });

it.each<[string, () => number | Date]>([
	['120 seconds', () => 120],
	['a date', () => new Date(Date.now() + 120_000)],
	['a day', () => 86_400],
	['three years', () => 94_608_000],
])('%s, longer than may be waited: the items after it are not sent, and say so', async (...row) => {
	throttleThird(row[1]());
	const onward = { items: textsOf(20), onError: 'continueErrorOutput' } as const;
	const { outputs } = await kit.run(CREATE, onward);
	expect(kit.service.requests).toHaveLength(3);
	expect(outputs.map((items) => items.length)).toEqual([2, 18]);
	const [refused, ...held] = outputs[1] ?? [];
	expect(refused?.json.details).toMatchObject({ http_status: 429, retryable: true });
	for (const { json } of held) {
		expect(json.error).toMatch(/^Not sent, because the service asked to wait until \d{4}-/);
		expect(json.message).toContain('Max Wait (Seconds)');
		const details = json.details as Record<string, unknown>;
		expect(details).toMatchObject({
			...{ http_status: null, code: 'rate_limited', retryable: true },
			request_id: kit.service.requests[2]?.requestId,
			retry_after_seconds: expect.any(Number) as number,
		});
		expect(details.outcome).toBeUndefined();
		expect(Date.parse(String(details.not_before)) - Date.now()).toBeGreaterThan(60_000);
	}
});

it("is waited for by n8n's Retry On Fail as well: a further try within the wait sends nothing", async () => {
	throttleThird(120);
	const run = await kit.run(CREATE, { items: textsOf(5), retryOnFail: true, maxTries: 3 });
	expect(run.timesRun).toBe(3);
	expect(kit.service.requests).toHaveLength(3);
	expect(run.error?.message).toContain('Not sent, because the service asked to wait');
	expect(run.error).toMatchObject({ failure: { cause: 'rate-limited' } });
});
