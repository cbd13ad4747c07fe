/**
 * Where a request may go: where a path leads, from where a host can be reached, the Base URL as it was
 * typed, the domains that the credential allows, and to which requests the key is added. Pure.
 */
import { InputError } from './failure';
import { isRecord, type JsonRecord } from './schemas';

/** No server takes a longer address. */
const MAX_ADDRESS_LENGTH = 8_000;

/** Nobody who means well encodes anything as often. */
const MAX_ROUNDS = 4;

/** Control characters, and bytes that are no UTF-8 but were read as a dot or slash all the same. */
const UNREADABLE = /\p{Cc}|%c[01]%|%u[\da-f]{4}/iu;

export function leadsAstray(path: string): boolean {
	if (path.length > MAX_ADDRESS_LENGTH) return true;
	let text = path;
	for (let round = 0; round < MAX_ROUNDS; round += 1) {
		if (UNREADABLE.test(text) || text.split(/[/\\]/).some(isDots)) return true;
		const decoded = decode(text);
		if (decoded === text) return false;
		text = decoded;
	}
	return true;
}

/** Stands for this folder or the one above: with parameters, or with characters that nobody sees. */
const isDots = (segment: string): boolean => {
	const [name = ''] = segment.split(';', 1);
	return /^\.+$/.test(name.replace(/[^\x21-\x7e]/g, ''));
};

