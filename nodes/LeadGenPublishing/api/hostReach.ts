/** From where a host can be reached. Pure: no name is resolved. */
import ipaddr from 'ipaddr.js';

export type Reach = 'loopback' | 'private' | 'public';

const LOOPBACK = /^(localhost|127(?:\.\d{1,3}){3}|\[::1\]|[\w.-]+\.localhost)$/i;

/**
 * Certainly this machine, so that requests to it need no encryption. Narrower than the reach
 * "loopback", which also includes addresses that may lead here and are not to be trusted.
 */
export const isCertainlyLoopback = (hostname: string): boolean => LOOPBACK.test(hostname);

/** Names without a dot, or with these endings, exist only in a local network or a cluster. */
const LOCAL_ENDINGS = [
	'.local',
	'.localdomain',
	'.internal',
	'.intranet',
	'.lan',
	'.home.arpa',
	'.svc',
];

/** Takes a host as `URL` formats it: lower case, IPv4 as four numbers, IPv6 in brackets. */
export function reachOf(hostname: string): Reach {
	const host = hostname.toLowerCase().replace(/\.$/, '');
	const address = host.replace(/^\[|\]$/g, '');
	if (ipaddr.isValid(address)) return reachOfAddress(ipaddr.parse(address));
	if (host === 'localhost' || host.endsWith('.localhost')) return 'loopback';
	const isLocal = !host.includes('.') || LOCAL_ENDINGS.some((ending) => host.endsWith(ending));
	return isLocal ? 'private' : 'public';
}

/** The only IPv6 range that is assigned for the internet. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Public is only what the library calls unicast. Its list covers the addresses that n8n's own
 * protection blocks by default, and more: multicast, reserved ranges, and tunnels to IPv4.
 */
function reachOfAddress(address: ipaddr.IPv4 | ipaddr.IPv6): Reach {
	const range = address.range();
	// "This host" also leads to loopback, as the whole of 0.0.0.0/8 may.
	if (range === 'loopback' || range === 'unspecified') return 'loopback';
	if (address instanceof ipaddr.IPv4) return range === 'unicast' ? 'public' : 'private';
	if (range === 'ipv4Mapped') return reachOfAddress(address.toIPv4Address());
	if (range === 'unicast' && address.match(GLOBAL_UNICAST)) return 'public';
	return leadsToLoopback(address) ? 'loopback' : 'private';
}

/** NAT64, and an old form of an address (::127.0.0.1): the last four bytes say where they lead. */
const HOLDS_IPV4 = [ipaddr.IPv6.parseCIDR('64:ff9b::/96'), ipaddr.IPv6.parseCIDR('::/96')];

function leadsToLoopback(address: ipaddr.IPv6): boolean {
	if (!HOLDS_IPV4.some((range) => address.match(range))) return false;
	return reachOfAddress(new ipaddr.IPv4(address.toByteArray().slice(-4))) === 'loopback';
}
