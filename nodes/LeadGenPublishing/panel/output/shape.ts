/**
 * The shape of an operation's records: what the user chooses, how a record is simplified, and which
 * fields are added to the records of a client.
 */
import type { INodeProperties } from 'n8n-workflow';

import type { JsonRecord } from '../../api/schemas';
import { addFields, clientFields, simplify, withoutErrorKey, type Simplification } from './record';
import type { Values } from '../parameters/values';
import { parameter, textParameter } from '../fields/parameter';

const simplifyField = (what: string): INodeProperties =>
	parameter('simplify', {
		type: 'boolean',
		default: true,
		description: `Whether to return a simplified version of the response instead of the raw data (${what})`,
	});

const TOOL = { '@tool': [true] };

/** A person gets a switch. An AI agent can also choose fields, as n8n's guidelines ask. */
export const outputFields = (what: string): INodeProperties[] => [
	{ ...simplifyField(what), displayOptions: { hide: TOOL } },
	parameter('output', {
		type: 'options',
		options: [
			{ name: 'Raw', value: 'raw', description: 'The record exactly as the service returns it' },
			{
				name: 'Selected Fields',
				value: 'selectedFields',
				description: 'Only the fields that you list in Fields',
			},
			{ name: 'Simplified', value: 'simplified', description: `The record ${what}` },
		],
		default: 'simplified',
		description: 'How much of a record the agent gets',
		displayOptions: { show: TOOL },
	}),
	textParameter('fields', {
		required: true,
		placeholder: 'e.g. text, status',
		description:
			'Field names from the simplified or raw record, separated by commas. Fields that a record does not have are left out.',
		displayOptions: { show: { ...TOOL, output: ['selectedFields'] } },
	}),
];

interface Shape {
	readonly kind: 'raw' | 'simplified' | 'selectedFields';
	/** The names of the selected fields. */
	readonly names?: readonly string[];
}

/** Reads the chosen shape. If an expression returns nothing, this is the default of the form. */
export function readShape(input: Values): Shape {
	if (!input.isStored('output'))
		return { kind: input.flag('simplify', true) ? 'simplified' : 'raw' };
	const kind = input.choiceOr('output', ['raw', 'selectedFields', 'simplified'], 'simplified');
	if (kind !== 'selectedFields') return { kind };
	const names = (input.optionalList('fields') ?? []).map(String);
	if (names.length > 0) return { kind, names };
	throw input.fail(
		'fields',
		'is empty',
		'Name at least one field, or set "Output" to Simplified or Raw.',
	);
}

/** What an operation says about its records. */
interface Shaped {
	readonly simplification?: Simplification;
	/** Whether its output items are input items with further fields. */
	readonly keepsItem?: true;
}

interface Seen {
	/** The client that the record was read or created for. Undefined for the own account. */
	readonly clientId: string | undefined;
	/** Undefined while unknown. It may be learned from the records themselves. */
	readonly networkWord: string | undefined;
}

/** Reads the parameters before anything is sent, because they may be invalid. */
export function shaping(
	{ simplification, keepsItem }: Shaped,
	input: Values,
): (record: JsonRecord, seen: Seen) => JsonRecord {
	const { kind, names }: Shape = simplification === undefined ? { kind: 'raw' } : readShape(input);
	return (record, { clientId, networkWord }) => {
		const shaped =
			simplification === undefined || kind === 'raw'
				? record
				: simplify(simplification, record, { networkWord, names });
		if (clientId === undefined) return withoutErrorKey(shaped);
		const simplified = kind !== 'raw' || keepsItem === true;
		return addFields(withoutErrorKey(shaped), clientFields({ user_id: clientId }, { simplified }));
	};
}
