/**
 * Builds method and path from an endpoint, an account and path parameters. Pure. A missing parameter
 * is an error, never an empty path segment: `/posts/` would be another endpoint.
 */
import { AGENCY_PREFIX, endpoint, type EndpointName, type Method } from './endpoints';
import { leadsAstray } from './addresses';

export type Account =
	{ readonly kind: 'own' } | { readonly kind: 'client'; readonly clientId: string };
export const OWN_ACCOUNT: Account = { kind: 'own' };

export interface Route {
	readonly method: Method;
	readonly path: string;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
export const isUuid = (value: string): boolean => UUID.test(value);

/** An ID in any spelling is one ID: whatever is sent, remembered or compared has it in small letters. */
export const canonicalId = (id: string): string => {
	const text = id.trim();
	return isUuid(text) ? text.toLowerCase() : text;
};

export class RouteError extends Error {}

export function routeOf(
	name: EndpointName,
	{
		account = OWN_ACCOUNT,
		params = {},
	}: { account?: Account; params?: Record<string, string> } = {},
): Route {
	const { method, path, agency, task } = endpoint(name);
	if (account.kind === 'client' && !agency) {
		throw new RouteError(`"${task}" does not exist for a client's account`);
	}
	const template = account.kind === 'client' ? AGENCY_PREFIX + path : path;
	const values: Record<string, string> =
		account.kind === 'client' ? { ...params, clientId: account.clientId } : params;
	return {
		method,
		path: template.replace(/\{(\w+)\}/g, (_, part: string) => fill(part, values[part])),
	};
}

function fill(part: string, value: string | undefined): string {
	const text = value?.trim() ?? '';
	if (text === '') throw new RouteError(`The address needs "${part}", but it is empty`);
	if (leadsAstray(text)) throw new RouteError(`"${text.slice(0, 60)}" cannot be used as "${part}"`);
	return encodeURIComponent(canonicalId(text));
}
