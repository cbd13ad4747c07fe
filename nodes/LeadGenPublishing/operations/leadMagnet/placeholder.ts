/**
 * The service's placeholder for the link stands in double curly brackets, as n8n's expressions
 * do. Plain text reaches the service as it is; in an expression, n8n would evaluate it and leave
 * nothing. `[[resource_link]]` works in both. Pure.
 */
import { isRecord, type JsonRecord } from '../../api/schemas';

const PLACEHOLDER = '{{resource_link}}';

export const withServicePlaceholder = (template: string): string =>
	template.replace(/\[\[\s*resource_link\s*\]\]/g, PLACEHOLDER);

/** Whether the text as the user typed it is an expression that loses the placeholder. */
export function losesPlaceholder(stored: JsonRecord, [group, name]: [string, string]): boolean {
	const values = stored[group];
	const typed = isRecord(values) ? values[name] : undefined;
	return typeof typed === 'string' && /^=[\s\S]*\{\{\s*resource_link\s*\}\}/.test(typed);
}
