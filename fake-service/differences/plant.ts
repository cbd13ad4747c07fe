// How a difference between service and document is planted, and how it goes away again.

import type { Effect, Match } from '../faults';
import { isObject } from '../fields';
import type { FakeService } from '../index';
import type { ListName } from '../lists';
import type { Order } from '../recordList';
import type { Json, JsonObject } from '../types';

export type Plantable = Pick<FakeService, 'faults' | 'settings' | 'orders' | 'world'>;
/** Gives back how it goes away again. */
export type Plant = (service: Plantable) => () => void;
/** By name: what it is called on the control page, and how it is planted. */
export type Differences = Readonly<Record<string, readonly [words: string, plant: Plant]>>;

export const always =
	(effect: Effect, match: Match = {}): Plant =>
	({ faults }) =>
		faults.add(effect, { count: Infinity, ...match }).remove;

export const fails = (status: number, match?: Match): Plant =>
	always({ kind: 'error', status }, match);
export const changed = (change: (envelope: JsonObject) => Json, match?: Match): Plant =>
	always({ kind: 'change', change }, match);
export const raw = (
	body: Json,
	{ status = 200, ...headers }: { status?: number; Date?: string },
): Effect => ({
	...{ kind: 'raw', status, body: JSON.stringify(body) },
	headers: { 'Content-Type': 'application/json', ...headers },
});

export const setting =
	(change: Partial<Plantable['settings']>): Plant =>
	({ settings }) => {
		const before = structuredClone(settings);
		Object.assign(settings, change);
		return () => void Object.assign(settings, before);
	};

export const ordered =
	(list: ListName, order: Order): Plant =>
	({ orders }) => {
		orders[list] = order;
		return () => delete orders[list];
	};

/** Changes each record that a route answers with. */
export const records = (
	route: string,
	edit: (record: JsonObject) => void,
	match: Match = {},
): Plant =>
	changed(
		(envelope) => {
			const answer = structuredClone(envelope);
			[answer.data ?? null].flat().filter(isObject).forEach(edit);
			return answer;
		},
		{ route, ...match },
	);
export const posts = (edit: (post: JsonObject) => void): Plant => records('posts.list', edit);
export const post = (edit: (post: JsonObject) => void): Plant => records('posts.get', edit);
export const leads = (edit: (lead: JsonObject) => void, match?: Match): Plant =>
	records('leads.list', edit, match);
export const magnets = (edit: (magnet: JsonObject) => void): Plant =>
	records('leadMagnets.list', edit);

export const capabilities = (edit: (capabilities: JsonObject) => Json): Plant =>
	post((record) => {
		const { published_mutation_capabilities: given } = record;
		if (isObject(given)) record.published_mutation_capabilities = edit(given);
	});

export const asked = (name: string, value: string): Match => ({
	when: ({ query }) => query[name] === value,
});
export const BEHIND = asked('offset', '1000000');
export const TOO_MANY = asked('limit', '101');
export const POSTS = { route: 'posts.list' };

export const withFirstTwice = ({ data, ...rest }: JsonObject): Json => ({
	...rest,
	data: Array.isArray(data) ? [...data, ...data.slice(0, 1)] : (data ?? null),
});

/** These differences show only with the key of an agency. */
const ABOUT_CLIENTS = /^(client|grants|noClient|agency|oddClientIds|pausedGrants|accountsMixed)/;
export const isAboutClients = (name: string): boolean => ABOUT_CLIENTS.test(name);

/** Changes what `/me` shows. */
export const me = (edit: (subject: JsonObject) => JsonObject): Plant =>
	changed(
		({ data, ...rest }) => ({
			...rest,
			data: edit(isObject(data ?? null) ? (data as JsonObject) : {}),
		}),
		{ route: 'me' },
	);
