/** The domains that the credential allows. Pure. */
import { InputError } from './failure';
import type { JsonRecord } from './schemas';

const ALLOW_IT =
	'Open the credential and add the host of the Base URL to "Allowed Domains", or set "Allowed HTTP Request Domains" to "All".';

/** The list for n8n's HTTP helper; undefined if there is no restriction. */
export function allowedDomainsFor(baseUrl: string, credential: JsonRecord): string | undefined {
	// "None" only keeps the credential out of generic HTTP nodes.
	if (credential.allowedHttpRequestDomains !== 'domains') return undefined;
	const domains =
		typeof credential.allowedDomains === 'string' ? credential.allowedDomains.trim() : '';
	if (domains === '')
		throw new InputError('The credential allows "Specific Domains", but lists none', ALLOW_IT);
	const { hostname } = new URL(baseUrl);
	if (!domains.split(',').some((pattern) => matches(hostname, pattern.trim().toLowerCase()))) {
		throw new InputError(`The credential does not allow requests to ${hostname}`, ALLOW_IT);
	}
	return domains;
}

/** Matches like n8n's HTTP helper, which gets the same list: a lone `*` is not a pattern. */
const matches = (host: string, pattern: string): boolean =>
	pattern.startsWith('*.') ? host.endsWith(pattern.slice(1)) : host === pattern;
