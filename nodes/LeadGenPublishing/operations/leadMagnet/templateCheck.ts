import type { Values } from '../../parameters/values';
import type { ItemCall } from '../define';
import { losesPlaceholder } from './placeholder';

/** A message without its link is worse than an error. */
export function checkTemplate(
	{ functions }: ItemCall,
	{ values, group }: { values: Values; group: string },
): void {
	if (!losesPlaceholder(functions.getNode().parameters, [group, 'textTemplate'])) return;
	throw values.fail(
		'textTemplate',
		'is an expression, in which n8n evaluates the placeholder of the service away',
		'Write [[resource_link]] instead: it becomes the placeholder of the service.',
	);
}
