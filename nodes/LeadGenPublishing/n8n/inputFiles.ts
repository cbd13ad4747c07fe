/** The files of an input item, where n8n keeps them. */
import type { IExecuteFunctions } from 'n8n-workflow';

import type { InputFiles } from '../writes/files/file';

export function inputFiles(functions: IExecuteFunctions, item: number): InputFiles {
	const { helpers } = functions;
	return {
		fields: { ...functions.getInputData()[item]?.binary },
		sizeOf: async (id) => (await helpers.getBinaryMetadata(id)).fileSize,
		open: async (id) => await helpers.getBinaryStream(id),
	};
}
