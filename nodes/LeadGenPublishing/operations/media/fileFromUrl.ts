/**
 * The file at an address. What it is shows its content, of which the first bytes say the type; a
 * server that calls it something else that the service does not take is believed.
 */
import { readConnection } from '../../api/client';
import { download, DownloadProblem, type Download } from '../../api/download';
import { InputError } from '../../api/failure';
import type { ItemCall } from '../../item/itemCall';
import type { ItemFile } from './file';
import { CONTENT_TYPES, limitOf, plainType } from './limits';

/** What says nothing about the content. */
const UNKNOWN_TYPES = ['', 'application/octet-stream', 'binary/octet-stream'];
const MAX_BYTES = Math.max(...CONTENT_TYPES.map((type) => limitOf(type) ?? 0));

export async function fileFromUrl({ api, functions, input }: ItemCall): Promise<ItemFile> {
	const url = input.text('fileUrl');
	const { baseUrl } = await readConnection(functions);
	const accept = (contentType: string, size: number | undefined) => {
		const type = plainType(contentType);
		if (!UNKNOWN_TYPES.includes(type) && limitOf(type) === undefined)
			throw new DownloadProblem('leads to something else than an image or a PDF', OTHER_TYPE);
		const limit = limitOf(type) ?? MAX_BYTES;
		if (size !== undefined && size > limit)
			throw new DownloadProblem(`holds ${size} bytes, but at most ${limit} are allowed`, TOO_BIG);
	};
	const wanted = { url, baseUrl, maxBytes: MAX_BYTES, accept };
	const fetched = await api
		.uncounted(async () => await download(functions, wanted))
		.catch((error: unknown) => {
			if (!(error instanceof DownloadProblem)) throw error;
			const { problem, remedy, retryable } = error;
			const next = retryable ? `${remedy} If nothing is wrong there, run it again later.` : remedy;
			throw new InputError(`The parameter "File URL" ${problem}. Nothing was sent`, next, {
				...{ parameter: 'fileUrl', code: 'invalid_input' },
				...(retryable ? { code: 'file_not_fetched', retryable } : {}),
			});
		});
	return fileOf(fetched, input);
}

function fileOf({ bytes, name }: Download, input: ItemCall['input']): ItemFile {
	const mimeType = typeOf(bytes);
	if (mimeType === undefined) {
		throw input.fail('fileUrl', 'leads to something else than an image or a PDF', OTHER_TYPE);
	}
	return {
		...{ parameter: 'fileUrl', mimeType, size: bytes.length },
		...(name === '' ? {} : { name }),
		open: async () => await Promise.resolve(bytes),
	};
}

const OTHER_TYPE =
	'Give the address of the file itself, not of a page that shows it. JPEG, PNG, GIF, WebP and PDF are taken.';
const TOO_BIG = 'Make the file smaller. Nothing was sent for this item.';

/** https://en.wikipedia.org/wiki/List_of_file_signatures */
const SIGNATURES: ReadonlyArray<[type: string, beginning: RegExp]> = [
	['image/jpeg', /^\xff\xd8\xff/],
	['image/png', /^\x89PNG\r\n/],
	['image/gif', /^GIF8[79]a/],
	['image/webp', /^RIFF[^]{4}WEBP/],
	['application/pdf', /^%PDF-/],
];

function typeOf(bytes: Buffer): string | undefined {
	const beginning = bytes.subarray(0, 16).toString('latin1');
	return SIGNATURES.find(([, signature]) => signature.test(beginning))?.[0];
}
