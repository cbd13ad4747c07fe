/**
 * Each endpoint and each operation has its rows in other files. Whoever forgets one reads here which
 * file it is; what the row has to say is the business of other tests.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { ROUTES } from '../../fake-service/router';
import { ENDPOINTS, endpointNames } from '../../nodes/LeadGenPublishing/api/endpoints';
import { parseDocument } from './document';
import { operations } from './forms';

const ROOT = join(__dirname, '..', '..');
const NODE = 'nodes/LeadGenPublishing';

const namesOf = (kind: string): string[] =>
	operations.filter(({ operation }) => operation.kind === kind).map(({ name }) => name);
const changing = endpointNames.filter((name) => ENDPOINTS[name].method !== 'GET');
const shown = operations
	.filter(({ operation }) =>
		operation.endpoints.some((name) => ['record', 'list'].includes(ENDPOINTS[name].answer)),
	)
	.map(({ name }) => name);

const ROWS: Readonly<Record<string, readonly string[]>> = {
	[`${NODE}/words/writeDescriptions.ts`]: changing,
	[`${NODE}/operations/personDecides.ts`]: changing,
	'scripts/generate/outputSchemas.ts': shown,
	'test/contract/sent.test.ts': namesOf('write'),
};

describe.each(Object.keys(ROWS))('%s', (file) => {
	it('has a row for each', () => {
		const text = readFileSync(join(ROOT, file), 'utf8');
		const forgotten = (ROWS[file] ?? []).filter((name) => !text.includes(`'${name}'`));
		expect({ file, forgotten }).toEqual({ file, forgotten: [] });
	});
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
