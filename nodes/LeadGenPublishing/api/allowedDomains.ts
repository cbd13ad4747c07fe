/** The domains that the credential allows. Pure. */
import { CredentialError } from './credentialError';
import type { JsonRecord } from './schemas';

/** The list for n8n's HTTP helper; undefined if there is no restriction. */
export function allowedDomainsFor(baseUrl: string, credential: JsonRecord): string | undefined {
	// "None" only keeps the credential out of generic HTTP nodes.
	if (credential.allowedHttpRequestDomains !== 'domains') return undefined;
	const domains =
		typeof credential.allowedDomains === 'string' ? credential.allowedDomains.trim() : '';
	if (domains === '') throw new CredentialError({ kind: 'noDomains' });
	const { hostname: host } = new URL(baseUrl);
	if (!domains.split(',').some((pattern) => matches(host, pattern.trim().toLowerCase())))
		throw new CredentialError({ kind: 'otherDomain', host });
	return domains;
}

/** Matches like n8n's HTTP helper, which gets the same list: a lone `*` is not a pattern. */
const matches = (host: string, pattern: string): boolean =>
	pattern.startsWith('*.') ? host.endsWith(pattern.slice(1)) : host === pattern;
