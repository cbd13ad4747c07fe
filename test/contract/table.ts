/**
 * Which tests exercise which row of the API document: each endpoint, each agency variant, each
 * code and each reason of part 7. `npm run coverage:contract` prints it and fails when a row is
 * empty.
 *
 * The evidence is in the tests' titles. A test that exercises a row says so with a tag:
 *
 *   [post.create]           the endpoint, for the own account
 *   [post.create agency]    its variant below /clients/{clientId}
 *   [code not_found]        a code of 7.1
 *   [reason rate_limited]   a reason of 7.2 to 7.4
 *
 * The tag may stand in the title of a `describe`, and a title may have placeholders of `.each`
 * (`'[code %s] …'`), whose rows must then be written out in the same file. Tests that are skipped
 * or still to do count for nothing, nor do those of the played service.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

import { endpointNames, ENDPOINTS } from '../../nodes/LeadGenPublishing/api/endpoints';
import { parseDocument } from './document';

const TESTS = join(__dirname, '..');
const LEFT_OUT = /^(service|e2e|bench|support)[\\/]/;

export interface Row {
	group: 'endpoint' | 'agency' | 'code' | 'reason';
	tag: string;
	tests: string[];
}

/** The title of every `it` and `test`, those of its `describe`s before it, placeholders filled. */
export function titlesOf(file: string, text: string): string[] {
	const tree = ts.createSourceFile(file, text, ts.ScriptTarget.ES2022, true);
	const titles: string[] = [];
	const visit = (node: ts.Node, outer: readonly string[]): void => {
		const found = ts.isCallExpression(node) ? testCall(node, tree) : undefined;
		if (found === undefined) return ts.forEachChild(node, (child) => visit(child, outer));
		if (found.skipped) return;
		const all = outer.flatMap((before) => found.titles.map((title) => `${before} ${title}`.trim()));
		if (found.group) ts.forEachChild(node, (child) => visit(child, all));
		else titles.push(...all);
	};
	visit(tree, ['']);
	return titles;
}

interface TestCall {
	group: boolean;
	skipped: boolean;
	titles: string[];
}

function testCall(node: ts.CallExpression, tree: ts.SourceFile): TestCall | undefined {
	const each = ts.isCallExpression(node.expression) ? node.expression : undefined;
	const names = (each ?? node).expression.getText(tree).split('.');
	const [name = ''] = names;
	if (!/^[fx]?(it|test|describe)$/.test(name)) return undefined;
	if (names.includes('each') && each === undefined) return undefined;
	const [first] = node.arguments;
	if (first === undefined || !ts.isStringLiteralLike(first)) return undefined;
	const skipped = name.startsWith('x') || names.includes('skip') || names.includes('todo');
	const rows = each === undefined ? undefined : valuesOf(each.arguments[0], tree);
	const titles =
		rows === undefined || rows.length === 0
			? [first.text]
			: rows.map((row) =>
					row.reduce((title, value) => title.replace(/%[sp]/, () => value), first.text),
				);
	return { group: name.endsWith('describe'), skipped, titles };
}

/** The rows of `.each`, as far as they are literals in this file; what is none stays a `?`. */
function valuesOf(node: ts.Expression | undefined, tree: ts.SourceFile): string[][] {
	const list = literalList(node, tree);
	return (list?.elements ?? []).map((element) => {
		const row = literalList(element, tree);
		return (row?.elements ?? [element]).map((cell) =>
			ts.isStringLiteralLike(cell) ? cell.text : '?',
		);
	});
}

function literalList(
	node: ts.Expression | undefined,
	tree: ts.SourceFile,
): ts.ArrayLiteralExpression | undefined {
	if (node === undefined) return undefined;
	if (ts.isAsExpression(node) || ts.isSatisfiesExpression(node)) {
		return literalList(node.expression, tree);
	}
	if (ts.isArrayLiteralExpression(node)) return node;
	if (!ts.isIdentifier(node)) return undefined;
	for (const statement of tree.statements) {
		if (!ts.isVariableStatement(statement)) continue;
		const [declared] = statement.declarationList.declarations;
		if (declared?.name.getText(tree) === node.text) return literalList(declared.initializer, tree);
	}
	return undefined;
}

/** Every title of the tests that count. */
export function evidenceOf(): Array<{ file: string; title: string }> {
	const files = readdirSync(TESTS, { recursive: true, encoding: 'utf8' }).filter(
		(file) => file.endsWith('.test.ts') && !LEFT_OUT.test(file) && !file.includes('node_modules'),
	);
	return files.flatMap((file) =>
		titlesOf(file, readFileSync(join(TESTS, file), 'utf8')).map((title) => ({ file, title })),
	);
}

export function contractTable(): Row[] {
	const evidence = evidenceOf();
	const { codes, reasons } = parseDocument();
	const row = (group: Row['group'], tag: string): Row => {
		const titled = evidence.filter(({ title }) => title.includes(`[${tag}]`));
		return { group, tag, tests: titled.map(({ file, title }) => `${file}: ${title}`) };
	};
	return [
		...endpointNames.map((name) => row('endpoint', name)),
		...endpointNames
			.filter((name) => ENDPOINTS[name].agency)
			.map((name) => row('agency', `${name} agency`)),
		...codes.map((code) => row('code', `code ${code}`)),
		...reasons.map((reason) => row('reason', `reason ${reason}`)),
	];
}

function print(rows: readonly Row[]): void {
	for (const { group, tag, tests } of rows) {
		const [first = 'NO TEST', ...others] = tests;
		const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
		process.stdout.write(`${group.padEnd(9)} ${tag.padEnd(50)} ${first}${more}\n`);
	}
	const empty = rows.filter(({ tests }) => tests.length === 0);
	process.stdout.write(`\n${rows.length} rows, ${empty.length} without a test\n`);
	if (empty.length > 0) process.exitCode = 1;
}

if (require.main === module) print(contractTable());
