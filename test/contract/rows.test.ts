/** Each endpoint has its place in other files: the test says which file has forgotten it. */
import { ROUTES } from '../../fake-service/router';
import { ENDPOINTS } from '../../nodes/LeadGenPublishing/api/endpoints';
import { parseDocument } from './document';
import { operations } from './forms';

/** Which word stands for the network is what a client has to find out. */
const neutral = (method: string, path: string): string =>
	`${method} ${path.replace(/\/(\{networkWord\}|network)\//, '/…/')}`;

const used = operations
	.flatMap(({ operation }) => operation.endpoints)
	.map((name) => ENDPOINTS[name]);

it.each([
	[
		'the routes of a file in fake-service/',
		ROUTES.map(({ method, direct: path }) => ({ method, path })),
	],
	['docs/api-v1.md, under "Endpoints"', parseDocument().endpoints],
	['the operations of operations/index.ts', used],
])('%s: each endpoint is there', (place, rows) => {
	const known = rows.map(({ method, path }) => neutral(method, path));
	const forgotten = Object.values(ENDPOINTS)
		.map(({ method, path }) => neutral(method, path))
		.filter((request) => !known.includes(request));
	expect({ place, forgotten }).toEqual({ place, forgotten: [] });
});
