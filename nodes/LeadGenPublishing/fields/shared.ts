import type { INodeProperties } from 'n8n-workflow';

import type { Values } from '../parameters/values';

export const maxWaitOption: INodeProperties = {
	displayName: 'Max Wait (Seconds)',
	name: 'maxWaitSeconds',
	type: 'number',
	typeOptions: { minValue: 0, maxValue: 3600 },
	default: 60,
	description:
		'How long an item may wait when the service is slow, fails or asks to slow down. Reading a long list or sending a file does not count. With 0, each request is sent only once.',
};

/** Undefined if the user has not chosen. */
export function readMaxWaitMs(input: Values): number | undefined {
	const options = input.collection('options');
	if (!options.has('maxWaitSeconds')) return undefined;
	return options.integer('maxWaitSeconds', { min: 0, max: 3600 }) * 1000;
}

export const optionsField = (options: readonly INodeProperties[]): INodeProperties => ({
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add Option',
	default: {},
	options: byLabel(options),
});

export const additionalFields = (fields: readonly INodeProperties[]): INodeProperties => ({
	displayName: 'Additional Fields',
	name: 'additionalFields',
	type: 'collection',
	placeholder: 'Add Field',
	default: {},
	options: byLabel(fields),
});

export const updateFields = (
	record: string,
	{ fields, limits = [] }: { fields: readonly INodeProperties[]; limits?: readonly string[] },
): INodeProperties => ({
	displayName: 'Update Fields',
	name: 'updateFields',
	type: 'collection',
	placeholder: 'Add Field',
	default: {},
	description: [
		'What to change; nothing else is sent.',
		`A field that is added and left empty is removed from the ${record}.`,
		...limits,
	].join(' '),
	options: byLabel(fields),
});

/** What keeps a write from happening twice comes first, since nobody looks for what they do not know. */
const FIRST = ['uniqueKey', 'ifExists'];
const rankOf = ({ name }: INodeProperties): number =>
	FIRST.includes(name) ? FIRST.indexOf(name) : FIRST.length;

/** Not by `localeCompare`: its first call loads locale data, for longer than the package loads. */
const byLabel = (fields: readonly INodeProperties[]): INodeProperties[] =>
	[...fields].sort((a, b) => rankOf(a) - rankOf(b) || (a.displayName < b.displayName ? -1 : 1));
