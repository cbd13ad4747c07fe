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
