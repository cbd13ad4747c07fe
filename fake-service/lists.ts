// How lists are served: limit and offset of part 8, and the controls over order and timing.

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
	| `${'posts' | 'leadMagnets'}.${string}`;

export interface PageAbout {
	list: ListName;
	/** The account whose list it is. */
	account: string;
	offset: number;
	limit: number;
	/** Counts the pages served since the start or the last reset, over all lists, from 1. */
	served: number;
}

type Hook = (about: PageAbout) => void | Promise<void>;

export class ListControls {
	/** For every list without an order of its own. */
	order: Order = 'newest';
	readonly orders: Partial<Record<ListName, Order>> = {};
	private readonly hooks = new Set<Hook>();
	private served = 0;

	orderOf(list: ListName): Order {
		return this.orders[list] ?? this.order;
	}

	/** Runs before each page is read, after everything about the request was found in order. */
	beforePage(hook: Hook): () => void {
		this.hooks.add(hook);
		return () => this.hooks.delete(hook);
	}

	async announce(about: Omit<PageAbout, 'served'>): Promise<void> {
		const complete = { ...about, served: ++this.served };
		for (const hook of [...this.hooks]) await hook(complete);
	}

	reset(): void {
		this.order = 'newest';
		for (const name of Object.keys(this.orders)) delete this.orders[name as ListName];
		this.hooks.clear();
		this.served = 0;
	}
}

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

export function pageOf<T extends Identified>(input: {
	list: RecordList<T>;
	window: Window;
	order: Order;
	filter?: Filter<T>;
	show: (record: T) => Json;
}): Page {
	const { list, window, order, filter, show } = input;
	const seed = Math.floor(Math.random() * 0xffffffff);
	const { records, total } = list.page({ ...window, order, filter, seed });
	const has_more = window.offset + window.limit < total;
	return { data: records.map(show), pagination: { ...window, has_more } };
}

function wholeNumber(query: URLSearchParams, name: string, otherwise: number): number {
	const text = query.get(name);
	if (text === null) return otherwise;
	if (!/^\d{1,15}$/.test(text)) throw badRequest(`${name} must be a whole number, zero or more`);
	return Number(text);
}
