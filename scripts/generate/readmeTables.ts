/** The tables of README and reference that are made from the code. `npm run docs` writes them. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { ASSUMED_FIELDS } from '../../nodes/LeadGenPublishing/api/assumptions';
import { endpoint } from '../../nodes/LeadGenPublishing/api/endpoints';
import { isAgency } from '../../nodes/LeadGenPublishing/operations/index';
import { RESOURCES } from '../../nodes/LeadGenPublishing/operations/index';
import type { Operation } from '../../nodes/LeadGenPublishing/operations/operation';
import { labelOf } from '../../nodes/LeadGenPublishing/panel/parameters/labels';
import { replaceMarked } from './replaceMarked';

const ROOT = join(__dirname, '..', '..');
const README = join(ROOT, 'README.md');
const REFERENCE = join(ROOT, 'docs', 'nodes-and-api.md');

/** One row for each resource; the reference has each endpoint with its scope. */
function operationsTable(): string {
	const rows = RESOURCES.map(({ name, operations }) => {
		const scopes = operations.flatMap((one) => one.endpoints.map((path) => endpoint(path).scope));
		const cells = [
			name,
			operations.map(withoutKey).join(', '),
			[...new Set(scopes.filter((scope) => scope !== 'none').map(shownScope))].join(', '),
			operations.some(isAgency) ? 'yes' : '',
		];
		return `| ${cells.join(' | ')} |`;
	});
	return [
		'| Resource | Operations | Scope of the key | For clients |',
		'|---|---|---|---|',
		...rows,
	].join('\n');
}

const isKeyless = ({ endpoints, keepsItem }: Operation): boolean =>
	endpoints.length === 0
		? keepsItem === true
		: endpoints.every((path) => endpoint(path).scope === 'none');
const withoutKey = (operation: Operation): string =>
	isKeyless(operation) ? `${operation.name} (no key needed)` : operation.name;

const shownScope = (scope: string): string => (scope === 'key' ? 'any key' : `\`${scope}\``);

/** One line for each operation, with the sentence that its panel shows. */
const everyOperation = (): string =>
	[
		'| Operation | What it does |',
		'|---|---|',
		...RESOURCES.flatMap(({ name, operations }) =>
			operations.map((operation) => `| ${name} → ${operation.name} | ${operation.description} |`),
		),
	].join('\n');

const assumptionsTable = (): string =>
	[
		'| For | Assumed field |',
		'|---|---|',
		...Object.entries(ASSUMED_FIELDS).map(([name, field]) => `| ${labelOf(name)} | \`${field}\` |`),
	].join('\n');

export const TABLES: Readonly<Record<string, () => string>> = {
	operations: operationsTable,
	assumptions: assumptionsTable,
};

export const readReadme = (): string => readFileSync(README, 'utf8');

export function withTables(readme: string): string {
	return Object.entries(TABLES).reduce(
		(text, [name, make]) => replaceMarked(text, name, make()),
		readme,
	);
}

export const readNodesPage = (): string => readFileSync(REFERENCE, 'utf8');

export const withOperations = (page: string): string =>
	replaceMarked(page, 'everyOperation', everyOperation());

export function writeTables(): void {
	writeFileSync(README, withTables(readReadme()));
	writeFileSync(REFERENCE, withOperations(readNodesPage()));
}
