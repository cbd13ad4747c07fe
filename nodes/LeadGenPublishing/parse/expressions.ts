/** Expressions in stored parameters. Pure. */

/** n8n stores an expression as text that starts with an equals sign. */
export const isExpression = (stored: unknown): stored is string =>
	typeof stored === 'string' && stored.startsWith('=');

/**
 * The expressions of a template, found like n8n's engine does: up to the first closing brackets.
 */
export function expressionsOfTemplate(template: string): string[] {
	const found: string[] = [];
	for (let at = 0; ;) {
		const open = unescaped(template, '{{', at);
		const close = open < 0 ? -1 : unescaped(template, '}}', open + 2);
		if (close < 0) return found;
		at = close + 2;
		found.push(template.slice(open, at));
	}
}

/** The position of the next brackets without a backslash before them. -1 if there are none. */
function unescaped(template: string, brackets: string, from: number): number {
	let at = template.indexOf(brackets, from);
	while (at > 0 && template.charAt(at - 1) === '\\') at = template.indexOf(brackets, at + 1);
	return at;
}

/** Operators below the plus sign. With one of them, the operands are not parts of the result. */
const OTHER_OPERATORS = /[?:,;=<>&|]/;
const PAIRS: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };

/**
 * The parts that an expression joins into a text, as expressions: `{{ 'row' + $json.id }}` has
 * `{{ $json.id }}`, and so has `{{ ['row', $json.id].join('-') }}`. Empty if it joins nothing, or in a way
 * that is not understood.
 */
export function joinedParts(expression: string): string[] {
	const code = expression.slice(2, -2).trim();
	const entries = entriesOfJoin(code);
	const split = entries === undefined ? splitAt('+', code, OTHER_OPERATORS) : splitAt(',', entries);
	if (split === undefined) return [];
	const { operands, inserted } = split;
	const joined = operands.length > 1 || entries !== undefined ? operands : [];
	const computed = joined.filter((operand) => !isLiteral(operand));
	return [...computed, ...inserted].map((part) => `{{ ${part.trim()} }}`);
}

/** The code between the brackets of `[…].join(…)`. */
function entriesOfJoin(code: string): string | undefined {
	const end = code.startsWith('[') ? endOf(code, 0) : undefined;
	if (end === undefined) return undefined;
	const [call] = /^\s*\.join\s*(?=\()/.exec(code.slice(end)) ?? [];
	return call !== undefined && endOf(code, end + call.length) === code.length
		? // A list may end with a comma.
			code.slice(1, end - 1).replace(/,\s*$/, '')
		: undefined;
}

/**
 * The operands between the separators, and the expressions within their template literals. Undefined if
 * there is an operator of `others`, or if the code is not understood.
 */
function splitAt(
	separator: string,
	code: string,
	others?: RegExp,
): { operands: string[]; inserted: string[] } | undefined {
	const operands = [''];
	const inserted: string[] = [];
	for (let at = 0; at < code.length; at += 1) {
		const character = code.charAt(at);
		const end = endOf(code, at);
		if (end === undefined) return undefined;
		const token = code.slice(at, end);
		if (character === '`') inserted.push(...insertedIn(token));
		if (character === separator) operands.push('');
		else if (others?.test(character) === true && !code.startsWith('?.', at)) return undefined;
		else operands.push(`${operands.pop() ?? ''}${token}`);
		at = end - 1;
	}
	const trimmed = operands.map((operand) => operand.trim());
	// Two plus signs in a row add one to a number.
	return trimmed.includes('') ? undefined : { operands: trimmed, inserted };
}

/** A text that was written into the expression. It may be a separator. */
const isLiteral = (operand: string): boolean =>
	/^['"`]/.test(operand) && endOf(operand, 0) === operand.length;

/** Where a text or a bracket that begins here ends. Undefined if it does not. */
function endOf(code: string, at: number): number | undefined {
	const open = code.charAt(at);
	const close = PAIRS[open];
	if (close === undefined && !/['"`]/.test(open)) return at + 1;
	for (let place = at + 1; place < code.length;) {
		const character = code.charAt(place);
		if (character === (close ?? open)) return place + 1;
		if (close === undefined) {
			const inner =
				open === '`' && code.startsWith('${', place) ? endOf(code, place + 1) : undefined;
			place = inner ?? place + (character === '\\' ? 2 : 1);
		} else {
			const inner = endOf(code, place);
			if (inner === undefined) return undefined;
			place = inner;
		}
	}
	return undefined;
}

/** The expressions in a template literal. */
function insertedIn(literal: string): string[] {
	const found: string[] = [];
	for (let at = literal.indexOf('${'); at >= 0;) {
		const end = endOf(literal, at + 1);
		if (end === undefined) return [];
		found.push(literal.slice(at + 2, end - 1));
		at = literal.indexOf('${', end);
	}
	return found;
}
