/** Interval and duration of Fast Response, for which the service allows only some values. */
import type { INodeProperties } from 'n8n-workflow';

export interface MinutesField {
	readonly displayName: string;
	readonly name: string;
	readonly description: string;
	readonly values: readonly number[];
	readonly describe: (value: number) => string;
	/** What the service takes when nothing is sent. */
	readonly standard: number;
}

export const INTERVAL: MinutesField = {
	displayName: 'Interval (Minutes)',
	name: 'interval',
	description: 'Minutes between two responses',
	values: [2, 5, 10],
	describe: (value) => `A response every ${value} minutes`,
	standard: 10,
};

export const DURATION: MinutesField = {
	displayName: 'Duration (Minutes)',
	name: 'duration',
	description: 'Minutes until it ends by itself',
	values: [30, 60],
	describe: (value) => `Ends after ${value} minutes`,
	standard: 60,
};

/** Says that nothing is sent, so that the service takes its own default. */
export const SERVICE_DEFAULT = 'default';

export const minutesField = ({
	displayName,
	name,
	description,
	values,
	describe,
	standard,
}: MinutesField): INodeProperties => ({
	displayName,
	name,
	type: 'options',
	options: [
		{
			name: 'Service Default',
			value: SERVICE_DEFAULT,
			description: `Leave it to the service, which usually takes ${standard} minutes`,
		},
		...values.map((value) => ({ name: String(value), value, description: describe(value) })),
	],
	default: SERVICE_DEFAULT,
	description,
});
