/** Options of what gives each item a time. */
import type { INodeProperties } from 'n8n-workflow';

import type { Values } from '../../parameters/values';
import { seeded } from './randomness';

const DEFAULT_OUTPUT = 'scheduled_at';

export const outputFieldOption: INodeProperties = {
	displayName: 'Output Field',
	name: 'outputField',
	type: 'string',
	default: DEFAULT_OUTPUT,
	placeholder: 'e.g. scheduled_at',
	description: 'Field of the output item that gets the due time, in UTC',
};

export const seedOption: INodeProperties = {
	displayName: 'Seed',
	name: 'seed',
	type: 'string',
	default: '',
	placeholder: 'e.g. week-12',
	description:
		'Any text. The same seed gives the same times again, as long as start, settings and number of items are the same.',
};

export function readRandom(options: Values): () => number {
	const seed = options.optionalText('seed');
	return seed === undefined ? Math.random : seeded(seed);
}

export function readOutputField(options: Values): string {
	if (!options.isStored('outputField')) return DEFAULT_OUTPUT;
	const field = options.text('outputField').trim();
	if (field !== 'error') return field;
	throw options.fail(
		'outputField',
		'cannot be "error"',
		'Choose another name: n8n takes an item with an "error" for a failed one.',
	);
}
