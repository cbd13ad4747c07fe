/**
 * Each endpoint and operation also needs an entry in other files. This test says which file lacks
 * it.
 */
import { ROUTES } from '../../fake-service/router';
import { ENDPOINTS } from '../../nodes/LeadGenPublishing/api/endpoints';
import { parseDocument } from './document';
import { operationNames } from './everyOperation';
import { operations } from './forms';

/** The word for the network is left to the client to find out. */
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
	['the rows of docs/api-v1.md under "Endpoints"', parseDocument().endpoints],
	['the endpoints of operations/index.ts', used],
])('%s are those of api/endpoints.ts', (place, rows) => {
	const inTable = Object.values(ENDPOINTS).map(({ method, path }) => neutral(method, path));
	const inPlace = rows.map(({ method, path }) => neutral(method, path));
	const forgotten = inTable.filter((request) => !inPlace.includes(request));
	const left = inPlace.filter((request) => !inTable.includes(request));
	expect({ place, forgotten, left }).toEqual({ place, forgotten: [], left: [] });
});

/** Tests that run every operation prepare these themselves. */
const PREPARED_ELSEWHERE = ['account.diagnose', 'schedule.spread'];

it('everyOperation.ts prepares every operation', () => {
	const forgotten = operations
		.map(({ name }) => name)
		.filter((name) => ![...PREPARED_ELSEWHERE, ...operationNames].includes(name));
	const place = 'FURTHER of test/contract/everyOperation.ts';
	expect({ place, forgotten }).toEqual({ place, forgotten: [] });
});
