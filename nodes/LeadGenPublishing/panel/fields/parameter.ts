/**
 * Parameters are declared by name. Their labels are derived from their names, here and in errors.
 */
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

/** Options, each with a value, its label and a description. */
export const choices = (descriptions: Readonly<Record<string, string>>): INodePropertyOptions[] =>
	Object.entries(descriptions).map(([value, description]) => ({
		name: labelOf(value),
		value,
		description,
	}));

/**
 * A parameter that is required for one value of another parameter. If that other parameter is an
 * expression, n8n shows this one for every value and would always require it. So it is only
 * required if the value is fixed.
 */
export const requiredFor = (
	field: INodeProperties,
	{ parameter: name, value, not }: { parameter: string; value: string; not: readonly string[] },
): INodeProperties[] => [
	{ ...field, required: true, displayOptions: { hide: { [name]: [{ _cnd: { not: value } }] } } },
	{ ...field, displayOptions: { hide: { [name]: [value, ...not] } } },
];
