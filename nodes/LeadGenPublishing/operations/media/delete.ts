import { ASSUMED_FIELDS } from '../../api/assumptions';
import { customFields, maxWaitOption, optionsField } from '../../fields/shared';
import { readCustomFields, withCustomFields } from '../../fields/customFields';
import { defineOperation } from '../define';

export const deleteMedia = defineOperation({
	value: 'delete',
	name: 'Delete',
	action: 'Delete file',
	description: 'Delete an uploaded file permanently',
	kind: 'write',
	endpoints: ['media.delete'],
	fields: [
		{
			displayName: 'Path',
			name: 'path',
			type: 'string',
			default: '',
			placeholder: 'e.g. 6f1c2f0e/guide.pdf',
			description:
				'Storage path of the file, as the upload returned it. The service does not publish how the file is named in the request; if it expects something else, use Custom Fields.',
		},
		customFields('body'),
		optionsField([maxWaitOption]),
	],
	run: async ({ api, input }) => {
		const custom = readCustomFields(input);
		// Whoever names the file in "Custom Fields" needs no path.
		const named = Object.values(custom).some((value) => value !== null);
		const path = named ? input.optionalText('path')?.trim() : input.text('path').trim();
		const body = withCustomFields(
			path === undefined ? {} : { [ASSUMED_FIELDS.mediaPath]: path },
			custom,
		);
		await api.call('media.delete', { body });
		return { deleted: true, ...(path === undefined ? body : { path }) };
	},
});
