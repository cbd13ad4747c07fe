import type { INodeProperties } from 'n8n-workflow';

import type { Values } from '../parameters/values';
import { readChoice } from './requireResult';
import { parameter } from './parameter';

export const pagingFields: readonly INodeProperties[] = [
	parameter('returnAll', {
		type: 'boolean',
		default: false,
		description: 'Whether to return all results or only up to a given limit',
	}),
	parameter('limit', {
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 50,
		description: 'Max number of results to return',
		displayOptions: { show: { returnAll: [false] } },
	}),
];

/** The number of records to return. Undefined for all. */
export const readWanted = (input: Values): number | undefined =>
	input.flag('returnAll') ? undefined : input.integer('limit', { min: 1 });

export const onIncompleteListOption = parameter('onIncompleteList', {
	type: 'options',
	options: [
		{ name: 'Fail', value: 'fail' },
		{ name: 'Return What Was Read', value: 'return' },
	],
	default: 'return',
	description: 'What to do if the service reports more records but does not return them',
});

/** Whether to fail if the list may lack records. */
export function readMustBeComplete(input: Values): boolean {
	const choice = { choices: ['return', 'fail'], fallback: 'return' } as const;
	return readChoice(input.collection('options'), 'onIncompleteList', choice) === 'fail';
}
