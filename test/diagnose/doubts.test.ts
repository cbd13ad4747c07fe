/** The register of doubts and the code name each other. */
import ts from 'typescript';

import { DOUBTS, doubtNames } from '../../scripts/diagnose/doubts';
import { readSources } from '../docs/sources';

const REGISTER = 'scripts/diagnose/doubts.ts';

interface Declared {
	readonly name: string;
	readonly place: string;
	readonly doubts: readonly string[];
}

const namesIn = (node: ts.Statement): string[] => {
	if (ts.isVariableStatement(node))
		return node.declarationList.declarations.map(({ name }) => name.getText());
	const { name } = node as ts.Statement & { name?: ts.Identifier };
	return name === undefined ? [] : [name.text];
};

const isExported = (node: ts.Statement): boolean =>
	ts.canHaveModifiers(node) &&
	(ts.getModifiers(node) ?? []).some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);

const doubtsAbove = (node: ts.Node): string[] =>
	ts
		.getJSDocTags(node)
		.filter(({ tagName }) => tagName.text === 'doubt')
		.map(({ comment }) => (ts.getTextOfJSDocComment(comment) ?? '').trim());

const sources = readSources();
const declared: Declared[] = sources.flatMap(({ file, tree }) =>
	tree.statements
		.filter(isExported)
		.flatMap((node) =>
			namesIn(node).map((name) => ({ name, place: `${file}: ${name}`, doubts: doubtsAbove(node) })),
		),
);

it('the code that a doubt names exists, and names this doubt', () => {
	const problems = doubtNames.flatMap((doubt) =>
		DOUBTS[doubt].code.flatMap((name) => {
			const found = declared.filter((one) => one.name === name);
			if (found.length === 0)
				return [
					`"${doubt}" names ${name}, but nodes/ exports nothing of that name. Correct "code" of the doubt in ${REGISTER}, or delete the doubt if nothing is left of it. Then run "npm run docs".`,
				];
			return found.some(({ doubts }) => doubts.includes(doubt))
				? []
				: [
						`${found.map(({ place }) => place).join(', ')}: the comment above it needs a line "@doubt ${doubt}", or "code" of this doubt in ${REGISTER} should not name it.`,
					];
		}),
	);
	expect(problems).toEqual([]);
});

it('the register names the code that names a doubt', () => {
	const register: Readonly<Record<string, { readonly code: readonly string[] }>> = DOUBTS;
	const problems = declared.flatMap(({ name, place, doubts }) =>
		doubts.flatMap((doubt) => {
			if (!Object.hasOwn(register, doubt))
				return [`${place}: there is no doubt "${doubt}". Add it to ${REGISTER}.`];
			return register[doubt]?.code.includes(name) === true
				? []
				: [
						`${place} names the doubt "${doubt}". Add it to "code" of this doubt in ${REGISTER}, and run "npm run docs".`,
					];
		}),
	);
	expect(problems).toEqual([]);
});

it('a doubt is only named above an exported declaration', () => {
	const misplaced = sources.flatMap(({ file, tree }) => {
		const named = tree.text.match(/@doubt\b/g)?.length ?? 0;
		const seen = tree.statements.filter(isExported).flatMap(doubtsAbove).length;
		return named === seen
			? []
			: [`${file}: ${named - seen} lines "@doubt" are not in the comment above an exported one`];
	});
	expect(misplaced).toEqual([]);
});
