/** Settings that all operations share that plan times. */
import { readMoment, type MomentContext } from '../../fields/moment';
import { textParameter } from '../../fields/parameter';
import type { Values } from '../../parameters/values';
import { seeded } from './randomness';

export const MINUTE = 60_000;

export const seedOption = textParameter('seed', {
	placeholder: 'e.g. week-12',
	description:
		'Any text. The same seed gives the same times again, as long as start, settings and number of items are the same.',
});

/** `min`: the smallest number allowed. */
export const readMinutesOr = (
	options: Values,
	name: string,
	{ min, fallback }: { min: number; fallback: number },
): number => (options.isStored(name) ? options.integer(name, { min }) : fallback);

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
