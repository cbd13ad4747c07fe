/**
 * The service's placeholder for the link uses double curly brackets, like n8n's expressions. Plain
 * text reaches the service unchanged; in an expression, n8n would evaluate the placeholder to
 * nothing. `[[resource_link]]` works in both. Pure.
 */
import { isRecord, type JsonRecord } from '../../api/schemas';

const PLACEHOLDER = '{{resource_link}}';

export const withServicePlaceholder = (template: string): string =>
	template.replace(/\[\[\s*resource_link\s*\]\]/g, PLACEHOLDER);

/** Whether the stored text is an expression that would lose the placeholder. */
export function losesPlaceholder(stored: JsonRecord, [group, name]: [string, string]): boolean {
	const values = stored[group];
	const typed = isRecord(values) ? values[name] : undefined;
	return typeof typed === 'string' && /^=[\s\S]*\{\{\s*resource_link\s*\}\}/.test(typed);
}
