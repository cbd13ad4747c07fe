/** Decides which requests get the key. Pure. */
import { normaliseBaseUrl } from './baseUrl';
import { CredentialError, type WithheldKey } from './credentialError';
import { isMisleading, MAX_URL_LENGTH } from './misleadingPath';
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

/** Behind a shared proxy, these could lead to another server or to another path. */
const ROUTING_HEADERS =
	/^(?::.*|authorization|host|forwarded|destination|x-[\w-]*(?:host|server|prefix|path|ur[il]))$/i;

const setOf = (text: string): ReadonlySet<string> => new Set(text.toLowerCase().split(' '));

/** Options of an HTTP agent that do not decide where it connects and whom it trusts. */
const AGENT_OPTIONS = setOf(
	'rejectUnauthorized keepAlive keepAliveMsecs maxSockets maxTotalSockets maxFreeSockets timeout noDelay',
);

/** Options of a request that decide where it connects, whom it trusts and which proxy it uses. */
const CONNECTION_OPTIONS = setOf(
	'ca cert key pfx passphrase crl servername checkServerIdentity secureContext secureOptions ' +
		'secureProtocol sigalgs ciphers ecdhCurve dhparam minVersion maxVersion ALPNProtocols session ' +
		'strictSSL insecureHTTPParser socketPath socket host hostname port family localAddress lookup ' +
		'agent agents agentClass httpAgent httpsAgent dispatcher pool tunnel createConnection transport ' +
		'adapter beforeRedirect',
);

/**
 * Options known to be harmless, in both of n8n's request formats. A request with the key keeps only
 * these. Another version of n8n may add an option: dropping it means that it can neither redirect
 * the key nor block all requests.
 */
const REQUEST_OPTIONS = setOf(
	'method url uri baseURL headers qs arrayFormat qsStringifyOptions useQuerystring body form ' +
		'formData json encoding gzip timeout abortSignal useStream returnFullResponse ' +
		'resolveWithFullResponse simple ignoreHttpStatusErrors allowedDomains auth proxy agentOptions ' +
		'rejectUnauthorized skipSslCertificateValidation disableFollowRedirect followRedirect ' +
		'followAllRedirects maxRedirects sendCredentialsOnCrossOriginRedirect',
);

/** The part of n8n's request that matters here. This file does not import n8n. */
interface UnsignedRequest {
	readonly url: string;
	readonly headers?: object;
}

interface SignedRequest {
	url: string;
	headers: { [name: string]: string };
}

/**
 * Adds the key to a request, or rejects the request. n8n calls this for every node that uses the
 * credential, including the HTTP Request node, where the user chooses the URL. The key is only sent
 * to URLs under the credential's Base URL, over a verified connection, and never to the
 * target of a redirect. A request with an unknown target gets no key.
 */
export function signRequest(
	request: UnsignedRequest,
	{ baseUrl, apiKey }: JsonRecord,
): SignedRequest {
	const base = parsedBaseUrl(baseUrl);
	const given: JsonRecord = { ...request };
	checkTarget(given, base);
	checkConnection(given, base);
	const key = typeof apiKey === 'string' ? apiKey.trim() : '';
	const others = Object.entries<string>({ ...request.headers }).filter(
		([name]) => !ROUTING_HEADERS.test(name),
	);
	const headers = { ...Object.fromEntries(others), Authorization: `Bearer ${key}` };
	const known = Object.entries(request).filter(([name]) => REQUEST_OPTIONS.has(name.toLowerCase()));
	return { url: request.url, ...Object.fromEntries(known), ...NO_REDIRECT, headers };
}

/** The last Base URL is cached, because a run signs all of its requests with one credential. */
let lastBase: { readonly given: unknown; readonly url: URL } | undefined;

function parsedBaseUrl(given: unknown): URL {
	if (lastBase !== undefined && lastBase.given === given) return lastBase.url;
	const url = new URL(normaliseBaseUrl(given));
	lastBase = { given, url };
	return url;
}

/** n8n prefers `url` to `uri`. The unused one has to be harmless as well. */
function checkTarget({ url, uri, baseURL }: JsonRecord, base: URL): void {
	const beginning = textOf(baseURL);
	const targets = [url, uri].flatMap((address) => textOf(address) ?? []);
	if (targets.length === 0 && beginning === undefined) throw withheld({ kind: 'noUrl' }, base);
	for (const target of targets.length === 0 ? [''] : targets) {
		if (target.length > MAX_URL_LENGTH) throw withheld({ kind: 'tooLong' }, base);
		const { sent, readings } = readAddress(target, beginning, base);
		for (const reading of [sent, ...readings]) {
			if (reading.username !== '' || reading.password !== '')
				throw withheld({ kind: 'holdsLogin' }, base);
			const { origin } = reading;
			if (origin !== base.origin) throw withheld({ kind: 'otherHost', origin }, base);
		}
		if (!isBelow(sent, base))
			throw withheld({ kind: 'otherPath', path: sent.pathname.slice(0, 60) }, base);
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
		try {
			return new URL(text, before);
		} catch {
			throw withheld({ kind: 'incomplete' }, base);
		}
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

/** The API has no URL outside its Base URL, and the host may serve other applications. */
function isBelow({ pathname }: URL, base: URL): boolean {
	const root = base.pathname.replace(/\/$/, '');
	return (pathname === root || pathname.startsWith(`${root}/`)) && !isMisleading(pathname);
}

/** Anyone who can read the connection has the key. */
function checkConnection(given: JsonRecord, base: URL): void {
	const agentOptions = isRecord(given.agentOptions) ? given.agentOptions : {};
	const unchecked =
		given.rejectUnauthorized === false ||
		isGiven(given.skipSslCertificateValidation) ||
		agentOptions.rejectUnauthorized === false;
	if (base.protocol === 'https:' && unchecked) throw withheld({ kind: 'unverified' }, base);
	if (base.protocol === 'http:' && isGiven(given.proxy))
		throw withheld({ kind: 'plainProxy' }, base);
	const chosen = [
		...namesIn(given).filter((name) => CONNECTION_OPTIONS.has(name)),
		...namesIn(given.agentOptions).filter((name) => !AGENT_OPTIONS.has(name)),
	];
	if (chosen.length > 0) throw withheld({ kind: 'ownConnection' }, base);
}

const namesIn = (options: unknown): string[] =>
	isRecord(options)
		? Object.keys(options)
				.filter((name) => (options[name] ?? '') !== '')
				.map((name) => name.toLowerCase())
		: [];

const isGiven = (value: unknown): boolean =>
	value !== undefined && value !== null && value !== '' && value !== false;

const withheld = (why: WithheldKey, base: URL): CredentialError =>
	new CredentialError({ kind: 'keyWithheld', why, baseUrl: base.href });
