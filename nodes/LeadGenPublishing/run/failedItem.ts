import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { detailsOf, toNodeError } from '../api/errors';

/** The item for the error output: exactly `error`, `message` and `details`. */
export function failedItem(
	functions: IExecuteFunctions,
	error: unknown,
	itemIndex: number,
	clientId?: string,
): INodeExecutionData['json'] {
	const { message, description } = toNodeError(functions.getNode(), error, { itemIndex });
	const sentence = /[.!?\])]$/.test(message) ? message : `${message}.`;
	return {
		error: message,
		message: description ? `${sentence} ${description}` : sentence,
		details: {
			...detailsOf(error),
			...(clientId === undefined ? {} : { client_id: clientId }),
		} as INodeExecutionData['json'],
	};
}
