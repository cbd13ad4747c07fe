/**
 * Whether n8n lets a node reach its own network. One request goes to a port on which hardly anything
 * ever listens; it carries no key.
 */
import { BLOCKED } from '../../api/networkFailure';
import { transmit, type HttpFunctions } from '../../api/transport';
import type { ConnectionFacts } from '../facts';
import type { Requests } from './requests';

const OWN_NETWORK = 'http://localhost:9/';
const TIMEOUT_MS = 3_000;

export async function tryOwnNetwork(
	functions: HttpFunctions,
	requests: Requests,
): Promise<ConnectionFacts['ownNetwork']> {
	if (!requests.take()) return undefined;
	const limits = { withKey: false, timeoutMs: TIMEOUT_MS, secrets: [] };
	const request = { method: 'GET', url: OWN_NETWORK } as const;
	try {
		const came = await transmit(functions, request, limits);
		return 'seen' in came && came.seen === BLOCKED ? 'blocked' : 'open';
	} catch {
		return requests.isCanceled ? undefined : 'open';
	}
}
