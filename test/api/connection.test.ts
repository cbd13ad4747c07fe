/** What the credential says of the connection. */
import { readConnection } from '../../nodes/LeadGenPublishing/api/connection';
import type { HttpFunctions } from '../../nodes/LeadGenPublishing/api/transport';

const connection = async (credential: Record<string, unknown>) =>
	await readConnection({
		getCredentials: async (name: string) =>
			await Promise.resolve({ baseUrl: 'https://api.example.com/v1/', of: name, ...credential }),
	} as unknown as HttpFunctions);

it('has the key as the secret of every error, without what was pasted along', async () => {
	expect(await connection({ apiKey: ' acme_live_0000\n' })).toMatchObject({
		...{ baseUrl: 'https://api.example.com/v1', secrets: ['acme_live_0000'] },
		words: { names: { postEtagHeader: 'X-Acme-Post-ETag' } },
	});
});

it.each([undefined, null, '', '  ', 7])('has no secret where the key is %p', async (apiKey) => {
	expect((await connection({ apiKey })).secrets).toEqual([]);
});

it('goes to the domains that the credential allows', async () => {
	expect((await connection({ apiKey: 'k' })).allowedDomains).toBeUndefined();
	const restricted = { allowedHttpRequestDomains: 'domains', allowedDomains: '*.example.com' };
	expect((await connection({ apiKey: 'k', ...restricted })).allowedDomains).toBe('*.example.com');
});
