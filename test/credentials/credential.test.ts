/** What n8n says when a credential is tested. */
import { LeadGenPublishingApi } from '../../credentials/LeadGenPublishingApi.credentials';
import { setUpKit } from '../support/kit/index';
import { testCredential } from '../support/engine';

const kit = setUpKit();
const tested = async (more: Record<string, unknown> = {}) =>
	await testCredential({
		credentialType: LeadGenPublishingApi,
		credentials: {
			baseUrl: kit.service.baseUrl,
			apiKey: kit.service.world.keys.own,
			...more,
		},
	});

describe('testing the credential', () => {
	it('accepts a good key with one request to /me', async () => {
		expect(await tested()).toEqual({ status: 'OK', message: 'Connection successful!' });
		expect(kit.sent()).toEqual(['GET /me']);
	});

	it('refuses an unknown and a revoked key in words', async () => {
		const { unknown, revoked } = kit.service.world.keys;
		for (const apiKey of [unknown, revoked, 'nonsense']) {
			const { status, message } = await tested({ apiKey });
			expect(status).toBe('Error');
			expect(message).toContain('The API key was not accepted');
			expect(message).not.toContain(apiKey);
		}
	});

	const NOT_API = 'not with the API';

	it.each([
		...([301, 302, 303, 307, 308] as const).map(
			(status) => [`redirect ${status}`, { kind: 'redirect', status }, 'URL redirects'] as const,
		),
		...[200, 404, 405].map(
			(status) => [`page ${status}`, { kind: 'html', status }, NOT_API] as const,
		),
		['page 504', { kind: 'html', status: 504 }, "service's gateway"],
		['error 502', { kind: 'error', status: 502 }, "service's gateway"],
		['error 503', { kind: 'error', status: 503 }, 'not available at the moment'],
		['error 403', { kind: 'error', status: 403 }, 'does not allow its use'],
		['error 429', { kind: 'error', status: 429 }, 'slow down'],
		['error 500', { kind: 'error', status: 500 }, 'failed unexpectedly'],
		['JSON of something else', { kind: 'raw', status: 200, body: '{"ok":1}' }, NOT_API],
	] as const)('tells %s as what it is', async (_, effect, words) => {
		kit.service.faults.add(effect, { count: Infinity });
		const { status, message } = await tested();
		expect({ status, message }).toEqual({
			status: 'Error',
			message: expect.stringContaining(words) as string,
		});
		expect(kit.service.redirected).toEqual([]);
	});

	it('fails where nothing answers', async () => {
		expect(await tested({ baseUrl: 'http://127.0.0.1:9/v1' })).toMatchObject({ status: 'Error' });
	});

	it.each([
		...['', '   ', 'api.example.com/v1', 'ftp://api.example.com'].map((baseUrl) => [baseUrl, '']),
		// A proxy would get to see the key.
		['http://api.example.com/v1', 'must start with https://'],
	])('fails for the address %p before anything is sent', async (baseUrl, words) => {
		const { status, message } = await tested({ baseUrl });
		expect([status, message]).toEqual(['Error', expect.stringContaining(words ?? '')]);
		expect(kit.service.requests).toEqual([]);
	});
});
