/** The table of `docs/usage.md` that says what an AI model may do. `npm run docs` writes it. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { RESOURCES } from '../../nodes/LeadGenPublishing/operations/index';
import type { Outside } from '../../nodes/LeadGenPublishing/operations/operation';
import { replaceMarked } from './replaceMarked';

const USAGE = join(__dirname, '..', '..', 'docs', 'usage.md');

const MAY: Readonly<Record<Outside['kind'], string>> = {
	always: 'no',
	nothing: 'yes',
	unlessDraft: 'drafts only',
};

function modelTable(): string {
	const rows = RESOURCES.flatMap(({ name: resource, operations }) =>
		operations.flatMap(({ name, outside }) => {
			if (outside === undefined) return [];
			const what = outside.kind === 'nothing' ? 'nothing' : outside.what;
			return [`| ${resource} → ${name} | ${what} | ${MAY[outside.kind]} |`];
		}),
	);
	return [
		'| Operation | What it can change that people outside see | A model may do it alone |',
		'|---|---|---|',
		...rows,
	].join('\n');
}

export const readUsage = (): string => readFileSync(USAGE, 'utf8');
export const withModelTable = (page: string): string => replaceMarked(page, 'models', modelTable());
export const writeModelTable = (): void => writeFileSync(USAGE, withModelTable(readUsage()));
