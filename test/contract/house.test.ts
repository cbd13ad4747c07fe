/** The rules of the house: who may import whom, and where the service's words may stand. */
import ts from 'typescript';

import {
	AGENCY_PREFIX,
	agencyPath,
	endpointNames,
	ENDPOINTS,
	type Endpoint,
	type EndpointName,
} from '../../nodes/LeadGenPublishing/api/endpoints';
import { RESOURCES } from '../../nodes/LeadGenPublishing/operations/index';
import { importsOf, readSources, roomOf } from '../docs/imports';
import { parseDocument } from './document';

const sources = readSources();
const imports = importsOf(sources);

/** Every string and pattern in the code, the fixed pieces of templates included; no comments. */
const texts = sources.flatMap(({ file, tree }) => {
	const found: Array<{ file: string; text: string }> = [];
	const visit = (node: ts.Node): void => {
		if (
			ts.isStringLiteralLike(node) ||
			ts.isTemplateHead(node) ||
			ts.isRegularExpressionLiteral(node)
		)
			found.push({ file, text: node.text });
		else if (ts.isTemplateMiddleOrTemplateTail(node)) found.push({ file, text: node.text });
		if (!ts.isImportDeclaration(node)) ts.forEachChild(node, visit);
	};
	visit(tree);
	return found;
});

const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
	api: ['api'],
	fields: ['api', 'fields'],
	output: ['api', 'output'],
	operations: ['api', 'fields', 'operations', 'output'],
	methods: ['api', 'methods'],
	watch: ['api', 'fields', 'output', 'watch'],
	credentials: ['api'],
	node: ['api', 'fields', 'methods', 'operations', 'watch'],
};

describe('imports point one way', () => {
	it.each(Object.entries(MAY_IMPORT))('from %s to no more than %p', (layer, allowed) => {
		const inside = imports.filter((one) => roomOf(one.from) === layer && one.ours);
		const wrong = inside.filter(({ to }) => !allowed.includes(roomOf(to)));
		expect(wrong).toEqual([]);
	});

	it('and every layer is looked at', () => {
		expect([...new Set(sources.map(({ file }) => roomOf(file)))].sort()).toEqual(
			Object.keys(MAY_IMPORT).sort(),
		);
		expect(imports.length).toBeGreaterThan(100);
	});

	// Those that speak with n8n beside poll.ts: what they read and throw is the api layer's.
	const N8N_SIDE = [
		'poll',
		'pollClient',
		'reading',
		'session',
		'settings',
		'process',
		'accounts',
		'clients',
		'ownAccount',
		'sample',
		'failures',
	].map((name) => `watch/${name}.ts`);

	it("the pure part of watch takes only types, and the vendor's words, from api", () => {
		const wrong = imports.filter(
			({ from, to, typesOnly: onlyTypes }) =>
				roomOf(from) === 'watch' &&
				roomOf(to) === 'api' &&
				!onlyTypes &&
				!N8N_SIDE.includes(from) &&
				to !== 'api/wire',
		);
		expect(wrong).toEqual([]);
	});

	it('the pure part of watch runs without n8n', () => {
		const wrong = imports.filter(
			({ from, to, typesOnly: onlyTypes }) =>
				roomOf(from) === 'watch' && to === 'n8n-workflow' && !onlyTypes && !N8N_SIDE.includes(from),
		);
		expect(wrong).toEqual([]);
	});

	it('packages are only those that n8n lets a verified node have', () => {
		const packages = new Set(imports.filter((one) => !one.ours).map(({ to }) => to));
		expect([...packages].sort()).toEqual(
			[...packages]
				.filter((name) => ['crypto', 'luxon', 'n8n-workflow', 'zod'].includes(name))
				.sort(),
		);
	});
});

