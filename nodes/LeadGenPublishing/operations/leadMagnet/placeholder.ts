/**
 * The service's placeholder for the link uses double curly brackets, like n8n's expressions. Plain
 * text reaches the service unchanged; in an expression, n8n would evaluate the placeholder to
 * nothing. `[[resource_link]]` works in both.
 */
import { isRecord, type JsonRecord } from '../../api/schemas';
import { CUSTOM_FIELDS_PATH, failCustomFields } from '../../panel/fields/customFields';
import type { Values } from '../../panel/parameters/values';
import type { ItemCall } from '../operation';

const PLACEHOLDER = '{{resource_link}}';

export const withServicePlaceholder = (template: string): string =>
	template.replace(/\[\[\s*resource_link\s*\]\]/g, PLACEHOLDER);

/** Whether the stored value is an expression that would lose the placeholder. */
function losesPlaceholder(stored: JsonRecord, path: readonly string[]): boolean {
	const typed = path.reduce<unknown>(
		(held, name) => (isRecord(held) ? held[name] : undefined),
		stored,
	);
	return typeof typed === 'string' && /^=[\s\S]*\{\{\s*resource_link\s*\}\}/.test(typed);
}

const PROBLEM = "is an expression, so n8n would remove the service's placeholder";

/** A message without its link is worse than an error. */
export function checkTemplate(
	{ functions, input }: ItemCall,
	{ values, group }: { values: Values; group: string },
): void {
	const { parameters } = functions.getNode();
	if (losesPlaceholder(parameters, [group, 'textTemplate'])) {
		throw values.fail(
			'textTemplate',
			PROBLEM,
			"Write [[resource_link]] instead. The node turns it into the service's placeholder.",
		);
	}
	if (!losesPlaceholder(parameters, CUSTOM_FIELDS_PATH)) return;
	throw failCustomFields(
		input,
		PROBLEM,
		'Use the parameter "Text Template" instead, with [[resource_link]] for the link.',
	);
}
