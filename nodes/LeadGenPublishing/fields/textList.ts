/** A parameter with any number of texts, each of which may be an expression that gives a list. */
import type { INodeProperties } from 'n8n-workflow';

export const textList = (
	field: INodeProperties,
	multipleValueButtonText: string,
): INodeProperties => ({
	...field,
	typeOptions: { multipleValues: true, multipleValueButtonText },
});
