import { ApiFailure, InputError, type FailureFacts, outcomeOf } from '../../api/failure';
import { asksToWait, isThrottled, mayNeedNewUploadUrl } from '../../api/policy';
import { FIRST_PAUSE_MS } from '../../api/retry';
import type { JsonRecord } from '../../api/schemas';
import { parameter, requiredFor, textParameter } from '../../fields/parameter';
import { failCustomFields, readCustomFields, withCustomFields } from '../../fields/customFields';
import { labelOf } from '../../parameters/labels';
import type { ItemCall } from '../../item/itemCall';
import { defineOperation } from '../define';
import { fileOf, type ItemFile } from './file';
import { fileFromUrl } from './fileFromUrl';
import {
	checkUpload,
	CONTENT_TYPES,
	contentTypeOptions,
	extensionOf,
	limitOf,
	plainType,
} from './limits';

/** Each attempt gets a new upload URL, because a URL can be used only once. */
const MAX_ATTEMPTS = 2;

export const upload = defineOperation({
	value: 'upload',
	action: 'Upload file',
	description: 'Upload an image or a PDF, from the input item or from an address',
	// An upload URL without a file has no effect, so the outcome of an attempt does not matter.
	repeatable: 'untilDone',
	endpoints: ['media.createUploadUrl'],
	dryRunNotes: ['The file would then be sent to the upload URL that the service returns.'],
	fields: [
		parameter('source', {
			type: 'options',
			options: [
				{ name: 'Binary File', value: 'binary', description: 'A file of the input item' },
				{
					name: 'URL',
					value: 'url',
					description: 'A file that everybody can fetch from an address',
				},
			],
			default: 'binary',
			description: 'Where the file comes from',
		}),
		textParameter('binaryPropertyName', {
			default: 'data',
			required: true,
			displayOptions: { hide: { source: ['url'] } },
			hint: 'The name of the input binary field containing the file to be uploaded',
			description:
				'Binary field of the input item that carries the file: an image (JPEG, PNG, GIF or WebP, at most 5 MB) or a PDF (at most 15 MB)',
		}),
		...requiredFor(
			textParameter('fileUrl', {
				placeholder: 'e.g. https://example.com/picture.png',
				description:
					'Address of the file, beginning with https://. It is fetched without the API key, and not from the network of this n8n.',
			}),
			{ parameter: 'source', value: 'url', not: ['binary'] },
		),
	],
	customFields: 'body',
	options: [
		parameter('contentType', {
			type: 'options',
			options: contentTypeOptions,
			default: 'image/png',
			description: 'What kind of file it is, if the input item has it wrong',
		}),
		textParameter('fileName', {
			placeholder: 'e.g. guide.pdf',
			description: 'Name of the file, if it should not be the name in the input item',
		}),
	],
	run: async (call) => {
		const isFromUrl = call.input.choiceOr('source', ['binary', 'url'], 'binary') === 'url';
		const file = isFromUrl ? await fileFromUrl(call) : await fileOf(call);
		const body = uploadBody(call, file);
		let first: ApiFailure | undefined;
		for (let attempt = 1; ; attempt += 1) {
			const { value, failure } = await outcomeOf(uploadOnce(call, { file, body }));
			if (failure === undefined) return value;
			const { facts } = failure;
			// No time was left for another attempt: what the first one met says why.
			if (first !== undefined && facts.kind === 'notSent') throw first;
			first = failure;
			// Where the storage has asked to wait, the next request does.
			const delay = mayNeedNewUploadUrl(facts) || asksToWait(facts) ? 0 : FIRST_PAUSE_MS;
			const mayHelp = mayNeedNewUploadUrl(facts) || (facts.retryable && !hasWaited(facts));
			if (!mayHelp || attempt === MAX_ATTEMPTS || delay > call.api.maxWaitMs) {
				throw new ApiFailure({ ...facts, attempts: attempt, uncertain: false });
			}
			await call.api.wait(delay);
		}
	},
});

/** The client has already waited if the service throttles, but not if the storage does. */
const hasWaited = (facts: FailureFacts): boolean =>
	facts.kind === 'notSent' || (isThrottled(facts) && facts.endpoint !== 'media.upload');

/** The checked body for the upload URL, so that nothing is sent for a file that is not allowed. */
function uploadBody({ input }: ItemCall, file: ItemFile): JsonRecord {
	const { parameter } = file;
	const options = input.collection('options');
	const contentType = options.has('contentType')
		? options.choice('contentType', CONTENT_TYPES)
		: plainType(file.mimeType);
	const fileName =
		options.optionalText('fileName') ?? file.name ?? `upload.${extensionOf(contentType)}`;
	const custom = readCustomFields(input);
	const body = withCustomFields(
		{ filename: fileName.trim(), content_type: contentType, file_size: file.size },
		custom,
	);
	checkUpload(body, (field, problem, remedy) => {
		if (field in custom)
			return failCustomFields(input, `gives "${field}" a value that ${problem}`, remedy);
		const isType = field === 'content_type';
		const what = `names a file whose ${isType ? 'content type' : 'content'} ${problem}`;
		return input.fail(parameter, what, isType ? NAME_THE_TYPE : remedy);
	});
	if (body.file_size !== file.size) {
		throw failCustomFields(
			input,
			`gives "file_size" a value that is not the size of the file (${file.size} bytes)`,
			'Remove "file_size" from "Custom Fields": the node measures the file itself.',
		);
	}
	return body;
}

/** Many sources give every file the type application/octet-stream. */
const NAME_THE_TYPE =
	'If it is a JPEG, PNG, GIF, WebP or PDF file, say which in the option "Content Type". No other files are taken.';

async function uploadOnce(
	{ api }: ItemCall,
	{ file, body }: { file: ItemFile; body: JsonRecord },
): Promise<JsonRecord> {
	const { data } = await api.call('media.createUploadUrl', { body });
	const contentType = String(body.content_type);
	const { max_file_size: named } = data;
	const maxSize = typeof named === 'number' && named > 0 ? named : undefined;
	if (maxSize !== undefined && file.size > maxSize) {
		throw new InputError(
			`The parameter "${labelOf(file.parameter)}" names a file of ${file.size} bytes, but the service takes at most ${maxSize}`,
			'Make the file smaller. An upload address was made for it, but the file was not sent.',
			{ parameter: file.parameter, max_file_size: maxSize },
		);
	}
	const { failure } = await outcomeOf(
		api.upload(data, { size: file.size, contentType, open: file.open }),
	);
	const limit = maxSize ?? limitOf(contentType);
	if (failure !== undefined) throw withLimit(failure, { contentType, size: file.size, limit });
	return {
		path: data.path ?? null,
		public_url: data.public_url ?? null,
		bucket: data.bucket ?? null,
		content_type: data.content_type ?? contentType,
		size: file.size,
	};
}

/** Adds the size limit to the error that a file is too big. */
function withLimit(
	failure: ApiFailure,
	{ contentType, size, limit }: { contentType: string; size: number; limit?: number },
): ApiFailure {
	if (failure.facts.status !== 413 || limit === undefined) return failure;
	const found = `The file has ${size} bytes; the service names a limit of ${limit} bytes for ${contentType}, and the storage may have a lower one.`;
	return new ApiFailure({ ...failure.facts, found });
}
