/** What the operations share that give each item a time. */
import { readMoment, type MomentContext } from '../../fields/moment';
import { textParameter } from '../../fields/parameter';
import type { Values } from '../../parameters/values';
import { seeded } from './randomness';

export const MINUTE = 60_000;
const DEFAULT_OUTPUT = 'scheduled_at';

export const outputFieldOption = textParameter('outputField', {
	default: DEFAULT_OUTPUT,
	placeholder: 'e.g. scheduled_at',
	description: 'Field of the output item that gets the due time, in UTC',
});

export const seedOption = textParameter('seed', {
	placeholder: 'e.g. week-12',
	description:
		'Any text. The same seed gives the same times again, as long as start, settings and number of items are the same.',
});

export const readMinutesOr = (options: Values, name: string, fallback: number): number =>
	options.isStored(name) ? options.integer(name, { min: 1 }) : fallback;

export function readRandom(options: Values): () => number {
	const seed = options.optionalText('seed');
	return seed === undefined ? Math.random : seeded(seed);
}

/** In ms. Times must still be in the future when they reach the service. */
export function readStart(values: Values, context: MomentContext & { now: number }): number {
	const start = readMoment(values, 'start', context);
	const soonest = context.now + MINUTE;
	return start === undefined ? soonest : Math.max(Date.parse(start), soonest);
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
