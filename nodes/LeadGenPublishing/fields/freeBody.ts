/** For a request whose body the API document does not show: the user writes it. */
import type { INodeProperties } from 'n8n-workflow';

import type { JsonRecord } from '../api/schemas';
import type { Values } from '../parameters/values';
import { parameter } from './parameter';

export const bodyField = (description: string): INodeProperties =>
	parameter('body', {
		type: 'json',
		typeOptions: { rows: 6 },
		default: '{}',
		description,
		builderHint: {
			propertyHint: 'The names of the fields are not published. Do not invent any; ask the user.',
		},
	});

export const readBody = (input: Values): JsonRecord => input.optionalObject('body') ?? {};
