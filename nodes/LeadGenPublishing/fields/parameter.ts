/** Parameters are declared by their names: their labels are made of them, here and in errors. */
import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { labelOf } from '../parameters/labels';

type Declared = Omit<INodeProperties, 'displayName' | 'name'>;

export const parameter = (name: string, declared: Declared): INodeProperties => ({
	displayName: labelOf(name),
	name,
	...declared,
});

export const textParameter = (
	name: string,
	{ typeOptions, ...declared }: Omit<Declared, 'type' | 'default'> & { default?: string },
): INodeProperties => parameter(name, { type: 'string', typeOptions, default: '', ...declared });

export const numberParameter = (
	name: string,
	{ min, standard, description }: { min: number; standard: number; description: string },
): INodeProperties =>
	parameter(name, {
		type: 'number',
		typeOptions: { minValue: min },
		default: standard,
		description,
	});

/** Values with what each of them means. */
export const choices = (descriptions: Readonly<Record<string, string>>): INodePropertyOptions[] =>
	Object.entries(descriptions).map(([value, description]) => ({
		name: labelOf(value),
		value,
		description,
	}));

/**
 * A parameter that is required for one choice of another parameter. n8n shows what depends on an
 * expression, and would demand it for every choice, so it is required only where the choice is fixed.
 */
export const requiredFor = (
	field: INodeProperties,
	{ parameter: name, value, not }: { parameter: string; value: string; not: readonly string[] },
): INodeProperties[] => [
	{ ...field, required: true, displayOptions: { hide: { [name]: [{ _cnd: { not: value } }] } } },
	{ ...field, displayOptions: { hide: { [name]: [value, ...not] } } },
];
