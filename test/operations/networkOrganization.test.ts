import { setUpKit } from '../support/kit/index';

const kit = setUpKit();
const refresh = (parameters: Record<string, unknown> = {}) => ({
	resource: 'networkOrganization',
	operation: 'refresh',
	...parameters,
});

// A lead tells what the network is called; vendorWords.test.ts is about refreshing without it.
beforeEach(async () => {
	await kit.run({ resource: 'lead', operation: 'getAll', limit: 1 });
	kit.service.clearLog();
	for (const account of kit.service.world.accounts.values()) account.refreshedAt = null;
});

it('sends the body that the user writes', async () => {
	await kit.item(refresh({ body: '{"a": 1, "b": null}' }));
	expect(kit.service.requests[0]?.json).toEqual({ a: 1, b: null });
});

it('refuses a body that is no object before anything is sent', async () => {
	const { error } = await kit.failure(refresh({ body: '[1]' }));
	expect(error).toMatch(/"Body" must be a JSON object/);
	expect(kit.service.requests).toHaveLength(0);
});

describe('when it is throttled', () => {
	it('gives up at once when the service asks for more time than there is', async () => {
		await kit.item(refresh());
		kit.service.clearLog();
		const { error, details } = await kit.failure(refresh({ options: { maxWaitSeconds: 2 } }));
		expect(error).toMatch(/asks to slow down.*Retry after \d+ s/);
		expect(details).toMatchObject({ http_status: 429, reason: 'rate_limited', retryable: true });
		expect(details.retry_after_seconds).toBeGreaterThan(30);
		expect(kit.service.requests).toHaveLength(1);
	});
});
