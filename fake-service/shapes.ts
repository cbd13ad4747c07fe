// Answers in the shapes that a diagnosis of a real account has saved: fields, their types, orders and
// page sizes; the values are made up.

import { isObject } from './fields';
import type { Order } from './recordList';
import type { Settings } from './settings';
import type { ListName, Orders } from './lists';
import type { Json, JsonObject } from './types';
import { spelled, type Words } from './words';

export interface Field {
	types: string[];
	fields?: Fields;
}
export type Fields = Record<string, Field>;

export interface Shapes {
	version: 1;
	/** By what the nodes call the request. */
	fields: Record<string, Fields>;
	orders: Record<string, Order>;
	largestPage: number | null;
	defaultPage: number | null;
}

const ROUTE_OF: Readonly<Record<string, string>> = {
	'client.getAll': 'clients.list',
	'client.get': 'clients.get',
	'post.getAll': 'posts.list',
	'post.get': 'posts.get',
	'leadMagnet.getAll': 'leadMagnets.list',
	'leadMagnet.get': 'leadMagnets.get',
	'lead.getAll': 'leads.list',
	'activity.getAll': 'activity.list',
};

export function readShapes(text: string): Shapes {
	const shapes = JSON.parse(text) as Shapes;
	if (shapes.version !== 1)
		throw new Error(
			'this file was not saved by "npm run diagnose -- --save", or by a different version of it',
		);
	return shapes;
}

/** Takes over what the service has switches for. */
export function settle(
	shapes: Shapes,
	{ settings, orders }: { settings: Settings; orders: Orders },
) {
	settings.limitCap = shapes.largestPage === 100 ? null : shapes.largestPage;
	settings.defaultLimit = shapes.defaultPage ?? settings.defaultLimit;
	for (const [name, order] of Object.entries(shapes.orders)) {
		const list = ROUTE_OF[name]?.replace('.list', '');
		if (list !== undefined) orders[list as ListName] = order;
	}
	const capabilities = shapes.fields['post.get']?.published_mutation_capabilities?.fields ?? {};
	settings.etagField =
		Object.keys(capabilities).find((name) => /etag/i.test(name)) ?? settings.etagField;
}

/** The answer of a route in its shape. */
export function reshaped<T extends { data: Json }>(
	answer: T,
	{ route, shapes, words }: { route: string; shapes: Shapes; words: Words },
): T {
	const name = Object.keys(ROUTE_OF).find((one) => ROUTE_OF[one] === route);
	const fields = name === undefined ? undefined : shapes.fields[name];
	if (fields === undefined) return answer;
	const fitted = (record: Json): Json => (isObject(record) ? fit(record, fields, words) : record);
	const data = Array.isArray(answer.data) ? answer.data.map(fitted) : fitted(answer.data);
	return { ...answer, data };
}

function fit(record: JsonObject, fields: Fields, words: Words): JsonObject {
	return Object.fromEntries(
		Object.entries(fields).map(([neutral, field]) => {
			const name = spelled(neutral, words);
			const given = record[name];
			const value = given !== undefined && fits(given, field.types) ? given : made(field.types);
			return [name, isObject(value) ? fit(value, field.fields ?? {}, words) : value];
		}),
	);
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const MADE: Readonly<Record<string, Json>> = {
	uuid: '6f1c2f0e-7d4b-4a53-9d53-0c1f0a6c1b11',
	time: '2026-01-05T09:00:00.000Z',
	text: 'made up',
	flag: false,
	list: [],
	object: {},
	number: 7,
	null: null,
};

const typeOf = (value: Json): string => {
	if (value === null) return 'null';
	if (Array.isArray(value)) return 'list';
	if (typeof value === 'string')
		return UUID.test(value) ? 'uuid' : /^\d{4}-\d\d-\d\dT/.test(value) ? 'time' : 'text';
	return typeof value === 'boolean' ? 'flag' : typeof value;
};

/** Nothing is a value of any field: an account may have what another one lacks. */
const fits = (value: Json, types: readonly string[]): boolean =>
	value === null ? types.includes('null') : types.includes(typeOf(value));

const made = (types: readonly string[]): Json =>
	MADE[types.find((type) => type !== 'null') ?? 'null'] ?? null;
