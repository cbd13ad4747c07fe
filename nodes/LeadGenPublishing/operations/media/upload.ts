import type { JsonRecord } from '../../api/schemas';
import { parameter, requiredFor, textParameter } from '../../panel/fields/parameter';
import {
	failCustomFields,
	readCustomFields,
	withCustomFields,
} from '../../panel/fields/customFields';
import type { ItemCall } from '../operation';
import { inputFiles } from '../../n8n/inputFiles';
import type { Values } from '../../panel/parameters/values';
import { defineOperation } from '../define';
import { binaryPropertyField, fileUrlField, sourceField, SOURCES } from '../../panel/fields/file';
import { beginningOf, binaryFile, type ItemFile } from '../../writes/files/file';
import { fetchingMs, fileFromUrl } from '../../writes/files/fileFromUrl';
import { readFileName } from '../../writes/files/fileName';
import {
	checkUpload,
	CONTENT_TYPES,
	contentTypeOptions,
	extensionOf,
	plainType,
} from '../../writes/files/limits';
import { typeOfBytes } from '../../writes/files/fileType';
import { uploadFile } from '../../writes/files/uploadFile';
import type { InputError } from '../../words/inputError';
import { withoutEmptyUrl } from './publicUrl';

export const upload = defineOperation({
	value: 'upload',
	action: 'Upload file',
	description: 'Upload an image or a PDF from the input item or a URL',
	// An upload URL without a file has no effect, so the outcome of an attempt does not matter.
	repeatable: 'untilDone',
	outside: { kind: 'nothing' },
	endpoints: ['media.createUploadUrl'],
	dryRunNotes: ['The file would then be sent to the upload URL that the service returns.'],
	fields: [
		sourceField,
		{ ...binaryPropertyField, required: true },
		...requiredFor(fileUrlField, { parameter: 'source', value: 'url', not: ['binary'] }),
	],
	customFields: 'body',
	options: [
		parameter('contentType', {
			type: 'options',
			options: contentTypeOptions,
			default: 'image/png',
			description: 'The file type, if the input item has the wrong one',
		}),
		textParameter('fileName', {
			placeholder: 'e.g. guide.pdf',
			description: 'Name of the file, if it should differ from the name in the input item',
		}),
	],
	run: async (call) => {
		const { api, input, functions, itemIndex, notice } = call;
		const chosen = readContentType(input);
		// All that can be checked without the file comes before it is fetched.
		const named = readFileName(input.collection('options'), 'fileName');
		const custom = readCustomFields(input);
		checkUpload(withCustomFields(SOME_FILE, custom), (field, problem, remedy) =>
			wrongField(input, { field, problem, remedy }),
		);
		const file =
			input.choiceOr('source', SOURCES, 'binary') === 'url'
				? await fileFromUrl(api, {
						values: input,
						url: input.text('fileUrl'),
						maxMs: fetchingMs(api),
						contentType: chosen,
					})
				: await binaryFile(inputFiles(functions, itemIndex), {
						values: input,
						property: input.text('binaryPropertyName').trim(),
					});
		const contentType = chosen ?? typeOfBytes(await beginningOf(file)) ?? plainType(file.mimeType);
		const body = uploadBody(call, { file, contentType, named, custom });
		return withoutEmptyUrl(await uploadFile(api, { file, body }), notice);
	},
});

/** A file that may be uploaded. */
const SOME_FILE = { filename: 'upload.pdf', content_type: 'application/pdf', file_size: 1 };

const wrongField = (
	input: Values,
	{ field, problem, remedy }: Readonly<Record<'field' | 'problem' | 'remedy', string>>,
): InputError => failCustomFields(input, `sets "${field}" to a value that ${problem}`, remedy);

/** The type that the user chose. */
function readContentType(input: Values): string | undefined {
	const options = input.collection('options');
	return options.has('contentType') ? options.choice('contentType', CONTENT_TYPES) : undefined;
}

/** The checked body for the upload URL, so that nothing is sent for a file that is not allowed. */
function uploadBody(
	{ input }: Pick<ItemCall, 'input'>,
	{
		file,
		contentType,
		named,
		custom,
	}: {
		file: ItemFile;
		contentType: string;
		/** The name that the user chose. */
		named: string | undefined;
		custom: JsonRecord;
	},
): JsonRecord {
	const { parameter: name } = file;
	const filename = named ?? file.name ?? `upload.${extensionOf(contentType)}`;
	const body = withCustomFields(
		{ filename, content_type: contentType, file_size: file.size },
		custom,
	);
	checkUpload(body, (field, problem, remedy) => {
		if (field in custom) return wrongField(input, { field, problem, remedy });
		const isType = field === 'content_type';
		const what = `names a file whose ${isType ? 'content type' : 'content'} ${problem}`;
		return input.fail(name, what, isType ? NAME_THE_TYPE : remedy);
	});
	if (body.file_size !== file.size) {
		throw failCustomFields(
			input,
			`sets "file_size" to a value that is not the size of the file (${file.size} bytes)`,
			'Remove "file_size" from "Custom Fields": the node measures the file itself.',
		);
	}
	return body;
}

/** Many sources give every file the type application/octet-stream. */
const NAME_THE_TYPE =
	'If it is a JPEG, PNG, GIF, WebP or PDF file, set its type in the option "Content Type". Other files are not accepted.';
