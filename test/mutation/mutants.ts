/**
 * Small faults that could stand in a source file, one at a time: what a slip of the keyboard or of the
 * mind would leave. Sentences for people are left alone; other tests hold their form. Pure.
 */
import ts from 'typescript';

export interface Mutant {
	readonly start: number;
	readonly end: number;
	readonly replacement: string;
	/** From 1 on. */
	readonly line: number;
	readonly kind: string;
}

type Change = readonly [kind: string, replacement: string];

const BINARY: Readonly<Record<string, readonly string[]>> = {
	'<': ['<=', '>'],
	'<=': ['<', '>'],
	'>': ['>=', '<'],
	'>=': ['>', '<'],
	'===': ['!=='],
	'!==': ['==='],
	'+': ['-'],
	'-': ['+'],
	'*': ['/'],
	'/': ['*'],
	'%': ['*'],
	'&&': ['||'],
	'||': ['&&'],
	'??': ['&&'],
	'+=': ['-='],
	'-=': ['+='],
	'||=': ['&&='],
	'??=': ['='],
};

const ASSIGNMENTS = new Set(['+=', '-=', '||=', '??=']);

const METHODS: Readonly<Record<string, string>> = {
	some: 'every',
	every: 'some',
	min: 'max',
	max: 'min',
	floor: 'ceil',
	ceil: 'floor',
	startsWith: 'endsWith',
	endsWith: 'startsWith',
	find: 'findLast',
	findLast: 'find',
	toLowerCase: 'toUpperCase',
	toUpperCase: 'toLowerCase',
	indexOf: 'lastIndexOf',
};
/** A call that is left out: `a.trim()` becomes `a`. */
const OMITTED = new Set(['trim', 'filter', 'slice', 'sort', 'reverse', 'flat']);

/** Properties that hold words for people, or for models. */
const WORDS =
	/^(displayName|description|action|placeholder|hint|message|title|notice|builderHint|propertyHint|emptyText|url|documentationUrl|label)$/;

/** A place, and what could stand there instead of what does. */
export interface Fault {
	readonly node: ts.Node;
	readonly changes: readonly Change[];
}

export const parsed = (path: string, text: string): ts.SourceFile =>
	ts.createSourceFile(path, text, ts.ScriptTarget.ES2022, true);

export function mutantsOf(path: string, text: string): Mutant[] {
	const source = parsed(path, text);
	return faultsOf(source).flatMap(({ node, changes }) => {
		const start = node.getStart(source);
		const line = source.getLineAndCharacterOfPosition(start).line + 1;
		return changes.map(([kind, replacement]) => ({
			...{ start, end: node.getEnd(), replacement, line, kind },
		}));
	});
}

/** In the order of the text; each place has all its changes, and comes before those inside it. */
export function faultsOf(source: ts.SourceFile): Fault[] {
	const faults: Fault[] = [];
	const put = (node: ts.Node, changes: readonly Change[]): void => {
		if (changes.length === 0) return;
		const whole = chainOf(node);
		const [before, after] = [
			source.text.slice(whole.getStart(source), node.getStart(source)),
			source.text.slice(node.getEnd(), whole.getEnd()),
		];
		const ofWhole = changes.map(([kind, text]): Change => [kind, `${before}${text}${after}`]);
		faults.push({ node: whole, changes: ofWhole });
	};
	const visit = (node: ts.Node): void => {
		if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isInterfaceDeclaration(node))
			return;
		if (ts.isPropertyAssignment(node) && WORDS.test(node.name.getText(source))) return;
		if (ts.isNewExpression(node) && node.expression.getText(source).endsWith('Error')) return;
		put(placeOf(node), changesOf(node, source));
		ts.forEachChild(node, visit);
	};
	visit(source);
	return faults;
}

/** Where a change of this node stands: the smallest part that it replaces. */
function placeOf(node: ts.Node): ts.Node {
	if (ts.isConditionalExpression(node)) return node.condition;
	if (ts.isIfStatement(node)) return node.expression;
	if (ts.isReturnStatement(node) || ts.isSpreadAssignment(node)) return node.expression ?? node;
	return node;
}

/** The whole of `a?.b().c`, of which no part can stand in brackets by itself. */
function chainOf(node: ts.Node): ts.Node {
	const { parent } = node;
	return ts.isOptionalChain(node) && ts.isOptionalChain(parent) && parent.expression === node
		? chainOf(parent)
		: node;
}

