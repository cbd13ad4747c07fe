// A row of the table of 4.1, and what serves it.

import type { Handler, ListHandler } from './call';
import type { ListName } from './lists';
import type { Scope } from './types';

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** One record, or a page of a list. */
type Served =
	| { handler: Handler; list?: undefined }
	| { handler?: undefined; list: { name: ListName; handler: ListHandler } };

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

type Row = Served &
	Pick<Route, 'id' | 'method' | 'direct' | 'scope'> &
	Partial<Pick<Route, 'body' | 'query'>>;

export const directOnly = (row: Row): Route => ({ agency: null, body: 'none', query: [], ...row });

export const both = (row: Row): Route => ({
	...directOnly(row),
	agency: `/clients/{clientId}${row.direct}`,
});
