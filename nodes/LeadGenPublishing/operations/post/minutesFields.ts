/** Interval and duration of Fast Response, for which the service allows only some values. */
import type { INodeProperties } from 'n8n-workflow';

import { parameter } from '../../panel/fields/parameter';
import type { Values } from '../../panel/parameters/values';

interface Minutes {
	readonly name: string;
	readonly description: string;
	readonly values: readonly number[];
	readonly describe: (value: number) => string;
	/** The service's own default. */
	readonly standard: number;
}

export const INTERVAL: Minutes = {
	name: 'interval',
	description: 'Minutes between two responses',
	values: [2, 5, 10],
	describe: (value) => `A response every ${value} minutes`,
	standard: 10,
};

export const DURATION: Minutes = {
	name: 'duration',
	description: 'Minutes until Fast Response ends',
	values: [30, 60],
	describe: (value) => `Ends after ${value} minutes`,
	standard: 60,
};

/** Nothing is sent, so the service uses its own default. */
const SERVICE_DEFAULT = 'default';

export const minutesField = ({ name, description, values, ...field }: Minutes): INodeProperties =>
	parameter(name, {
		type: 'options',
		options: [
			{
				name: 'Service Default',
				value: SERVICE_DEFAULT,
				description: `Let the service choose, usually ${field.standard} minutes`,
			},
			...values.map((value) => ({
				name: String(value),
				value,
				description: field.describe(value),
			})),
		],
		default: SERVICE_DEFAULT,
		description,
	});

export function readMinutes(input: Values, { name, values }: Minutes): number | undefined {
	const text = input.optionalText(name)?.trim();
	if (text === undefined || text === SERVICE_DEFAULT) return undefined;
	if (values.includes(Number(text))) return Number(text);
	throw input.fail(
		name,
		`must be one of ${values.join(', ')}`,
		'The service allows no other values.',
	);
}
