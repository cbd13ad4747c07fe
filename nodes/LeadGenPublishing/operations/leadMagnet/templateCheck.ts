import { CUSTOM_FIELDS_PATH, failCustomFields } from '../../fields/customFields';
import type { Values } from '../../parameters/values';
import type { ItemCall } from '../define';
import { losesPlaceholder } from './placeholder';

const PROBLEM = 'is an expression, in which n8n evaluates the placeholder of the service away';

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
			'Write [[resource_link]] instead: it becomes the placeholder of the service.',
		);
	}
	if (!losesPlaceholder(parameters, CUSTOM_FIELDS_PATH)) return;
	throw failCustomFields(
		input,
		PROBLEM,
		'Use the parameter "Text Template" instead, with [[resource_link]] for the link.',
	);
}
