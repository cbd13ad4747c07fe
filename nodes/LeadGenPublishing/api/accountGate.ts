/** Names the throttle gate that a request has to pass. Each account of a key has its own. Pure. */
import { endpoint, type Account, type EndpointName } from './endpoints';
import { canonicalId } from './identifiers';

export const gateOfAccount = (account: Account): string =>
	account.kind === 'client' ? `client ${canonicalId(account.clientId)}` : 'own';

/** Reads that belong to no account, such as the list of clients, share a gate of their own. */
export function gateOf(name: EndpointName, account: Account): string {
	const { agency, method } = endpoint(name);
	return agency || method !== 'GET' ? gateOfAccount(account) : 'no account';
}
