// How lists are served: limit and offset of part 8.

import { badRequest } from './errors';
import type { Filter, Identified, Order, RecordList } from './recordList';
import type { Settings } from './settings';
import type { Json } from './types';

/** A list below a record is named after both: `posts.comments`. */
export type ListName =
	| 'clients'
	| 'posts'
	| 'leadMagnets'
	| 'leads'
	| 'activity'
	| `${'posts' | 'leadMagnets' | 'leads' | 'activity'}.${string}`;

/** Those that are not served newest first. */
export type Orders = Partial<Record<ListName, Order>>;

export interface Window {
	limit: number;
	offset: number;
}

export interface Page {
	data: Json[];
	pagination: { limit: number; offset: number; has_more: boolean };
}

/** Reads `limit` and `offset`; any query parameter that was not allowed is refused. */
export function windowOf(
	query: URLSearchParams,
	allowed: readonly string[],
	{ limitCap: cap, defaultLimit }: Pick<Settings, 'limitCap' | 'defaultLimit'>,
): Window {
	refuseOthers(query, ['limit', 'offset', ...allowed]);
	const limit = wholeNumber(query, 'limit', defaultLimit);
	const offset = wholeNumber(query, 'offset', 0);
	if (limit < 1 || limit > 100) throw badRequest('limit must be between 1 and 100');
	return { limit: cap === null ? limit : Math.min(limit, cap), offset };
}

export function refuseOthers(query: URLSearchParams, allowed: readonly string[]): void {
	for (const name of query.keys()) {
		if (!allowed.includes(name)) throw badRequest(`Unknown query parameter: ${name}`);
		if (query.getAll(name).length > 1) throw badRequest(`Repeated query parameter: ${name}`);
	}
}

export function pageOf<T extends Identified>(
	window: Window,
	{
		list,
		order = 'newest',
		filter,
		show,
	}: {
		list: RecordList<T>;
		order: Order | undefined;
		filter?: Filter<T>;
		show: (record: T) => Json;
	},
): Page {
	const { records, total } = list.page({ ...window, order, filter });
	const has_more = window.offset + window.limit < total;
	return { data: records.map(show), pagination: { ...window, has_more } };
}

function wholeNumber(query: URLSearchParams, name: string, otherwise: number): number {
	const text = query.get(name);
	if (text === null) return otherwise;
	if (!/^\d{1,15}$/.test(text)) throw badRequest(`${name} must be a whole number, zero or more`);
	return Number(text);
}
