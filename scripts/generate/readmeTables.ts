/** The tables of the README that are made from the code. `npm run docs` writes them. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { ASSUMED_FIELDS } from '../../nodes/LeadGenPublishing/api/assumptions';
import { endpoint } from '../../nodes/LeadGenPublishing/api/endpoints';
import { isAgency } from '../../nodes/LeadGenPublishing/operations/index';
import { RESOURCES } from '../../nodes/LeadGenPublishing/operations/index';
import type { Operation } from '../../nodes/LeadGenPublishing/operations/operation';
import { labelOf } from '../../nodes/LeadGenPublishing/panel/parameters/labels';
import { replaceMarked } from './replaceMarked';

const README = join(__dirname, '..', '..', 'README.md');

/** One row for each resource; the reference has each endpoint with its scope. */
function operationsTable(): string {
	const rows = RESOURCES.map(({ name, operations }) => {
		const scopes = operations.flatMap((one) => one.endpoints.map((path) => endpoint(path).scope));
		const cells = [
			name,
			operations.map((operation) => operation.name).join(', '),
			[
				...new Set(scopes.map(shownScope)),
				...operations.filter(sendsNothing).map(withoutScope),
			].join(', '),
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

const sendsNothing = ({ endpoints, keepsItem }: Operation): boolean =>
	keepsItem === true && endpoints.length === 0;
const withoutScope = ({ name }: Operation): string => `none for ${name}`;

const shownScope = (scope: string): string =>
	scope === 'none' ? 'no key' : scope === 'key' ? 'any key' : `\`${scope}\``;

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

export const writeTables = (): void => writeFileSync(README, withTables(readReadme()));
