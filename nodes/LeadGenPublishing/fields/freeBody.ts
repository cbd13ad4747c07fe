/** A request whose shape the API document does not show: the user writes its body. */
import type { INodeProperties } from 'n8n-workflow';

import type { JsonRecord } from '../api/schemas';
import { withCustomFields, type Values } from './values';

export const bodyField = (description: string): INodeProperties => ({
	displayName: 'Body',
	name: 'body',
	type: 'json',
	typeOptions: { rows: 6 },
	default: '{}',
	description,
});

export const readBody = (input: Values): JsonRecord =>
	withCustomFields(input.optionalObject('body') ?? {}, input.optionalObject('customFields'));
