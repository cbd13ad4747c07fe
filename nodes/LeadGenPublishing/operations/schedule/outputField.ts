/** The field of the output item that gets the due time. */
import { textParameter } from '../../panel/fields/parameter';
import type { Values } from '../../panel/parameters/values';

const DEFAULT_OUTPUT = 'scheduled_at';

export const outputFieldOption = textParameter('outputField', {
	default: DEFAULT_OUTPUT,
	placeholder: 'e.g. scheduled_at',
	description: 'Field of the output item that gets the due time, in UTC',
});

export function readOutputField(options: Values): string {
	if (!options.isStored('outputField')) return DEFAULT_OUTPUT;
	const field = options.text('outputField').trim();
	if (field !== 'error') return field;
	throw options.fail(
		'outputField',
		'cannot be "error"',
		'Choose a different name: n8n treats an item with an "error" field as failed.',
	);
}
