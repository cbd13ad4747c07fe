import { LeadGenPublishingApi } from '../../credentials/LeadGenPublishingApi.credentials';
import { normaliseBaseUrl } from '../../nodes/LeadGenPublishing/api/addresses';
import { etagOf } from '../../nodes/LeadGenPublishing/operations/post/published/state';

const credentials = { baseUrl: 'https://api.example.com/api/v1', apiKey: 'svc_live_secret' };
const asked = async (url: string, baseURL?: string) =>
	await new LeadGenPublishingApi().authenticate(credentials, { url, baseURL });

it.each([
	['https://api.example.com/api/v1/me', undefined],
	['/me', 'https://api.example.com/api/v1'],
])('the key goes along to %s', async (url, baseURL) => {
	const { headers } = await asked(url, baseURL);
	expect(headers?.Authorization).toBe('Bearer svc_live_secret');
});

it.each([
	['https://evil.example.com/me', undefined],
	['http://api.example.com/api/v1/me', undefined],
	['https://api.example.com:8443/me', undefined],
	['/me', 'https://evil.example.com'],
	['https://evil.example.com/me', 'https://api.example.com/api/v1'],
])('the key never goes to %s', async (url, baseURL) => {
	await expect(asked(url, baseURL)).rejects.toThrow('Base URL of its credential only');
});

it.each([
	['https://example.com/media/api/v1', 'https://example.com/media/api/v1'],
	['https://example.com/leads/v1/', 'https://example.com/leads/v1'],
	['https://example.com/leads/v1/posts/7', 'https://example.com/leads/v1'],
])('a base address like %s keeps its own path', (given, expected) => {
	expect(normaliseBaseUrl(given)).toBe(expected);
});

it('the etag for an edit is told from one for a deletion', () => {
	const capabilities = { delete_etag: 'd', edit_etag: 'e' };
	expect(etagOf({ published_mutation_capabilities: capabilities })).toBe('e');
	expect(etagOf({ published_mutation_capabilities: { delete_etag: 'd' }, etag: 'p' })).toBe('p');
});
