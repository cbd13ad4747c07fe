/** What comes out of an operation whose records can be simplified. */
import type { INodeProperties } from 'n8n-workflow';

import type { Values } from '../parameters/values';

const simplifyField = (what: string): INodeProperties => ({
	displayName: 'Simplify',
	name: 'simplify',
	type: 'boolean',
	default: true,
	description: `Whether to return a simplified version of the response instead of the raw data (${what})`,
});

const TOOL = { '@tool': [true] };

/** A person switches, an AI agent may also choose fields, as n8n's guidelines have it. */
export const outputFields = (what: string): INodeProperties[] => [
	{ ...simplifyField(what), displayOptions: { hide: TOOL } },
	{
		displayName: 'Output',
		name: 'output',
		type: 'options',
		options: [
			{ name: 'Raw', value: 'raw', description: 'The record as the service gives it' },
			{
				name: 'Selected Fields',
				value: 'selectedFields',
				description: 'Only the fields that are named below',
			},
			{ name: 'Simplified', value: 'simplified', description: `The record ${what}` },
		],
		default: 'simplified',
		description: 'How much of a record the agent gets',
		displayOptions: { show: TOOL },
	},
	{
		displayName: 'Fields',
		name: 'fields',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. text, status',
		description:
			'Names of fields, separated by commas, as in the simplified or the raw record. Fields that a record does not have are left out.',
		displayOptions: { show: { ...TOOL, output: ['selectedFields'] } },
	},
];

export type Shape =
	| { readonly kind: 'raw' }
	| { readonly kind: 'simplified' }
	| { readonly kind: 'selectedFields'; readonly names: readonly string[] };

/** As in the form's default, when an expression evaluates to nothing. */
export function readShape(input: Values): Shape {
	if (input.isStored('output')) {
		const kind = input.choiceOr('output', ['raw', 'selectedFields', 'simplified'], 'simplified');
		return kind === 'selectedFields' ? { kind, names: readNames(input) } : { kind };
	}
	return { kind: input.flag('simplify', true) ? 'simplified' : 'raw' };
}

function readNames(input: Values): string[] {
	const names = (input.optionalList('fields') ?? []).map(String);
	if (names.length > 0) return names;
	throw input.fail(
		'fields',
		'is empty',
		'Name at least one field, or set "Output" to Simplified or Raw.',
	);
}
