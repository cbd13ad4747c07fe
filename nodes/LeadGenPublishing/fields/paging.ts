import type { INodeProperties } from 'n8n-workflow';

import type { Values } from '../parameters/values';

export const pagingFields: readonly INodeProperties[] = [
	{
		displayName: 'Return All',
		name: 'returnAll',
		type: 'boolean',
		default: false,
		description: 'Whether to return all results or only up to a given limit',
	},
	{
		displayName: 'Limit',
		name: 'limit',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 50,
		description: 'Max number of results to return',
		displayOptions: { show: { returnAll: [false] } },
	},
];

/** The number of records to return; undefined for all. */
export const readWanted = (input: Values): number | undefined =>
	input.flag('returnAll') ? undefined : input.integer('limit', { min: 1 });
