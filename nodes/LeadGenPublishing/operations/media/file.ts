/**
 * The file of an input item. Where n8n keeps files beside the items it is streamed and never in
 * memory as a whole; where n8n keeps them inside the items it is there already.
 */
import type { IBinaryData } from 'n8n-workflow';

import type { ItemCall } from '../define';

export interface ItemFile {
	readonly name?: string;
	readonly mimeType: string;
	readonly size: number;
	/** To be called once for each sending. */
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
		: { ...about, ...(await beside(data.id, functions)) };
}

/** The bytes are decoded only when they are sent. */
const inMemory = ({ data }: IBinaryData, about: Pick<ItemFile, 'name' | 'mimeType'>): ItemFile => ({
	...about,
	size: Buffer.byteLength(data, 'base64'),
	open: async () => Buffer.from(data, 'base64'),
});

async function beside(
	id: string,
	{ helpers }: ItemCall['functions'],
): Promise<Pick<ItemFile, 'size' | 'open'>> {
	const { fileSize } = await helpers.getBinaryMetadata(id);
	return { size: fileSize, open: async () => await helpers.getBinaryStream(id) };
}
