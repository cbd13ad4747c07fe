import {
	failCustomFields,
	readCustomFields,
	withCustomFields,
} from '../../panel/fields/customFields';
import { defineOperation } from '../define';
import { readFileName } from '../../writes/files/fileName';
import {
	checkUpload,
	CONTENT_TYPES,
	contentTypeOptions,
	type UploadField,
} from '../../writes/files/limits';
import { parameter, textParameter } from '../../panel/fields/parameter';
import { withoutEmptyUrl } from './publicUrl';

const PARAMETER_OF: Readonly<Record<UploadField, string>> = {
	content_type: 'contentType',
	file_size: 'fileSize',
	filename: 'fileName',
};

export const createUploadUrl = defineOperation({
	action: 'Create upload URL',
	description: 'Create a short-lived, secret URL for uploading one file',
	repeatable: true,
	outside: { kind: 'nothing' },
	endpoints: ['media.createUploadUrl'],
	fields: [
		textParameter('fileName', {
			required: true,
			placeholder: 'e.g. guide.pdf',
			description:
				'Name of the file with its extension. To send a file from the workflow, use Upload instead.',
		}),
		parameter('contentType', {
			type: 'options',
			options: contentTypeOptions,
			default: 'image/png',
			description: 'Type of the file',
		}),
		textParameter('fileSize', {
			// Text, because n8n does not notice that a required number is missing.
			required: true,
			placeholder: 'e.g. 482133',
			description:
				'Exact size of the file: at most 5242880 (5 MB) for an image, 15728640 (15 MB) for a PDF',
		}),
	],
	customFields: 'body',
	run: async ({ api, input, notice }) => {
		const custom = readCustomFields(input);
		const body = withCustomFields(
			{
				filename: readFileName(input, 'fileName') ?? input.text('fileName'),
				content_type: input.choice('contentType', CONTENT_TYPES),
				file_size: input.integer('fileSize', { min: 1 }),
			},
			custom,
		);
		checkUpload(body, (field, problem, remedy) =>
			field in custom
				? failCustomFields(input, `sets "${field}" to a value that ${problem}`, remedy)
				: input.fail(PARAMETER_OF[field], problem, remedy),
		);
		return withoutEmptyUrl((await api.call('media.createUploadUrl', { body })).data, notice);
	},
});
