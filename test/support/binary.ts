/** Puts a file on an item through n8n's own binary storage. */
import { Container } from '@n8n/di';
import { BinaryDataService, FileLocation } from 'n8n-core';
import { type INodeExecutionData, fileTypeFromMimeType } from 'n8n-workflow';

import { type BinaryMode, instance, useBinaryMode } from './instance';

export interface BinaryOptions {
	buffer: Buffer;
	fileName?: string;
	mimeType?: string;
	/** The field of the item that has the file. */
	property?: string;
	/** Must be the mode in which the node runs afterwards. */
	mode?: BinaryMode;
}

export async function withBinary(
	item: INodeExecutionData,
	given: BinaryOptions,
): Promise<INodeExecutionData> {
	await instance();
	await useBinaryMode(given.mode ?? 'filesystem');
	const { buffer, fileName, property = 'data' } = given;
	const mimeType = given.mimeType ?? 'application/octet-stream';
	const location = FileLocation.ofExecution('workflow-under-test', '1000');
	const stored = await Container.get(BinaryDataService).store(location, buffer, {
		data: '',
		mimeType,
		fileName,
		fileType: fileTypeFromMimeType(mimeType),
		fileExtension: fileName?.split('.').at(-1),
	});
	return { ...item, binary: { ...item.binary, [property]: stored } };
}
