import { ASSUMED_FIELDS } from '../../api/assumptions';
import type { JsonRecord } from '../../api/schemas';
import { readCustomFields, withCustomFields } from '../../fields/customFields';
import { requireResult } from '../../fields/requireResult';
import { isMissing } from '../../parameters/parse/jsonValues';
import type { Values } from '../../parameters/values';
import { defineOperation } from '../define';
import { textParameter } from '../../fields/parameter';

export const deleteMedia = defineOperation({
	action: 'Delete file',
	description: 'Delete an uploaded file permanently',
	endpoints: ['media.delete'],
	fields: [
		textParameter('path', {
			required: true,
			placeholder: 'e.g. 6f1c2f0e/guide.pdf',
			description:
				'Path of the file, as the upload returned it. The service does not document how to identify a file. Use Custom Fields to send something else.',
		}),
	],
	customFields: 'body',
	// The document gives neither a key nor a read for it, so nothing is sent a second time.
	run: async ({ api, input }) => {
		const { body, result } = requestOf(input);
		await api.call('media.delete', { body });
		return result;
	},
});

function requestOf(input: Values): { body: JsonRecord; result: JsonRecord } {
	const custom = readCustomFields(input);
	// Not required if "Custom Fields" may contain the name of the file.
	const named = Object.values(custom).some((value) => value !== null);
	// Empty text says that they do; a path that an expression has not found says nothing.
	if (isMissing(input.raw('path')) && !Object.hasOwn(custom, ASSUMED_FIELDS.mediaPath))
		requireResult(
			input,
			'path',
			'Map the path that the upload returned, or empty text if "Custom Fields" name the file.',
		);
	const path = named ? input.optionalText('path')?.trim() : input.text('path').trim();
	const body = withCustomFields(
		path === undefined ? {} : { [ASSUMED_FIELDS.mediaPath]: path },
		custom,
	);
	const file = path === undefined ? body : { path };
	return { body, result: { deleted: true, ...file } };
}
