import type { Values } from '../panel/parameters/values';
import type { RequestBody } from '../panel/parameters/requestBody';

/** An update needs at least one field. */
export function requireChange(input: Values, { body }: RequestBody): void {
	if (Object.keys(body).length > 0) return;
	throw input.fail(
		'updateFields',
		'is empty',
		'Add at least one field to "Update Fields", or one to "Custom Fields". A field whose expression returns no value is left out.',
	);
}
