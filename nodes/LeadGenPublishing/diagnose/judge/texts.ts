/** Puts lists, routes and clients into words. Pure. */
import { endpoint, type EndpointName } from '../../api/endpoints';
import type { KnownClient } from '../answers';
import type { ListName } from '../facts';

/** "posts, leads and activity". A long list is shortened. */
export function andOf(values: Iterable<string>, most = Infinity): string {
	const all = [...new Set(values)];
	const shown = all.length > most ? [...all.slice(0, most), `${all.length - most} more`] : all;
	const last = shown.at(-1) ?? '';
	return shown.length < 2 ? last : `${shown.slice(0, -1).join(', ')} and ${last}`;
}

const NAMES: Readonly<Record<ListName, string>> = {
	'client.getAll': 'clients',
	'post.getAll': 'posts',
	'leadMagnet.getAll': 'lead magnets',
	'lead.getAll': 'leads',
	'activity.getAll': 'activity',
};

export const listsInWords = (lists: readonly ListName[]): string =>
	andOf(lists.map((list) => NAMES[list]));

/** The route as the document writes it. */
export const routeInWords = (name: EndpointName): string =>
	`${endpoint(name).method} ${endpoint(name).path === '' ? 'the base' : endpoint(name).path}`;

/** The most names in a sentence. The item has all of them. */
const MOST_NAMES = 5;

export const clientNames = (clients: readonly KnownClient[]): string =>
	andOf(
		clients.map(({ id, name = id }) => name),
		MOST_NAMES,
	);
