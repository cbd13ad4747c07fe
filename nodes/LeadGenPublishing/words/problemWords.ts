/** What came instead of a readable response, in words. */
import type { Problem } from '../api/problems';

export const PROBLEM_WORDS: Readonly<Record<Problem, string>> = {
	addressUnavailable: 'this machine has no free local address or port',
	certificateRejected: 'the TLS certificate was not accepted',
	connectionRefused: 'connection refused',
	connectionReset: 'connection reset',
	cutOff: 'JSON that is truncated or damaged',
	damagedResponse: 'damaged response',
	dataIsNoList: 'JSON whose "data" is not a list',
	dataIsNoObject: 'JSON whose "data" is not an object',
	empty: 'an empty response',
	holdsLogin: 'contains a user name or password',
	hostNotFound: 'host name not found',
	hostNotResolved: 'host name not resolved',
	inOwnNetwork: "points into n8n's own network",
	incomplete: 'is not a complete URL',
	invalidList: 'a list without valid "pagination", or with entries that are not objects',
	lost: 'connection lost',
	networkUnreachable: 'network not reachable',
	noData: 'JSON without "data"',
	noEnvelope: 'no "error" object in the response',
	noObject: 'JSON, but not an object',
	noTls: 'no TLS at this URL',
	notHttps: 'is not https',
	notConnected: 'the connection could not be opened',
	notPermitted: 'this machine does not permit the connection',
	ssrfProtection: 'blocked by the SSRF protection of n8n',
	text: 'text that is not JSON',
	timedOut: 'timed out',
	tlsFailed: 'the TLS connection failed',
	tooDeep: 'JSON that is nested too deeply',
	tooLarge: 'a response that is too large',
	tooManyConnections: 'this machine cannot open any more connections',
	undecodable: 'a response that cannot be decoded',
	webPage: 'a web page (HTML)',
};

/** What was seen, in our words, or else as it was quoted. Undefined if nothing is known. */
export function seenWords({ problem, seen }: { problem?: Problem; seen?: string }) {
	if (problem === undefined) return seen;
	const known = PROBLEM_WORDS[problem];
	return seen === undefined ? known : `${known}: ${seen}`;
}