const decode = (text: string): string =>
	text
		.replace(/%([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))
		// Forms of a dot or slash that some take for one.
		.normalize('NFKC');

export type Reach = 'loopback' | 'private' | 'public';

const LOOPBACK = /^(localhost|127(?:\.\d{1,3}){3}|\[::1\]|[\w.-]+\.localhost)$/i;

/**
 * Certainly this machine, so that requests to it need no encryption. Narrower than the reach
 * "loopback", which also includes addresses that may lead here and are not to be trusted.
 */
const isCertainlyLoopback = (hostname: string): boolean => LOOPBACK.test(hostname);

/** Takes a host as `URL` formats it: lower case, IPv4 as four numbers, IPv6 in brackets. */
export function reachOf(hostname: string): Reach {
	const host = hostname.toLowerCase().replace(/\.$/, '');
	if (host.startsWith('[')) return reachOfIpv6(host.slice(1, -1));
	if (/\.\d+$/.test(host)) {
		const [first, second] = host.split('.').map(Number);
		return reachOfIpv4(first, second);
	}
	if (host === 'localhost' || host.endsWith('.localhost')) return 'loopback';
	// Names without a dot, or with these endings, exist only in the local network.
	return !host.includes('.') || /\.(local|internal|intranet|lan|home\.arpa)$/.test(host)
		? 'private'
		: 'public';
}

function reachOfIpv4(a: number | undefined, b = NaN): Reach {
	// "This host" also leads to loopback.
	if (a === 127 || a === 0) return 'loopback';
	const inner =
		a === 10 ||
		(a === 172 && b >= 16 && b <= 31) ||
		(a === 192 && b === 168) ||
		(a === 169 && b === 254) ||
		(a === 100 && b >= 64 && b <= 127);
	return inner ? 'private' : 'public';
}

function reachOfIpv6(host: string): Reach {
	if (host === '::1' || host === '::') return 'loopback';
	// IPv4 within IPv6: mapped, or translated by a gateway.
	const beginning = /^(?:::ffff:|64:ff9b::)([\da-f]{1,4}):[\da-f]{1,4}$/.exec(host)?.[1];
	if (beginning !== undefined) {
		const bits = parseInt(beginning, 16);
		return reachOfIpv4(bits >> 8, bits & 255);
	}
	return /^(f[cd]|fe[89ab])/.test(host) ? 'private' : 'public';
}

/**
 * An address that came from outside, to which a file goes or from which one comes; or what is wrong
 * with it. It must be encrypted, and not lead into the network of this n8n: to this machine only if
 * the service runs here as well, as in a demonstration, and nearer than the internet only if it
 * `mayBeNear` and the service is.
 */
export function foreignAddress(
	given: string,
	{ baseUrl, mayBeNear }: { baseUrl: string; mayBeNear: boolean },
): URL | string {
	if (given.length > MAX_ADDRESS_LENGTH || !URL.canParse(given)) return 'is not a complete address';
	const url = new URL(given);
	const [reach, reachOfService] = [url, new URL(baseUrl)].map(({ hostname }) => reachOf(hostname));
	const stays = reach === 'loopback' && reachOfService === 'loopback';
	if (url.protocol !== 'https:' && !(stays && url.protocol === 'http:')) return 'is not https';
	if (url.username !== '' || url.password !== '') return 'holds a user name or password';
	const isNear = mayBeNear && reach === 'private' && reachOfService !== 'public';
	return reach === 'public' || stays || isNear ? url : 'leads into the network of this n8n';
}

/** Endpoint paths that users paste from a browser or an example call. */
const PASTED_ENDPOINT =
	/\/(me|clients|posts|lead-magnets|leads|activity|media)(?!.*\/v\d+(?:\/|$))(\/.*)?$/i;

/** Longer than any address of an API, and short enough for any expression. */
const MAX_LENGTH = 2_000;

const badBaseUrl = (problem: string): InputError =>
	new InputError(
		`The Base URL in the credential ${problem}`,
		'Open the credential and enter the address of the API v1, for example https://api.example.com/api/v1.',
	);

export function normaliseBaseUrl(value: unknown): string {
	const text = typeof value === 'string' ? value.trim() : '';
	if (text === '') throw badBaseUrl('is empty');
	if (text.length > MAX_LENGTH || !URL.canParse(text)) throw badBaseUrl('is not a valid address');
	const url = new URL(text);
	if (url.username !== '' || url.password !== '')
		throw badBaseUrl('must not contain a user name or password');
	const loopbackHttp = url.protocol === 'http:' && isCertainlyLoopback(url.hostname);
	if (url.protocol !== 'https:' && !loopbackHttp) {
		throw badBaseUrl(
			'must start with https://, because the key is sent to it (http:// is accepted for loopback only)',
		);
	}
	if (leadsAstray(url.pathname)) throw badBaseUrl('has a path that may lead to another address');
	const path = url.pathname.replace(/(?<!\/)\/+$/, '').replace(PASTED_ENDPOINT, '');
	return url.origin + path.replace(/(?<!\/)\/+$/, '');
}

/** The same normalisation as an n8n expression, for the credential test. */
export const baseUrlExpression = (value: string): string =>
	`={{ ${value}.trim().split(/[?#]/)[0].replace(/\\/+$/, '').replace(/${PASTED_ENDPOINT.source}/i, '').replace(/\\/+$/, '') }}`;

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

/** Behind a shared proxy, these would lead to another server or to another path of it. */
const ROUTING_HEADERS =
	/^(?::.*|authorization|host|forwarded|destination|x-[\w-]*(?:host|server|prefix|path|ur[il]))$/i;

const words = (text: string): ReadonlySet<string> => new Set(text.toLowerCase().split(' '));

/** What an agent may be told without a say in where it connects and whom it trusts. */
const AGENT_OPTIONS = words(
	'rejectUnauthorized keepAlive keepAliveMsecs maxSockets maxTotalSockets maxFreeSockets timeout noDelay',
);

/** Of the request itself, what decides where it connects, whom it trusts and who carries it. */
const CONNECTION_OPTIONS = words(
	'ca cert key pfx passphrase crl servername checkServerIdentity secureContext secureOptions ' +
		'secureProtocol sigalgs ciphers ecdhCurve dhparam minVersion maxVersion ALPNProtocols session ' +
		'strictSSL insecureHTTPParser socketPath socket host hostname port family localAddress lookup ' +
		'agent agents agentClass httpAgent httpsAgent dispatcher pool tunnel createConnection transport ' +
		'adapter beforeRedirect',
);

/**
 * What is known to be harmless, in the words of both of n8n's kinds of requests. Of a request with
 * the key only this is passed on: another version of n8n may know further options, which must
 * neither decide about the key nor keep all requests from being sent.
 */
const REQUEST_OPTIONS = words(
	'method url uri baseURL headers qs arrayFormat qsStringifyOptions useQuerystring body form ' +
		'formData json encoding gzip timeout abortSignal useStream returnFullResponse ' +
		'resolveWithFullResponse simple ignoreHttpStatusErrors allowedDomains auth proxy agentOptions ' +
		'rejectUnauthorized skipSslCertificateValidation disableFollowRedirect followRedirect ' +
		'followAllRedirects maxRedirects sendCredentialsOnCrossOriginRedirect',
);

/** As much of a request of n8n's as matters here: this file knows no module of n8n. */
interface UnsignedRequest {
	readonly url: string;
	readonly headers?: object;
}

interface SignedRequest {
	url: string;
	headers: { [name: string]: string };
}

/**
 * Adds the key to a request, or refuses to. n8n calls this for every node that uses the credential,
 * including the HTTP Request node, where the user chooses the URL. The key is only sent to URLs below
 * the credential's Base URL, over a verified connection, and never along a redirect; a request with
 * an unknown target gets no key.
 */
export function signRequest(
	request: UnsignedRequest,
	{ baseUrl, apiKey }: JsonRecord,
): SignedRequest {
	const base = new URL(normaliseBaseUrl(baseUrl));
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

/** n8n prefers `url` over `uri`; the unused one has to be harmless as well. */
function checkTarget({ url, uri, baseURL }: JsonRecord, base: URL): void {
	const beginning = textOf(baseURL);
	const targets = [url, uri].flatMap((address) => textOf(address) ?? []);
	if (targets.length === 0 && beginning === undefined) throw refusal('has no address', base);
	for (const target of targets.length === 0 ? [''] : targets) {
		if (target.length > MAX_ADDRESS_LENGTH) throw refusal('has too long an address', base);
		const { sent, readings } = readAddress(target, beginning, base);
		for (const reading of [sent, ...readings]) {
			if (reading.username !== '' || reading.password !== '')
				throw refusal('carries a user name or password in its address', base);
			if (reading.origin !== base.origin) throw refusal(`goes to ${reading.origin}`, base);
		}
		if (!isBelow(sent, base))
			throw refusal(`goes to another path of that host (${sent.pathname.slice(0, 60)})`, base);
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

/** The API has no URL outside its Base URL, and the host may serve other applications. */
function isBelow({ pathname }: URL, base: URL): boolean {
	const root = base.pathname.replace(/\/$/, '');
	return (pathname === root || pathname.startsWith(`${root}/`)) && !leadsAstray(pathname);
}

/** Anyone who can read the connection has the key. */
function checkConnection(given: JsonRecord, base: URL): void {
	const agentOptions = isRecord(given.agentOptions) ? given.agentOptions : {};
	const unchecked =
		given.rejectUnauthorized === false ||
		isGiven(given.skipSslCertificateValidation) ||
		agentOptions.rejectUnauthorized === false;
	if (base.protocol === 'https:' && unchecked)
		throw refusal('does not check the certificate of the host', base, NO_SSL_OPTIONS);
	if (base.protocol === 'http:' && isGiven(given.proxy))
		throw refusal('goes through a proxy without encryption', base);
	const chosen = [
		...namesIn(given).filter((name) => CONNECTION_OPTIONS.has(name)),
		...namesIn(given.agentOptions).filter((name) => !AGENT_OPTIONS.has(name)),
	];
	if (chosen.length > 0)
		throw refusal('chooses itself whom to trust, or what to connect to', base, NO_SSL_OPTIONS);
}

const namesIn = (options: unknown): string[] =>
	Object.entries(isRecord(options) ? options : {})
		.filter(([, value]) => (value ?? '') !== '')
		.map(([name]) => name.toLowerCase());

const isGiven = (value: unknown): boolean =>
	value !== undefined && value !== null && value !== '' && value !== false;

const NO_SSL_OPTIONS =
	'Switch off "SSL Certificates" and "Ignore SSL Issues" in the node. If the service has a certificate of your own authority, let this n8n trust it (NODE_EXTRA_CA_CERTS).';
const ELSEWHERE = 'Enter an address below the Base URL, or remove the credential from the node.';

const refusal = (what: string, base: URL, remedy = ELSEWHERE): InputError =>
	new InputError(
		`The API key was not sent, because this request ${what}. It is sent to the Base URL of its credential only (${base.href})`,
		remedy,
	);
