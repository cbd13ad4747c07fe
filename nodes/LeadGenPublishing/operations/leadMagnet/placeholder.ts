/**
 * The service's placeholder for the link uses double curly brackets, like n8n's expressions. Plain
 * text reaches the service unchanged; in an expression, n8n would evaluate the placeholder to
 * nothing. `[[resource_link]]` works in both. Pure.
 */
import { isRecord, type JsonRecord } from '../../api/schemas';

const PLACEHOLDER = '{{resource_link}}';

export const withServicePlaceholder = (template: string): string =>
	template.replace(/\[\[\s*resource_link\s*\]\]/g, PLACEHOLDER);

/** Whether what is stored there is an expression that would lose the placeholder. */
export function losesPlaceholder(stored: JsonRecord, path: readonly string[]): boolean {
	const typed = path.reduce<unknown>(
		(held, name) => (isRecord(held) ? held[name] : undefined),
		stored,
	);
	return typeof typed === 'string' && /^=[\s\S]*\{\{\s*resource_link\s*\}\}/.test(typed);
}
