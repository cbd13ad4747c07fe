// A row of the table of 4.1, and what serves it.

import type { Handler, ListHandler } from './call';
import type { Scope } from './types';

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** One record, or a page of a list. */
type Served = { handler: Handler; list?: undefined } | { handler?: undefined; list: ListHandler };

export type Route = Served & {
	id: string;
	method: Method;
	direct: string;
	/** The path below `/clients/{clientId}`, where there is one. */
	agency: string | null;
	/** `none`: no key is asked for; `key`: any valid key will do. */
	scope: Scope | 'none' | 'key';
	body: 'none' | 'optional' | 'required';
	/** Query parameters besides `limit` and `offset` of lists. */
	query: readonly string[];
};

/** What serves it, and what it takes besides. */
type Rest = Served & Partial<Pick<Route, 'body' | 'query'>>;

export function directOnly(
	id: string,
	request: Method | `${Method} /${string}`,
	scope: Route['scope'],
	rest: Rest,
): Route {
	const [method, direct = ''] = request.split(' ') as [Method, string?];
	return { ...{ id, method, direct, scope }, agency: null, body: 'none', query: [], ...rest };
}

export function both(...row: Parameters<typeof directOnly>): Route {
	const route = directOnly(...row);
	return { ...route, agency: `/clients/{clientId}${route.direct}` };
}
