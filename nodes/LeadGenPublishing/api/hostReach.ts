/**
 * Classifies from where a host can be reached, judging by its name: hosts that only resolve to a
 * private address by DNS are left to n8n's SSRF protection. Pure.
 */
export type Reach = 'loopback' | 'private' | 'public';

const LOOPBACK = /^(localhost|127(?:\.\d{1,3}){3}|\[::1\]|[\w.-]+\.localhost)$/i;

/**
 * Certainly this machine, so that requests to it need no encryption. Narrower than the reach
 * "loopback", which also includes addresses that may lead here and are not to be trusted.
 */
export const isCertainlyLoopback = (hostname: string): boolean => LOOPBACK.test(hostname);

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
