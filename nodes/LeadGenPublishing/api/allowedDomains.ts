/**
 * The credential's "Allowed Domains", which n8n enforces for its own generic nodes: our requests
 * honour them too, and say so before anything is sent. Pure.
 */
import { InputError } from './failure';
import type { JsonRecord } from './schemas';

const REMEDY =
	'Open the credential and add the host of the Base URL to "Allowed Domains", or set "Allowed HTTP Request Domains" to "All".';

/** The list to hand to n8n's HTTP helper as well; undefined when there is no restriction. */
export function allowedDomainsFor(baseUrl: string, credential: JsonRecord): string | undefined {
	// "None" keeps the credential out of generic HTTP nodes; our own requests are what it is for.
	if (credential.allowedHttpRequestDomains !== 'domains') return undefined;
	const domains =
		typeof credential.allowedDomains === 'string' ? credential.allowedDomains.trim() : '';
	if (domains === '')
		throw new InputError('The credential allows "Specific Domains", but lists none', REMEDY);
	const { hostname } = new URL(baseUrl);
	if (!domains.split(',').some((pattern) => matches(hostname, pattern.trim().toLowerCase()))) {
		throw new InputError(`The credential does not allow requests to ${hostname}`, REMEDY);
	}
	return domains;
}

/** As n8n's HTTP helper decides, which is asked with the same list: a lone `*` is no pattern. */
const matches = (host: string, pattern: string): boolean =>
	pattern.startsWith('*.') ? host.endsWith(pattern.slice(1)) : host === pattern;
