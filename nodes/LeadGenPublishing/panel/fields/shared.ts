import type { INodeProperties } from 'n8n-workflow';

import type { Values } from '../parameters/values';
import { parameter } from './parameter';

const MAX_WAIT_SECONDS = { min: 0, max: 3600 };

export const maxWaitOption = parameter('maxWaitSeconds', {
	type: 'number',
	typeOptions: { minValue: MAX_WAIT_SECONDS.min, maxValue: MAX_WAIT_SECONDS.max },
	default: 60,
	description:
		'How long an item may wait when the service is slow, fails or throttles requests. Time spent reading a long list or sending a file does not count. If set to 0, each request is sent only once.',
});

/** Undefined if the user has not chosen. */
export function readMaxWaitMs(input: Values): number | undefined {
	const options = input.collection('options');
	if (!options.has('maxWaitSeconds')) return undefined;
	return options.integer('maxWaitSeconds', MAX_WAIT_SECONDS) * 1000;
}

const collection = (
	name: string,
	{
		add,
		fields,
		...described
	}: { add: string; fields: readonly INodeProperties[]; description?: string },
): INodeProperties =>
	parameter(name, {
		type: 'collection',
		placeholder: `Add ${add}`,
		default: {},
		...described,
		options: byLabel(fields),
	});

export const optionsField = (fields: readonly INodeProperties[]): INodeProperties =>
	collection('options', { add: 'Option', fields });

export const additionalFields = (fields: readonly INodeProperties[]): INodeProperties =>
	collection('additionalFields', { add: 'Field', fields });

export const filtersField = (fields: readonly INodeProperties[]): INodeProperties =>
	collection('filters', { add: 'Filter', fields });

export const updateFields = (
	record: string,
	{ fields, limits = [] }: { fields: readonly INodeProperties[]; limits?: readonly string[] },
): INodeProperties =>
	collection('updateFields', {
		add: 'Field',
		fields,
		description: [
			'The fields to change. Nothing else is sent.',
			`A field that you add and leave empty clears the value of the ${record}. The update fails if the ${record} needs a value.`,
			...limits,
		].join(' '),
	});

/**
 * Options that keep a write from happening twice come first, because users do not search for
 * options that they do not know.
 */
const FIRST = ['uniqueKey', 'ifExists'];
const rankOf = ({ name }: INodeProperties): number =>
	FIRST.includes(name) ? FIRST.indexOf(name) : FIRST.length;

/**
 * Not by `localeCompare`: its first call loads locale data, which takes longer than loading the
 * package.
 */
const byLabel = (fields: readonly INodeProperties[]): INodeProperties[] =>
	[...fields].sort((a, b) => rankOf(a) - rankOf(b) || (a.displayName < b.displayName ? -1 : 1));
