/**
 * Adds the key to a request, or refuses it. n8n signs with it whatever a node is about to send, the
 * HTTP Request node included, which lets whoever may use a credential choose the address. The key
 * goes below the Base URL of its credential, over a connection that is what it claims to be, and
 * along no redirect; a request whose target is not known gets none. Pure.
 */
import type { IHttpRequestOptions } from 'n8n-workflow';

import { normaliseBaseUrl } from './baseUrl';
import { InputError } from './failure';
import { isRecord, type JsonRecord } from './schemas';

/**
 * The HTTP Request node sends n8n's older kind of request, and each kind has words of its own.
 * `sendCredentialsOnCrossOriginRedirect: false` alone would not do: it leaves the header to
 * follow-redirects, which keeps it for subdomains.
 */
const NO_REDIRECT = {
	disableFollowRedirect: true,
	followRedirect: false,
	followAllRedirects: false,
	maxRedirects: 0,
	sendCredentialsOnCrossOriginRedirect: false,
} as const;

/** Behind a shared front, a `Host` of the request's own would lead to somebody else's server. */
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

/** n8n takes `url` before `uri`; an address that is not used has to be harmless all the same. */
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

/** Absolute for the HTTP client behind n8n, which puts everything else behind the base address. */
const ABSOLUTE = /^([a-z][a-z\d+\-.]*:)?\/\//i;

/**
 * What is sent, and every other way to read the same address: parts of n8n read it as a browser
 * does, where tabs, backslashes and a missing slash make a host of what looks like a path.
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
 * The API has no address outside of its Base URL, and a host may serve others beside it. Servers
 * differ in whether an encoded slash parts a path, so both readings have to be below.
 */
const isBelow = ({ pathname }: URL, base: URL): boolean =>
	begins(pathname, base.pathname) && begins(plainPath(pathname), plainPath(base.pathname));

function begins(path: string, base: string): boolean {
	const root = base.replace(/\/$/, '');
	return path === root || path.startsWith(`${root}/`);
}

const plainPath = (path: string): string =>
	new URL(`https://host${path.replace(/%2f|%5c/gi, '/')}`).pathname;

/** Whoever looks into the connection has the key. */
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
