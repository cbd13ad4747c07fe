/**
 * Adds the key to a request, or refuses to. n8n calls this for every node that uses the credential,
 * including the HTTP Request node, where the user chooses the URL. The key is only sent to URLs below
 * the credential's Base URL, over a verified connection, and never along a redirect; a request with
 * an unknown target gets no key. Pure.
 */
import type { IHttpRequestOptions } from 'n8n-workflow';

import { normaliseBaseUrl } from './baseUrl';
import { InputError } from './failure';
import { isRecord, type JsonRecord } from './schemas';

/**
 * The HTTP Request node uses n8n's older request options, which have other names.
 * `sendCredentialsOnCrossOriginRedirect: false` alone is not enough: follow-redirects keeps the
 * header for subdomains.
 */
const NO_REDIRECT = {
	disableFollowRedirect: true,
	followRedirect: false,
	followAllRedirects: false,
	maxRedirects: 0,
	sendCredentialsOnCrossOriginRedirect: false,
} as const;

/** Behind a shared proxy, a custom `Host` header would lead to another server. */
const REPLACED = new Set(['authorization', 'host']);

export function signRequest(
	request: IHttpRequestOptions,
	{ baseUrl, apiKey }: JsonRecord,
): IHttpRequestOptions {
	const base = new URL(normaliseBaseUrl(baseUrl));
	const given: JsonRecord = { ...request };
	checkTarget(given, base);
	checkConnection(given, base);
	const key = typeof apiKey === 'string' ? apiKey.trim() : '';
	const others = Object.entries({ ...request.headers }).filter(
		([name]) => !REPLACED.has(name.toLowerCase()),
	);
	const headers = { ...Object.fromEntries(others), Authorization: `Bearer ${key}` };
	return { ...request, ...NO_REDIRECT, headers };
}

/** n8n prefers `url` over `uri`; the unused one has to be harmless as well. */
function checkTarget({ url, uri, baseURL }: JsonRecord, base: URL): void {
	const beginning = textOf(baseURL);
	const targets = [url, uri].flatMap((address) => textOf(address) ?? []);
	if (targets.length === 0 && beginning === undefined) throw refusal('has no address', base);
	for (const target of targets.length === 0 ? [''] : targets) {
		const { sent, readings } = readAddress(target, beginning, base);
		for (const reading of [sent, ...readings]) {
			if (reading.username !== '' || reading.password !== '')
				throw refusal('carries a user name or password in its address', base);
			if (reading.origin !== base.origin) throw refusal(`goes to ${reading.origin}`, base);
		}
		if (!isBelow(sent, base))
			throw refusal(`goes to another path of that host (${sent.pathname})`, base);
	}
}

/** What n8n's HTTP client treats as absolute; it appends anything else to the base URL. */
const ABSOLUTE = /^([a-z][a-z\d+\-.]*:)?\/\//i;

/**
 * Checks the URL as sent and in its other readings: parts of n8n parse URLs like a browser, where
 * tabs, backslashes and a missing slash can turn a path into a host.
 */
function readAddress(
	target: string,
	beginning: string | undefined,
	base: URL,
): { sent: URL; readings: URL[] } {
	const parse = (text: string, before?: string): URL => {
		if (!URL.canParse(text, before)) throw refusal('has no complete address', base);
		return new URL(text, before);
	};
	if (beginning === undefined) return { sent: parse(target), readings: [] };
	const joined =
		target === '' ? beginning : `${beginning.replace(/\/?\/$/, '')}/${target.replace(/^\/+/, '')}`;
	return {
		sent: parse(ABSOLUTE.test(target) ? target : joined),
		readings: [parse(target, beginning), ...(URL.canParse(target) ? [new URL(target)] : [])],
	};
}

function textOf(address: unknown): string | undefined {
	if (address === undefined || address === null) return undefined;
	return address instanceof URL ? address.href : String(address);
}

/**
 * The API has no URL outside its Base URL, and the host may serve other applications. Servers differ
 * in whether an encoded slash separates path segments, so both readings have to be below.
 */
const isBelow = ({ pathname }: URL, base: URL): boolean =>
	begins(pathname, base.pathname) && begins(plainPath(pathname), plainPath(base.pathname));

function begins(path: string, base: string): boolean {
	const root = base.replace(/\/$/, '');
	return path === root || path.startsWith(`${root}/`);
}

const plainPath = (path: string): string =>
	new URL(`https://host${path.replace(/%2f|%5c/gi, '/')}`).pathname;

/** Anyone who can read the connection has the key. */
function checkConnection(given: JsonRecord, base: URL): void {
	const { agentOptions } = given;
	const unchecked =
		given.rejectUnauthorized === false ||
		given.skipSslCertificateValidation === true ||
		(isRecord(agentOptions) && agentOptions.rejectUnauthorized === false);
	if (base.protocol === 'https:' && unchecked)
		throw refusal('does not check the certificate of the host ("Ignore SSL Issues")', base);
	if (base.protocol === 'http:' && Boolean(given.proxy))
		throw refusal('goes through a proxy without encryption', base);
}

const refusal = (what: string, base: URL): InputError =>
	new InputError(
		`The API key was not sent, because this request ${what}. It is sent to the Base URL of its credential only (${base.href})`,
		'Enter an address below the Base URL, or remove the credential from the node.',
	);
