/** What the code of the package really imports, read from its syntax. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import ts from 'typescript';

const ROOT = join(__dirname, '..', '..');
const HOME = join(ROOT, 'nodes', 'LeadGenPublishing');

export interface Source {
	/** Relative to the node's folder, such as `api/client.ts`. */
	file: string;
	tree: ts.SourceFile;
}

export interface Import {
	from: string;
	/** The target, relative to the node's folder; a package by its name. */
	to: string;
	ours: boolean;
	typesOnly: boolean;
}

const filesIn = (folder: string): string[] =>
	readdirSync(folder, { recursive: true, encoding: 'utf8' })
		.filter((file) => file.endsWith('.ts'))
		.sort()
		.map((file) => join(folder, file));

export const readSources = (): Source[] =>
	[...filesIn(HOME), ...filesIn(join(ROOT, 'credentials'))].map((path) => ({
		file: relative(HOME, path),
		tree: ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.ES2022, true),
	}));

export const importsOf = (sources: readonly Source[]): Import[] =>
	sources.flatMap(({ file, tree }) =>
		tree.statements.flatMap((statement): Import[] => {
			if (!ts.isImportDeclaration(statement) && !ts.isExportDeclaration(statement)) return [];
			const target = statement.moduleSpecifier;
			if (target === undefined || !ts.isStringLiteral(target)) return [];
			const ours = target.text.startsWith('.');
			const to = ours ? join(file, '..', target.text) : target.text;
			return [{ from: file, to, ours, typesOnly: isTypesOnly(statement) }];
		}),
	);

function isTypesOnly(statement: ts.ImportDeclaration | ts.ExportDeclaration): boolean {
	if (ts.isExportDeclaration(statement)) return statement.isTypeOnly;
	const clause = statement.importClause;
	if (clause === undefined || clause.isTypeOnly) return clause !== undefined;
	const named = clause.namedBindings;
	if (clause.name !== undefined || named === undefined || !ts.isNamedImports(named)) return false;
	return named.elements.every(({ isTypeOnly }) => isTypeOnly);
}

/** The room a file lies in: a folder of the node, the node's own files, or the credential. */
export const roomOf = (path: string): string => {
	const inside = path.replace(/^(\.\.\/)+nodes\/LeadGenPublishing\//, '');
	if (inside.startsWith('..')) return 'credentials';
	return inside.includes('/') ? (inside.split('/')[0] ?? '') : 'node';
};
