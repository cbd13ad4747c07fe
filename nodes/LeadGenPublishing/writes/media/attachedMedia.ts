/**
 * Opens and checks the attached files before anything is sent: the type of each, by its bytes, and
 * what the post gets from them.
 *
 * | files                   | the post gets         |
 * | ----------------------- | --------------------- |
 * | images only             | images                |
 * | one PDF                 | a document            |
 * | several PDFs            | an error              |
 * | a PDF and images        | an error              |
 */
import { createHash } from 'crypto';

import { InputError } from '../../words/inputError';
import type { JsonRecord } from '../../api/schemas';
import type { Values } from '../../panel/parameters/values';
import type { BoundApi } from '../../item/itemCall';
import { binaryFile, partsOf, type InputFiles, type ItemFile } from '../files/file';
import { fetchingMs, fileFromUrl } from '../files/fileFromUrl';
import { typeOfBytes } from '../files/fileType';
import { checkUpload, extensionOf, limitOf } from '../files/limits';
import type { FileToUpload } from '../files/uploadFile';

/** A file that a row names. */
export type Attachment =
	| { readonly kind: 'binary'; readonly values: Values; readonly property: string }
	| { readonly kind: 'url'; readonly values: Values; readonly url: string };

/** A file that was checked. */
export interface AttachedFile extends FileToUpload {
	readonly contentType: string;
	readonly sha256: string;
}

export type AttachedMedia =
	| { readonly kind: 'images'; readonly files: readonly AttachedFile[] }
	| { readonly kind: 'document'; readonly files: readonly [AttachedFile] };

interface Sources {
	readonly api: BoundApi;
	readonly files: InputFiles;
}

export async function openMedia(
	sources: Sources,
	attachments: readonly Attachment[],
): Promise<AttachedMedia | undefined> {
	const { api } = sources;
	const until = api.now() + fetchingMs(api);
	const files: AttachedFile[] = [];
	let fetched = 0;
	for (const attachment of attachments) {
		const file = await open(sources, attachment, until - api.now());
		if (attachment.kind === 'url') fetched += file.size;
		if (fetched > MAX_FETCHED) throw tooMuch(file);
		files.push(await checked(file));
	}
	return mediaOf(files);
}

const open = async (
	{ api, files }: Sources,
	attachment: Attachment,
	maxMs: number,
): Promise<ItemFile> => {
	const { values } = attachment;
	return attachment.kind === 'url'
		? await fileFromUrl(api, { values, url: attachment.url, maxMs })
		: await binaryFile(files, { values, property: attachment.property });
};

const MEBIBYTE = 1024 * 1024;
/** Files from URLs are all in memory until the last one is checked. */
const MAX_FETCHED = 64 * MEBIBYTE;

const tooMuch = ({ values, parameter }: ItemFile): InputError =>
	values.fail(
		parameter,
		`exceeds the limit: the node downloads at most ${MAX_FETCHED / MEBIBYTE} MB of files for an item`,
		'Attach fewer or smaller files.',
	);

async function checked(file: ItemFile): Promise<AttachedFile> {
	const { contentType, sha256 } = await examined(file);
	const { values, parameter, name, size } = file;
	const body: JsonRecord = {
		filename: (name ?? `upload.${extensionOf(contentType)}`).trim(),
		content_type: contentType,
		file_size: size,
	};
	checkUpload(body, (_, problem, remedy) =>
		values.fail(parameter, `names a file whose content ${problem}`, remedy),
	);
	return { file, body, contentType, sha256 };
}

/** Enough bytes to recognize any type of file. */
const BEGINNING = 16;

/** Reads the file once. It stops as soon as it is clear that the file is not allowed. */
async function examined(file: ItemFile): Promise<{ contentType: string; sha256: string }> {
	const hash = createHash('sha256');
	let beginning = Buffer.alloc(0);
	for await (const part of partsOf(await file.open())) {
		hash.update(part);
		if (beginning.length >= BEGINNING) continue;
		beginning = Buffer.concat([beginning, part]);
		if (beginning.length >= BEGINNING && file.size > (limitOf(typeIn(file, beginning)) ?? 0)) break;
	}
	return { contentType: typeIn(file, beginning), sha256: hash.digest('hex') };
}

function typeIn({ values, parameter, size }: ItemFile, beginning: Buffer): string {
	const type = typeOfBytes(beginning);
	if (type !== undefined) return type;
	if (size === 0)
		throw values.fail(parameter, 'names an empty file', 'A file needs at least one byte.');
	throw values.fail(
		parameter,
		'names a file that is neither an image nor a PDF',
		'JPEG, PNG, GIF, WebP and PDF are allowed. The node looks at the content of the file, not at its name.',
	);
}

/** What the post gets from these files. */
export function mediaOf(files: readonly AttachedFile[]): AttachedMedia | undefined {
	const [first, ...others] = files;
	if (first === undefined) return undefined;
	const pdfs = files.filter(({ contentType }) => contentType === 'application/pdf').length;
	if (pdfs === 0) return { kind: 'images', files };
	if (others.length === 0) return { kind: 'document', files: [first] };
	throw pdfs === files.length ? severalDocuments(pdfs) : mixed();
}

const inAttachments = (problem: string, remedy: string): InputError =>
	new InputError(
		`The parameter "Additional Fields > Attachments" ${problem}`,
		remedy,
		{ parameter: 'attachments' },
		'Nothing was sent',
	);

const mixed = (): InputError =>
	inAttachments(
		'contains a PDF and an image, but a post has either images or one document',
		'Attach either images or one PDF. For both, create two posts.',
	);
const severalDocuments = (count: number): InputError =>
	inAttachments(
		`contains ${count} PDFs, but a post has at most one document`,
		'Attach one PDF, or merge the PDFs first.',
	);

/**
 * What the post gets from the files, with placeholders for their URLs, which are only known after
 * the upload.
 */
export function fieldsToCome(media: AttachedMedia | undefined): JsonRecord {
	if (media === undefined) return {};
	const addresses = media.files.map(({ body }) => `(URL of ${String(body.filename)})`);
	return media.kind === 'images' ? { images: addresses } : { document_url: addresses[0] };
}

/** How long the digest of the files is, in characters: 96 bits. */
const DIGEST_LENGTH = 16;

/**
 * Recognizes the same files in another run by their number, their total size and a digest of their
 * contents in order. It hardly grows with the number of files. Names are left out, because the URL
 * of the same file may change.
 */
export function digestOfFiles({ files }: AttachedMedia): string {
	const sizes = files.map(({ file }) => file.size);
	const content = createHash('sha256').update(files.map(({ sha256 }) => sha256).join('\n'));
	const size = sizes.reduce((sum, one) => sum + one, 0);
	return `${files.length}.${size}.${content.digest('base64url').slice(0, DIGEST_LENGTH)}`;
}
