/** The API document, read by a program: its endpoints, codes and reasons. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface DocumentedEndpoint {
	task?: string;
	method: string;
	path: string;
	agency: string | null;
	scope: string;
}

export interface ApiDocument {
	endpoints: DocumentedEndpoint[];
	codes: string[];
	reasons: string[];
}

const between = (text: string, start: string, end: string): string => {
	const from = text.indexOf(start);
	const to = text.indexOf(end, from + start.length);
	if (from < 0 || to < 0) throw new Error(`The document has no part "${start}"`);
	return text.slice(from, to);
};

const rowsOf = (part: string): string[][] =>
	part
		.split('\n')
		.filter((line) => line.startsWith('|') && !line.startsWith('|---'))
		.slice(1)
		.map((line) =>
			line
				.split('|')
				.slice(1, -1)
				.map((cell) => cell.trim()),
		);

const call = (cell: string): { method: string; path: string } => {
	const found = /^(GET|POST|PATCH|DELETE) `([^`]*)`|^(GET) ``/.exec(cell);
	if (found === null) throw new Error(`No endpoint: ${cell}`);
	return { method: found[1] ?? found[3] ?? '', path: (found[2] ?? '').trim() };
};

export function parseDocument(): ApiDocument {
	const text = readFileSync(join(__dirname, '..', '..', 'docs', 'api-v1.md'), 'utf8');
	const part4 = between(text, '### 4.1 Table', '### 4.2');
	const table = rowsOf(part4).map(([task = '', direct = '', agency = '', scope = '']) => ({
		task,
		...call(direct),
		agency: agency === 'n/a' ? null : call(agency).path,
		scope: scope === 'valid key' ? 'key' : scope,
	}));
	// Named below the table, without a scope.
	const further = [...between(part4, 'Also existing', '\n').matchAll(/(POST) `([^`]+)`/g)].map(
		([, method = '', path = '']) => ({ method, path, agency: null, scope: 'key' }),
	);

	const part7 = between(text, '## 7. Errors', '## 8.');
	const codes = rowsOf(between(part7, '### 7.1', '### 7.2')).map(([, code = '']) => code);
	const unnumbered = [...between(part7, 'Status numbers for', '\n').matchAll(/`(\w+)`/g)];
	const published = rowsOf(between(part7, '### 7.2', '### 7.3')).map(([, reason = '']) => reason);
	const fast = [...between(part7, '### 7.3', '### 7.4').matchAll(/`(\w+)`/g)];
	const organizations = rowsOf(`${part7.slice(part7.indexOf('### 7.4'))}\n`);
	return {
		endpoints: [...table, ...further],
		codes: [...new Set([...codes, ...unnumbered.map(([, code = '']) => code)])],
		reasons: [
			...published.filter((reason) => reason !== 'varies'),
			...fast.map(([, reason = '']) => reason),
			...organizations.map(([reason = '']) => reason),
		],
	};
}
