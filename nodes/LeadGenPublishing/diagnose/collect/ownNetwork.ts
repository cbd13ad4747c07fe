/**
 * Whether n8n lets a node reach its own network. One request goes to a port on which hardly anything
 * ever listens; it carries no key.
 */
import type { HttpFunctions } from '../../api/transport';
import type { ConnectionFacts } from '../facts';
import type { Requests } from './requests';
import { statusFrom } from './statusFrom';

const OWN_NETWORK = 'http://localhost:9/';
const TIMEOUT_MS = 3_000;

export async function tryOwnNetwork(
	functions: HttpFunctions,
	requests: Requests,
): Promise<ConnectionFacts['ownNetwork']> {
	if (!requests.take()) return undefined;
	const came = await statusFrom(functions, OWN_NETWORK, TIMEOUT_MS);
	return typeof came !== 'number' && came.problem === 'ssrfProtection' ? 'blocked' : 'open';
}
