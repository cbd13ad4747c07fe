/**
 * A source file that has all its mutants in it, each behind a switch: `$m(7) ? mutant : original`.
 * So one load of the code can try all of them, one after the other. Pure.
 */
import ts from 'typescript';

import { faultsOf, isPropertyName, parsed } from './mutants';

/** What the text calls with the number of a mutant: is this the one that is on? See the transform. */
export const SWITCH = '$mutant';

interface Switched {
	readonly id: number;
	readonly replacement: string;
}

/** `first` is the number of the file's first mutant; the others follow in the order of `mutantsOf`. */
export function withSwitches(path: string, text: string, first: number): string {
	const source = parsed(path, text);
	const byNode = new Map<ts.Node, Switched[]>();
	let id = first;
	for (const { node, changes } of faultsOf(source)) {
		const own = byNode.get(node) ?? [];
		for (const [, replacement] of changes) own.push({ id: id++, replacement });
		byNode.set(node, own);
	}
	const print = (node: ts.Node): string => {
		let out = '';
		let at = node.getStart(source);
		for (const child of childrenOf(node)) {
			out += text.slice(at, child.getStart(source)) + print(child);
			at = child.getEnd();
		}
		out += text.slice(at, node.getEnd());
		const own = byNode.get(node);
		return own === undefined ? out : switched(node, out, own);
	};
	const start = source.getStart(source);
	return text.slice(0, start) + print(source) + text.slice(source.getEnd());
}

function childrenOf(node: ts.Node): ts.Node[] {
	const children: ts.Node[] = [];
	ts.forEachChild(node, (child) => {
		// The end of the file is a token of no width; types have no mutants.
		if (child.kind !== ts.SyntaxKind.EndOfFileToken) children.push(child);
	});
	return children.sort((a, b) => a.pos - b.pos);
}

function switched(node: ts.Node, text: string, mutants: readonly Switched[]): string {
	if (ts.isStatement(node)) {
		const conditions = mutants.map(({ id }) => `${SWITCH}(${id})`).join(' || ');
		return `{ if (${conditions}) {} else { ${text} } }`;
	}
	const choices = mutants.map(({ id, replacement }) => `${SWITCH}(${id}) ? (${replacement}) : `);
	const expression = `(${choices.join('')}(${text}))`;
	return isPropertyName(node) ? `[${expression}]` : expression;
}