function changesOf(node: ts.Node, source: ts.SourceFile): Change[] {
	const textOf = (one: ts.Node): string => one.getText(source);
	if (ts.isBinaryExpression(node)) {
		const { left, operatorToken, right } = node;
		const operator = textOf(operatorToken);
		// Words that are put together are no sums.
		if (operator === '+' && (isText(left) || isText(right))) return [];
		return (BINARY[operator] ?? []).map((other) => [
			`${operator} → ${other}`,
			ASSIGNMENTS.has(operator)
				? `${textOf(left)} ${other} ${textOf(right)}`
				: `((${textOf(left)}) ${other} (${textOf(right)}))`,
		]);
	}
	if (ts.isPrefixUnaryExpression(node)) {
		if (node.operator === ts.SyntaxKind.ExclamationToken)
			return [['without !', textOf(node.operand)]];
		if (node.operator === ts.SyntaxKind.MinusToken) return [['without -', textOf(node.operand)]];
		return [];
	}
	if (ts.isIfStatement(node) || ts.isConditionalExpression(node))
		return [
			['condition → true', '(true as boolean)'],
			['condition → false', '(false as boolean)'],
		];
	if (node.kind === ts.SyntaxKind.TrueKeyword) return [['true → false', 'false']];
	if (node.kind === ts.SyntaxKind.FalseKeyword) return [['false → true', 'true']];
	if (ts.isNumericLiteral(node))
		return isPropertyName(node) ? [] : [['number + 1', `(${node.text} + 1)`]];
	if (ts.isStringLiteral(node)) return isValue(node) ? [['text → another', `'mutant'`]] : [];
	if (ts.isCallExpression(node)) return calls(node, textOf);
	if (ts.isExpressionStatement(node)) return isSuper(node) ? [] : [['statement left out', ';']];
	if (ts.isReturnStatement(node) && node.expression !== undefined && !isUndefined(node.expression))
		return [['returns undefined', '(undefined as never)']];
	if (ts.isBreakStatement(node) || ts.isContinueStatement(node))
		return [['statement left out', ';']];
	if (ts.isSpreadAssignment(node)) return [['spread left out', '{}']];
	if (ts.isRegularExpressionLiteral(node)) return [...anchors(textOf(node))];
	return [];
}

const isUndefined = (node: ts.Node): boolean => ts.isIdentifier(node) && node.text === 'undefined';

/** `'content-type'` in `{ 'content-type': type }`, `0` in `const { 0: first } = list`. */
export const isPropertyName = (node: ts.Node): boolean =>
	ts.isBindingElement(node.parent)
		? node.parent.propertyName === node
		: (ts.isObjectLiteralElement(node.parent) || ts.isClassElement(node.parent)) &&
			node.parent.name === node;

/** No class that extends another can do without it. */
const isSuper = ({ expression }: ts.ExpressionStatement): boolean =>
	ts.isCallExpression(expression) && expression.expression.kind === ts.SyntaxKind.SuperKeyword;

const isText = (node: ts.Node): boolean =>
	ts.isStringLiteralLike(node) || ts.isTemplateExpression(node);

/** A text that code compares or stores, rather than a sentence or the name of a module. */
function isValue(node: ts.StringLiteral): boolean {
	const { parent, text } = node;
	if (text === '' || text.includes(' ') || text.startsWith('={{')) return false;
	if (ts.isImportDeclaration(parent) || ts.isExportDeclaration(parent)) return false;
	return !ts.isLiteralTypeNode(parent);
}

function calls(node: ts.CallExpression, textOf: (node: ts.Node) => string): Change[] {
	const { expression } = node;
	if (!ts.isPropertyAccessExpression(expression)) return [];
	const name = expression.name.text;
	const object = textOf(expression.expression);
	const other = Object.hasOwn(METHODS, name) ? METHODS[name] : undefined;
	const rest = textOf(node).slice(textOf(expression).length);
	const dot = expression.questionDotToken === undefined ? '.' : '?.';
	return [
		...(other === undefined
			? []
			: [[`${name} → ${other}`, `${object}${dot}${other}${rest}`] as const]),
		...(OMITTED.has(name) ? [[`without ${name}`, object] as const] : []),
	];
}

function* anchors(text: string): Generator<Change> {
	if (text.startsWith('/^')) yield ['regular expression without ^', `/${text.slice(2)}`];
	const end = text.lastIndexOf('/');
	if (text[end - 1] === '$' && text[end - 2] !== '\\')
		yield ['regular expression without $', text.slice(0, end - 1) + text.slice(end)];
}

export const mutated = (text: string, { start, end, replacement }: Mutant): string =>
	text.slice(0, start) + replacement + text.slice(end);
