/** The rules of the house: where the service's words may stand. Who may import whom: .ci/imports.cjs. */
import ts from 'typescript';

import {
	agencyPath,
	endpointNames,
	ENDPOINTS,
	type Endpoint,
	type EndpointName,
} from '../../nodes/LeadGenPublishing/api/endpoints';
import { readSources } from '../docs/sources';
import { parseDocument } from './document';
import { operations } from './forms';

const sources = readSources();

/** Every string and pattern in the code, the fixed pieces of templates included; no comments. */
const texts = sources.flatMap(({ file, room, tree }) => {
	const found: Array<{ file: string; room: string; text: string }> = [];
	const visit = (node: ts.Node): void => {
		if (
			ts.isStringLiteralLike(node) ||
			ts.isTemplateHead(node) ||
			ts.isRegularExpressionLiteral(node)
		)
			found.push({ file, room, text: node.text });
		else if (ts.isTemplateMiddleOrTemplateTail(node)) found.push({ file, room, text: node.text });
		if (!ts.isImportDeclaration(node)) ts.forEachChild(node, visit);
	};
	visit(tree);
	return found;
});

describe("the service's words", () => {
	it('only the table contains paths', () => {
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
		['the prefixes of keys', /(?<!\.)\bsvc\b|_live_|_test_/],
	])('%s stands in wire.ts alone', (_, pattern) => {
		const wrong = texts.filter(({ file, text }) => file !== 'api/wire.ts' && pattern.test(text));
		expect(wrong).toEqual([]);
	});
});

/** The response is read in these files, and the policy decides by it. `words/` only describes it. */
const READS_FAILURES = /^(api\/(answer|failure|policy|policyTables|sender|upload)\.ts|words\/.*)$/;

it('only the policy compares what a failure shows', () => {
	const looks = sources.flatMap(({ file, tree }) => {
		const found: string[] = [];
		const visit = (node: ts.Node): void => {
			if (
				ts.isPropertyAccessExpression(node) &&
				/^(status|code|reason|problem)$/.test(node.name.text) &&
				/(^|\.)(facts|failure)$/.test(node.expression.getText(tree))
			)
				found.push(`${file}: ${node.getText(tree)}`);
			ts.forEachChild(node, visit);
		};
		if (!READS_FAILURES.test(file)) visit(tree);
		return found;
	});
	expect(looks).toEqual([]);
});

/** What a statement exports, by its names. */
function exportedBy(statement: ts.Statement): string[] {
	if (ts.isExportAssignment(statement)) return ['default'];
	if (ts.isExportDeclaration(statement)) {
		const { exportClause: clause } = statement;
		if (clause === undefined) return [`* of ${statement.moduleSpecifier?.getText()}`];
		return ts.isNamedExports(clause)
			? clause.elements.map(({ name }) => name.text)
			: [clause.name.text];
	}
	const isExported =
		ts.canHaveModifiers(statement) &&
		ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
	if (isExported !== true) return [];
	if (ts.isVariableStatement(statement))
		return statement.declarationList.declarations.map(({ name }) => name.getText());
	const { name } = statement as ts.DeclarationStatement;
	return [name?.getText() ?? 'default'];
}

it('an exported name exists once', () => {
	const files = new Map<string, Set<string>>();
	for (const { file, tree } of sources)
		for (const name of tree.statements.flatMap(exportedBy))
			files.set(name, (files.get(name) ?? new Set()).add(file));
	expect(files.size).toBeGreaterThan(400);
	expect([...files].filter(([, { size }]) => size > 1)).toEqual([]);
});

it('only the transport sends requests, through the one file that calls n8n', () => {
	const senders = sources.filter(({ tree }) =>
		/\.httpRequest(WithAuthentication)?\b/.test(tree.getFullText()),
	);
	expect(senders.map(({ file }) => file)).toEqual(['n8n/host.ts']);
	const callers = sources.filter(({ tree }) => /\bhost\.request\b/.test(tree.getFullText()));
	expect(callers.map(({ file }) => file)).toEqual(['api/transport.ts']);
});

/** There, the network has its neutral word. */
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

	it('api/endpoints.ts has the methods, paths, agency paths and scopes of docs/api-v1.md', () => {
		expect([...table].sort(byPath)).toEqual([...document.endpoints].sort(byPath));
	});

	it('sends an idempotency key only where the document names one', () => {
		const keyed = endpointNames.filter((name) => (ENDPOINTS[name] as Endpoint).keyed).sort();
		expect(keyed).toEqual([
			'post.delete',
			'post.startFastResponse',
			'post.update',
			'socialAction.create',
		]);
	});

	const SHARED: Readonly<Partial<Record<EndpointName, string[]>>> = {
		'leadMagnet.create': ['leadMagnet.upsert'],
		'leadMagnet.update': ['leadMagnet.upsert'],
		'media.createUploadUrl': ['media.upload'],
		'post.create': ['post.upsert'],
		'post.getAll': ['schedule.nextFreeSlot'],
		'post.update': ['post.upsert'],
	};

	it('has each row used by the operations that are meant to use it', () => {
		const users = new Map<EndpointName, string[]>(endpointNames.map((name) => [name, []]));
		for (const { name: user, operation } of operations)
			for (const name of operation.endpoints) users.get(name)?.push(user);
		const expected = endpointNames.map((name): [string, string[]] => [
			name,
			[...(SHARED[name] ?? []), name].sort(),
		]);
		for (const names of users.values()) names.sort();
		expect([...users]).toEqual(expected);
	});

	it('is used outside of operations only by named consumers', () => {
		const consumers: Record<string, string[]> = {};
		const known = new Set<string>(endpointNames);
		for (const { file, room, text } of texts)
			if (known.has(text) && ['panel', 'watch'].includes(room))
				consumers[file] = [...new Set([...(consumers[file] ?? []), text])].sort();
		expect(consumers).toEqual({
			'panel/lists/listSearch.ts': ['client.getAll', 'leadMagnet.getAll', 'post.getAll'],
			// Their paths name the collections in a pasted URL.
			'panel/parameters/idInAddress.ts': ['leadMagnet.get', 'post.get'],
			'watch/accounts.ts': ['account.getSubject'],
			'watch/clientList.ts': ['client.getAll'],
			'watch/grants.ts': ['client.get'],
			'watch/session.ts': ['activity.getAll', 'client.getAll', 'lead.getAll', 'post.getAll'],
		});
	});
});
