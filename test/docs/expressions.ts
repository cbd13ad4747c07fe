/**
 * Whether the values that an example reads can exist: the node they come from leads to the reader,
 * and the record or the workflow has the field. The results are tested in a real n8n (`npm run
 * test:n8n`).
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { INode } from 'n8n-workflow';
import { splitExpression } from 'n8n-workflow/dist/cjs/extensions/expression-parser.js';

import { isExpression, isNote, ROOT, type Example } from './example';

const SCHEMAS = join(ROOT, 'nodes/LeadGenPublishing/__schema__');
/** Other fields that an item may have: from n8n itself, from a form or a feed, or undocumented. */
const OTHERS =
	'author_profile_url data details error guid headline link message submittedAt table time_zone title url';

export function expressionProblems(example: Example): string[] {
	const steps = example.nodes.filter((node) => !isNote(node));
	const names = new Set(steps.map(({ name }) => name));
	const fields = new Set([
		...[...OTHERS.split(' '), ...recordFields(), ...steps.flatMap(namesIn)],
		...example.nodes.filter(isNote).flatMap(columnsIn),
	]);
	const leading = nodesLeadingTo(example);
	const lost = Object.entries(example.connections)
		.flatMap(([from, outputs]) => [from, ...targetsOf(outputs)])
		.filter((name) => !names.has(name));
	const read = steps.flatMap(({ name, type, parameters: { jsCode, ...parameters } }) => {
		const before = leading(name);
		const codes = [
			...(typeof jsCode === 'string' ? [jsCode] : []),
			...textsIn(parameters).filter(isExpression).flatMap(codesIn),
		];
		const starts = type.endsWith('Trigger') || type.endsWith('.webhook');
		const problems = [
			...(starts || before.size > 0 ? [] : ['is reached from nowhere']),
			...codes.flatMap((code) => [
				...(isCode(code) ? [] : [`cannot be read: ${code}`]),
				...matchesIn(code, /\$\('([^']+)'\)/g)
					.filter((node) => !before.has(node))
					.map((node) => `reads "${node}", which does not lead to it`),
				...matchesIn(code, /\bjson(?:\.|\[['"])(\w+)/g)
					.filter((field) => !fields.has(field))
					.map((field) => `reads "${field}", which nothing is called`),
			]),
		];
		return problems.map((problem) => `"${name}": ${problem}`);
	});
	return [...lost.map((name) => `connects "${name}", which is no node`), ...read];
}

const targetsOf = (outputs: Example['connections'][string]): string[] =>
	Object.values(outputs).flatMap((ways) =>
		ways.flatMap((way) => (way ?? []).map(({ node }) => node)),
	);

/** Directly or indirectly. What leads to an agent also leads to its tools. */
function nodesLeadingTo({ connections }: Example): (name: string) => Set<string> {
	const pairs = Object.entries(connections).flatMap(([from, { main, ...used }]) => [
		...targetsOf({ main: main ?? [] }).map((to) => [from, to] as const),
		...targetsOf(used).map((to) => [to, from] as const),
	]);
	return (name) => {
		const found = new Set<string>();
		const next = [name];
		// It grows during the loop.
		for (const node of next) {
			const before = pairs.filter(([from, to]) => to === node && !found.has(from));
			for (const [from] of before) found.add(from);
			next.push(...before.map(([from]) => from));
		}
		return found;
	};
}

/** Every text, and with `keys` also the name of each value. */
function textsIn(value: unknown, keys = false): string[] {
	if (typeof value === 'string') return [value];
	if (typeof value !== 'object' || value === null) return [];
	return Object.entries(value).flatMap(([name, inner]) => [
		...(keys ? [name] : []),
		...textsIn(inner, keys),
	]);
}

/** The names of the fields that a node makes: in texts, in columns, or in code. */
function namesIn({ parameters: { jsCode, jsonOutput, columns, ...others } }: INode): string[] {
	const plain = textsIn(others).filter((text) => !isExpression(text));
	return [
		...plain,
		...textsIn(columns, true),
		...matchesIn(String(jsCode ?? ''), /(\w+)/g),
		...matchesIn(String(jsonOutput ?? ''), /(\w+):/g),
	];
}

/** The columns that a note asks a person to fill in, as "- **image**: …". */
const columnsIn = ({ parameters: { content } }: INode): string[] =>
	matchesIn(String(content), /\*\*(\w+)\*\*/g);

const matchesIn = (text: string, pattern: RegExp): string[] =>
	[...text.matchAll(pattern)].map(([, found = '']) => found);

const codesIn = (expression: string): string[] =>
	splitExpression(expression.slice(1)).flatMap((part) => (part.type === 'code' ? [part.text] : []));

/** The code of a node returns something; that of an expression is a value. */
const isCode = (code: string): boolean =>
	[code, `return (${code}\n)`].some((body) => {
		try {
			void new Function(`return async () => {${body}\n}`);
			return true;
		} catch {
			return false;
		}
	});

/**
 * In a schema, the word before an opening brace is the name of a field, or a word of JSON Schema.
 */
const recordFields = (): string[] =>
	readdirSync(SCHEMAS, { recursive: true, encoding: 'utf8' })
		.filter((file) => file.endsWith('.json'))
		.flatMap((file) => matchesIn(readFileSync(join(SCHEMAS, file), 'utf8'), /"(\w+)": \{/g));
