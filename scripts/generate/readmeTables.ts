/** The tables of the README that are made from the code. `npm run docs` writes them. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { ASSUMED_FIELDS } from '../../nodes/LeadGenPublishing/api/assumptions';
import { endpoint } from '../../nodes/LeadGenPublishing/api/endpoints';
import { isAgency } from '../../nodes/LeadGenPublishing/operations/describe';
import { RESOURCES } from '../../nodes/LeadGenPublishing/operations/index';
import { labelOf } from '../../nodes/LeadGenPublishing/parameters/labels';

const README = join(__dirname, '..', '..', 'README.md');

function operationsTable(): string {
	const rows = RESOURCES.flatMap((resource) =>
		resource.operations.map((operation) => {
			const calls = operation.endpoints.map(
				(name) => `\`${endpoint(name).method} ${endpoint(name).path || '/'}\``,
			);
			const scopes = operation.endpoints.map((name) => endpoint(name).scope);
			const scope = [...new Set(scopes)].map((one) =>
				one === 'none' ? 'no key' : one === 'key' ? 'any key' : `\`${one}\``,
			);
			const cells = [
				resource.name,
				operation.name,
				calls.join('<br>') || 'none',
				scope.join('<br>') || '',
				isAgency(operation) ? 'yes' : '',
			];
			return `| ${cells.join(' | ')} |`;
		}),
	);
	return [
		'| Resource | Operation | Endpoint | Scope | For clients |',
		'|---|---|---|---|---|',
		...rows,
	].join('\n');
}

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
		(text, [name, make]) =>
			text.replace(
				new RegExp(`(<!-- ${name} -->\\n)[\\s\\S]*?(<!-- /${name} -->)`),
				(_, start: string, end: string) => `${start}${make()}\n${end}`,
			),
		readme,
	);
}

export const writeTables = (): void => writeFileSync(README, withTables(readReadme()));