describe("the service's words", () => {
	it('paths stand in the table alone', () => {
		const wrong = texts.filter(
			({ file, text }) =>
				file !== 'api/endpoints.ts' &&
				/(^|\/)(clients|posts|lead-magnets|leads|activity|media|workspaces|organizations|me)\/|^\/(me|clients|posts|lead-magnets|leads|activity|media)$/.test(
					text,
				),
		);
		expect(wrong).toEqual([]);
	});

	it.each([
		['the header of the etag', /x-svc|post-etag/i],
		[
			"the fields and reasons with the network's name",
			/^network_|\bnetwork_[a-z]|_(organization|not_connected|identifier)/,
		],
		["the field with a person's address", /^_?profile_url$/],
		['the prefixes of keys', /\bsvc\b|_live_|_test_/],
	])('%s stands in wire.ts alone', (_, pattern) => {
		const wrong = texts.filter(({ file, text }) => file !== 'api/wire.ts' && pattern.test(text));
		expect(wrong).toEqual([]);
	});
});

it('nothing but the transport sends anything', () => {
	const senders = sources.filter(({ tree }) =>
		/\.httpRequest(WithAuthentication)?\b/.test(tree.getFullText()),
	);
	expect(senders.map(({ file }) => file)).toEqual(['api/transport.ts']);
});

/** There the network is called by its neutral word. */
const inDocument = (path: string): string => path.replace('{networkWord}', 'network');

describe('the table of endpoints', () => {
	const document = parseDocument();
	const table = endpointNames.map((name) => {
		const { method, scope } = ENDPOINTS[name];
		const path = inDocument(ENDPOINTS[name].path);
		return { method, path, agency: agencyPath(name) ?? null, scope };
	});
	const byPath = (a: { path: string; method: string }, b: { path: string; method: string }) =>
		`${a.path} ${a.method}` < `${b.path} ${b.method}` ? -1 : 1;

	it('equals the document: method, path, agency path, scope', () => {
		const documented = document.endpoints.map(({ task: _, ...rest }) => rest);
		expect([...table].sort(byPath)).toEqual(documented.sort(byPath));
	});

	it('calls each task as the document does', () => {
		const tasks = document.endpoints.map(({ task }) => task);
		expect(endpointNames.map((name) => ENDPOINTS[name].task)).toEqual(tasks);
	});

	it('makes each agency path of its direct path', () => {
		for (const { path, agency } of document.endpoints)
			if (agency !== null) expect(agency).toBe(AGENCY_PREFIX + path);
	});

	it('gives a key only to what the document names', () => {
		const keyed = endpointNames.filter((name) => (ENDPOINTS[name] as Endpoint).keyed).sort();
		expect(keyed).toEqual([
			'post.delete',
			'post.startFastResponse',
			'post.update',
			'socialAction.create',
		]);
	});

	it('is used row by row, each by exactly one operation', () => {
		const users = new Map<EndpointName, string[]>(endpointNames.map((name) => [name, []]));
		for (const { value, operations } of RESOURCES)
			for (const operation of operations)
				for (const name of operation.endpoints)
					users.get(name)?.push(`${value}.${operation.value}`);
		const expected = endpointNames.map((name): [string, string[]] => [
			name,
			name === 'media.createUploadUrl' ? ['media.createUploadUrl', 'media.upload'] : [name],
		]);
		expect([...users]).toEqual(expected);
	});

	it('is used outside of operations only by named consumers', () => {
		const consumers: Record<string, string[]> = {};
		const known = new Set<string>(endpointNames);
		for (const { file, text } of texts)
			if (known.has(text) && ['methods', 'watch'].includes(roomOf(file)))
				consumers[file] = [...new Set([...(consumers[file] ?? []), text])].sort();
		expect(consumers).toEqual({
			'methods/listSearch.ts': ['client.getAll', 'leadMagnet.getAll', 'post.getAll'],
			'methods/loadClients.ts': ['client.getAll'],
			'watch/accounts.ts': ['client.getAll'],
			'watch/clients.ts': ['client.getAll'],
			'watch/ownAccount.ts': ['account.getSubject'],
			'watch/session.ts': ['activity.getAll', 'lead.getAll', 'post.getAll'],
		});
	});
});
