/**
 * The endpoint table of the API reference. Paths and scopes are written by hand, because the tests
 * compare them with the code. `npm run docs` fills in the operation and its description.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import {
	ENDPOINTS,
	endpointNames,
	type EndpointName,
} from '../../nodes/LeadGenPublishing/api/endpoints';
import { RESOURCES } from '../../nodes/LeadGenPublishing/operations/index';

const PAGE = join(__dirname, '..', '..', 'docs', 'api-v1.md');
const ROW = /^\|[^|]*\|[^|]*\| ((?:GET|POST|PATCH|DELETE) `([^`]*)`.*)$/gm;

export const readReference = (): string => readFileSync(PAGE, 'utf8');

/** As the page shows it: the network has its neutral word there. */
function requestOf(name: EndpointName): string {
	const { method, path } = ENDPOINTS[name];
	return `${method} ${path.replace('{networkWord}', 'network')}`;
}

/** The request of a row. */
const shownIn = (rest: string, path: string): string => `${rest.split(' ')[0]} ${path.trim()}`;

/** The cells of the operation that uses this endpoint, such as `Post → Create`. */
function wordsOf(request: string): string {
	const name = endpointNames.find((one) => requestOf(one) === request);
	if (name === undefined)
		throw new Error(`api/endpoints.ts has no ${request}, which docs/api-v1.md shows`);
	const [resource, value] = name.split('.');
	const found = RESOURCES.find((one) => one.value === resource);
	const operation = found?.operations.find((one) => one.value === value);
	if (operation === undefined) throw new Error(`operations/index.ts has no ${name}`);
	return `${found?.name} → ${operation.name} | ${operation.description}`;
}

export const withEndpointWords = (page: string): string => {
	const shown = [...page.matchAll(ROW)].map(([, rest = '', path = '']) => shownIn(rest, path));
	const forgotten = endpointNames.map(requestOf).filter((request) => !shown.includes(request));
	if (forgotten.length > 0)
		throw new Error(`docs/api-v1.md, under "Endpoints", has no row for ${forgotten.join(', ')}`);
	return page.replace(
		ROW,
		(_, rest: string, path: string) => `| ${wordsOf(shownIn(rest, path))} | ${rest}`,
	);
};

export const writeEndpointWords = (): void =>
	writeFileSync(PAGE, withEndpointWords(readReference()));
