/**
 * The file of an input item. If n8n stores files outside the items, the file is streamed and never
 * completely in memory. If n8n stores them in the items, it is in memory anyway.
 */
import { isByteStream } from '../../api/body';
import { isRecord, type JsonRecord } from '../../api/schemas';
import type { Values } from '../../panel/parameters/values';
import { fileNameIn } from './fileName';

export interface ItemFile {
	/** The parameter that names the file, and its group, for errors. */
	readonly parameter: 'binaryPropertyName' | 'fileUrl';
	readonly values: Values;
	readonly name?: string;
	readonly mimeType: string;
	readonly size: number;
	/** To be called each time the file is sent. */
	open(): Promise<object>;
}

/** The files of an input item. */
export interface InputFiles {
	/** The binary fields of the item. */
	readonly fields: JsonRecord;
	/** The size of a file that is stored outside the item. */
	readonly sizeOf: (id: string) => Promise<number>;
	readonly open: (id: string) => Promise<object>;
}

/** `values` has the parameter "Input Binary Field", which names the binary field `property`. */
export async function binaryFile(
	files: InputFiles,
	{ values, property }: { values: Values; property: string },
): Promise<ItemFile> {
	const { fields } = files;
	if (fields[property] === undefined) {
		const others = Object.keys(fields);
		throw values.fail(
			'binaryPropertyName',
			`names the binary field "${property}", which the input item does not have`,
			others.length === 0
				? 'The item has no file. Add a node before this one that reads or downloads it.'
				: `The item has ${others.map((name) => `"${name}"`).join(', ')}: enter one of these.`,
		);
	}
	// A Code node may have put anything there.
	const data = isRecord(fields[property]) ? fields[property] : {};
	const name = fileNameIn(textOf(data.fileName) ?? '');
	const parameter = 'binaryPropertyName' as const;
	const about = { parameter, values, name, mimeType: textOf(data.mimeType) ?? '' };
	if (typeof data.id === 'string') return { ...about, ...(await fromStorage(data.id, files)) };
	const content = (textOf(data.data) ?? '?').replace(/\s+/g, '');
	if (STORED_ELSEWHERE.test(content) || !BASE64.test(content)) {
		throw values.fail(
			'binaryPropertyName',
			`names the binary field "${property}", whose "data" is not the content of a file in Base64`,
			'In a Code node, pass on the whole binary field of an item, or make one with this.helpers.prepareBinaryData().',
		);
	}
	return { ...about, ...inMemory(content) };
}

const textOf = (value: unknown): string | undefined =>
	typeof value === 'string' ? value : undefined;

/** A placeholder for content that n8n stores outside the item. */
const STORED_ELSEWHERE = /^(filesystem(-v2)?|s3|azure|database)$/;

/**
 * Node.js ignores characters that are not Base64, so a data URL would decode to a different file.
 */
const BASE64 = /^[\w+/-]*={0,2}$/;

/** The bytes are decoded only when sent. */
const inMemory = (data: string): Pick<ItemFile, 'size' | 'open'> => ({
	size: Buffer.byteLength(data, 'base64'),
	open: async () => Buffer.from(data, 'base64'),
});

const fromStorage = async (
	id: string,
	{ sizeOf, open }: InputFiles,
): Promise<Pick<ItemFile, 'size' | 'open'>> => ({
	size: await sizeOf(id),
	open: async () => await open(id),
});

/** Enough bytes to recognize any type of file. */
const BEGINNING = 16;

/** The first bytes of the file. */
export async function beginningOf(file: Pick<ItemFile, 'open'>): Promise<Buffer> {
	let beginning = Buffer.alloc(0);
	for await (const part of partsOf(await file.open())) {
		beginning = Buffer.concat([beginning, part.subarray(0, BEGINNING)]);
		if (beginning.length >= BEGINNING) break;
	}
	return beginning.subarray(0, BEGINNING);
}

/** The content of a file, in parts. */
export async function* partsOf(content: object): AsyncGenerator<Uint8Array> {
	if (content instanceof Uint8Array) yield content;
	else if (isByteStream(content)) yield* content;
}
