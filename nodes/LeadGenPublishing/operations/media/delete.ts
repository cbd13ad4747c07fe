import { ASSUMED_FIELDS } from '../../api/assumptions';
import { deleteFile } from '../../api/deleteFile';
import type { JsonRecord } from '../../api/schemas';
import { readCustomFields, withCustomFields } from '../../panel/fields/customFields';
import { requireResult } from '../../panel/fields/requireResult';
import { isMissing } from '../../parse/jsonValues';
import type { Values } from '../../panel/parameters/values';
import { defineOperation } from '../define';
import { textParameter } from '../../panel/fields/parameter';

export const deleteMedia = defineOperation({
	action: 'Delete file',
	description: 'Delete an uploaded file permanently',
	outside: { kind: 'always', what: 'the file, in every post that shows it' },
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
	// The document offers neither an idempotency key nor a read for this, so nothing is sent twice.
	run: async ({ api, input }) => {
		const { fields, result } = requestOf(input);
		await deleteFile(fields, async (request) => await api.call('media.delete', request));
		return result;
	},
});

function requestOf(input: Values): { fields: JsonRecord; result: JsonRecord } {
	const custom = readCustomFields(input);
	// The path is not required if "Custom Fields" may identify the file.
	const named = Object.values(custom).some((value) => value !== null);
	// An empty text means that they do. An expression without a result does not.
	if (isMissing(input.raw('path')) && !Object.hasOwn(custom, ASSUMED_FIELDS.mediaPath))
		requireResult(
			input,
			'path',
			'Map the path that the upload returned, or empty text if "Custom Fields" name the file.',
		);
	const path = named ? input.optionalText('path')?.trim() : input.text('path').trim();
	const fields = withCustomFields(
		path === undefined ? {} : { [ASSUMED_FIELDS.mediaPath]: path },
		custom,
	);
	const file = path === undefined ? fields : { path };
	return { fields, result: { deleted: true, ...file } };
}
