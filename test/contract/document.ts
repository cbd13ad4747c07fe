/** Reads the API reference: its endpoints, codes, reasons, fields and limits. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

interface DocumentedEndpoint {
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

interface Table {
	/** The nearest heading above it. */
	heading: string;
	header: string[];
	rows: string[][];
}

const cellsOf = (line: string): string[] =>
	line
		.split('|')
		.slice(1, -1)
		.map((cell) => cell.trim());

/** Every table of a document, in its order. */
function tablesIn(text: string): Table[] {
	const tables: Table[] = [];
	let heading = '';
	let open: Table | undefined;
	for (const line of text.split('\n')) {
		heading = /^#+ +(.+)$/.exec(line)?.[1] ?? heading;
		if (!line.startsWith('|')) open = undefined;
		else if (open === undefined) tables.push((open = { heading, header: cellsOf(line), rows: [] }));
		else if (!line.startsWith('|---')) open.rows.push(cellsOf(line));
	}
	return tables;
}

const readPage = (name: string): string =>
	readFileSync(join(__dirname, '..', '..', 'docs', name), 'utf8');

export const readDocument = (): string => readPage('api-v1.md');

/**
 * The rows of the tables with these first cells in their header. There must be this many tables.
 */
export function rowsUnder(header: readonly string[], { count = 1, heading = '' } = {}): string[][] {
	// What the nodes do is on another page.
	const text = `${readDocument()}\n${readPage('nodes-and-api.md')}`;
	const found = tablesIn(text).filter(
		(table) =>
			header.every((cell, index) => table.header[index] === cell) &&
			(heading === '' || table.heading === heading),
	);
	if (found.length !== count)
		throw new Error(
			`The reference has ${found.length} tables "${header.join(' | ')}"${heading && ` under "${heading}"`} instead of ${count}. Each needs a heading of its own.`,
		);
	return found.flatMap(({ rows }) => rows);
}

/** `name` → name; undefined for a cell that names nothing. */
export const nameIn = (cell = ''): string | undefined => /^`([^`]+)`$/.exec(cell)?.[1];
const namesIn = (rows: readonly string[][], column: number): string[] =>
	rows.flatMap((row) => nameIn(row[column]) ?? []);

const call = (cell: string): { method: string; path: string } => {
	const found = /^(GET|POST|PATCH|DELETE) `([^`]*)`|^(GET) ``/.exec(cell);
	if (found === null) throw new Error(`No endpoint: ${cell}`);
	return { method: found[1] ?? found[3] ?? '', path: (found[2] ?? '').trim() };
};

export function parseDocument(): ApiDocument {
	const endpoints = rowsUnder(['Operation', 'What it does', 'Own account']).map(
		([, , direct = '', agency = '', scope = '']) => ({
			...call(direct),
			agency: agency === 'none' ? null : call(agency).path,
			// If none is shown, any key is assumed to do.
			scope: nameIn(scope) ?? (scope === 'no key' ? 'none' : 'key'),
		}),
	);
	const codes = namesIn(rowsUnder(['HTTP', 'Code']), 1);
	return {
		endpoints,
		codes: [...new Set(codes)],
		reasons: [
			...namesIn(rowsUnder(['Reason', 'HTTP', 'Code']), 0),
			...namesIn(rowsUnder(['Reason', 'Meaning'], { count: 2 }), 0),
		],
	};
}

/** The fields that the section of a resource names, in its tables of fields. */
export const documentedFields = (heading: string): string[] =>
	namesIn(rowsUnder(['Field', 'Type'], { heading }), 0);
