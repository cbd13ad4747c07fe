/** Settings shared by all operations that plan times. */
import type { INodeProperties } from 'n8n-workflow';

import { readMoment, type MomentContext } from '../moment';
import { textParameter } from '../parameter';
import type { Values } from '../../parameters/values';
import { seeded } from '../../../planning/slots/randomness';

export const MINUTE = 60_000;

export const seedOption = (description: string): INodeProperties =>
	textParameter('seed', { placeholder: 'e.g. week-12', description });

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
