/** Each endpoint has its place in other files: the test says which file has forgotten it. */
import { ROUTES } from '../../fake-service/router';
import { ENDPOINTS, endpointNames } from '../../nodes/LeadGenPublishing/api/endpoints';
import { writeDescriptionOf } from '../../nodes/LeadGenPublishing/words/writeDescriptions';
import { parseDocument } from './document';

it('words/writeDescriptions.ts describes each request that changes something, and no read', () => {
	const described = endpointNames.filter((name) => writeDescriptionOf(name) !== undefined);
	expect(described).toEqual(endpointNames.filter((name) => ENDPOINTS[name].method !== 'GET'));
});

/** Which word stands for the network is what a client has to find out. */
const neutral = (method: string, path: string): string =>
	`${method} ${path.replace(/\/(\{networkWord\}|network)\//, '/…/')}`;

it.each([
	['fake-service/', ROUTES.map(({ method, direct }) => neutral(method, direct))],
	[
		'docs/api-v1.md, under "Endpoints",',
		parseDocument().endpoints.map(({ method, path }) => neutral(method, path)),
	],
])('%s has each endpoint', (place, known) => {
	const forgotten = Object.values(ENDPOINTS)
		.map(({ method, path }) => neutral(method, path))
		.filter((request) => !known.includes(request));
	expect({ place, forgotten }).toEqual({ place, forgotten: [] });
});
