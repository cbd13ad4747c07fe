/** Which gate a request has to pass: one for each account, among those of its key. Pure. */
import { endpoint, type Account, type EndpointName } from './endpoints';
import { canonicalId } from './identifiers';

/** The gate of an account, among those of its key. */
export const gateOfAccount = (account: Account): string =>
	account.kind === 'client' ? `client ${canonicalId(account.clientId)}` : 'own';

/** Reads that are about no account, such as the list of clients, have a gate of their own. */
export function gateOf(name: EndpointName, account: Account): string {
	const { agency, method } = endpoint(name);
	return agency || method !== 'GET' ? gateOfAccount(account) : 'no account';
}
