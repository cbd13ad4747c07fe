/**
 * Addresses as people and services write them: where a path leads, from where a host can be reached,
 * the Base URL as it was typed, and the domains that the credential allows. Pure.
 */
import { InputError } from './failure';
import type { JsonRecord } from './schemas';

/** No server takes a longer address. */
export const MAX_ADDRESS_LENGTH = 8_000;

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

/** A segment that stands for this folder or the one above, with or without parameters. */
const isDots = (segment: string): boolean => /^\s*\.+\s*(?:;|$)/.test(segment);

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

/** Endpoint paths that users paste from a browser or an example call. */
const PASTED_ENDPOINT =
	/\/(me|clients|posts|lead-magnets|leads|activity|media)(?!.*\/v\d+(?:\/|$))(\/.*)?$/i;

/** Longer than any address of an API, and short enough for any expression. */
const MAX_LENGTH = 2_000;

const REMEDY =
	'Open the credential and enter the address of the API v1, for example https://api.example.com/api/v1.';

export function normaliseBaseUrl(value: unknown): string {
	const text = typeof value === 'string' ? value.trim() : '';
	if (text === '') throw new InputError('The Base URL in the credential is empty', REMEDY);
	if (text.length > MAX_LENGTH || !URL.canParse(text))
		throw new InputError('The Base URL in the credential is not a valid address', REMEDY);
	const url = new URL(text);
	if (url.username !== '' || url.password !== '') {
		throw new InputError(
			'The Base URL in the credential must not contain a user name or password',
			REMEDY,
		);
	}
	const loopbackHttp = url.protocol === 'http:' && isCertainlyLoopback(url.hostname);
	if (url.protocol !== 'https:' && !loopbackHttp) {
		throw new InputError(
			'The Base URL in the credential must start with https://, because the key is sent to it (http:// is accepted for loopback only)',
			REMEDY,
		);
	}
	if (leadsAstray(url.pathname))
		throw new InputError(
			'The Base URL in the credential has a path that may lead to another address',
			REMEDY,
		);
	const path = url.pathname.replace(/\/+$/, '').replace(PASTED_ENDPOINT, '');
	return url.origin + path.replace(/\/+$/, '');
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
