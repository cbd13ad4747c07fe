// The table of 4.1, each part of it next to its handlers, and finding a request's row in it.

import { FAST_RESPONSE_ROUTES } from './fastResponse';
import { LEAD_MAGNET_ROUTES } from './leadMagnets';
import { MEDIA_ROUTES } from './media';
import { PEOPLE_ROUTES } from './people';
import { POST_ROUTES } from './posts';
import type { Route } from './route';
import { SOCIAL_ACTION_ROUTES } from './socialActions';
import { pathOf, type Words } from './words';

export const ROUTES: readonly Route[] = [
	...PEOPLE_ROUTES,
	...POST_ROUTES,
	...FAST_RESPONSE_ROUTES,
	...LEAD_MAGNET_ROUTES,
	...MEDIA_ROUTES,
	...SOCIAL_ACTION_ROUTES,
];

export interface Found {
	route: Route;
	params: Record<string, string>;
	/** The request came through `/clients/{clientId}/…` work routes. */
	agency: boolean;
}

export type Lookup = { found: Found } | { found: null; known: boolean };

/** Finds the row; failing that, says whether the path at least exists with another method. */
export function lookup(method: string, path: string, words: Words): Lookup {
	let known = false;
	for (const route of ROUTES) {
		const direct = matches(pathOf(route.direct, words), path);
		const agency = route.agency === null ? null : matches(route.agency, path);
		const params = direct ?? agency;
		if (!params) continue;
		known = true;
		if (route.method === method) return { found: { route, params, agency: !direct } };
	}
	return { found: null, known };
}

function matches(pattern: string, path: string): Record<string, string> | null {
	const wanted = pattern.split('/');
	const given = path.split('/');
	if (wanted.length !== given.length) return null;
	const params: Record<string, string> = {};
	for (const [index, part] of wanted.entries()) {
		const actual = given[index] ?? '';
		if (!part.startsWith('{')) {
			if (part !== actual) return null;
			continue;
		}
		const value = decoded(actual);
		if (!value) return null;
		params[part.slice(1, -1)] = value;
	}
	return params;
}

function decoded(part: string): string | null {
	try {
		return decodeURIComponent(part);
	} catch {
		return null;
	}
}
