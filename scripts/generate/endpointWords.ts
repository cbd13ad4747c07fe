/**
 * The endpoint table of the API reference. Paths and scopes are written by hand, because the tests
 * compare them with the code. `npm run docs` fills in the operation and its description.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { ENDPOINTS, endpointNames } from '../../nodes/LeadGenPublishing/api/endpoints';
import { findOperation, RESOURCES } from '../../nodes/LeadGenPublishing/operations/index';

const PAGE = join(__dirname, '..', '..', 'docs', 'api-v1.md');
const ROW = /^\|[^|]*\|[^|]*\| ((?:GET|POST|PATCH|DELETE) `([^`]*)`.*)$/gm;

export const readReference = (): string => readFileSync(PAGE, 'utf8');

/** The cells of the operation that uses this endpoint, such as `Post → Create`. */
function wordsOf(method: string, path: string): string {
	const name = endpointNames.find((one) => {
		const endpoint = ENDPOINTS[one];
		return endpoint.method === method && endpoint.path.replace('{networkWord}', 'network') === path;
	});
	const [resource, value] = name?.split('.') ?? [];
	const found = RESOURCES.find((one) => one.value === resource);
	if (found === undefined) throw new Error(`No operation uses ${method} ${path}`);
	const { name: label, description } = findOperation(resource, value);
	return `${found.name} → ${label} | ${description}`;
}

export const withEndpointWords = (page: string): string => {
	const rows = page.match(ROW)?.length ?? 0;
	if (rows < endpointNames.length)
		throw new Error(`The page has rows for ${rows} of ${endpointNames.length} endpoints`);
	return page.replace(ROW, (_, rest: string, path: string) => {
		const [method = ''] = rest.split(' ');
		return `| ${wordsOf(method, path.trim())} | ${rest}`;
	});
};

export const writeEndpointWords = (): void =>
	writeFileSync(PAGE, withEndpointWords(readReference()));
