/**
 * The file of an input item. If n8n stores files outside the items, it is streamed and never in
 * memory as a whole; if n8n stores them in the items, it is in memory anyway.
 */
import type { IBinaryData } from 'n8n-workflow';

import type { ItemCall } from '../define';

export interface ItemFile {
	readonly name?: string;
	readonly mimeType: string;
	readonly size: number;
	/** Call it once per sending. */
	open(): Promise<object>;
}

export async function fileOf({ functions, input, itemIndex }: ItemCall): Promise<ItemFile> {
	const property = input.text('binaryPropertyName').trim();
	const binary = functions.getInputData()[itemIndex]?.binary ?? {};
	const data = binary[property];
	if (data === undefined) {
		const others = Object.keys(binary);
		throw input.fail(
			'binaryPropertyName',
			`names the binary field "${property}", which the input item does not have`,
			others.length === 0
				? 'The item carries no file. Put a node before this one that reads or downloads it.'
				: `The item has ${others.map((name) => `"${name}"`).join(', ')}: enter one of these.`,
		);
	}
	const about = { name: data.fileName, mimeType: data.mimeType };
	return data.id === undefined
		? inMemory(data, about)
		: { ...about, ...(await fromBinaryStorage(data.id, functions)) };
}

/** The bytes are decoded only when sent. */
const inMemory = ({ data }: IBinaryData, about: Pick<ItemFile, 'name' | 'mimeType'>): ItemFile => ({
	...about,
	size: Buffer.byteLength(data, 'base64'),
	open: async () => Buffer.from(data, 'base64'),
});

async function fromBinaryStorage(
	id: string,
	{ helpers }: ItemCall['functions'],
): Promise<Pick<ItemFile, 'size' | 'open'>> {
	const { fileSize } = await helpers.getBinaryMetadata(id);
	return { size: fileSize, open: async () => await helpers.getBinaryStream(id) };
}
