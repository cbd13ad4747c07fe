/**
 * A parameter that is required for one choice of another parameter. n8n shows what depends on an
 * expression, and would demand it for every choice, so it is required only where the choice is fixed.
 */
import type { INodeProperties } from 'n8n-workflow';

export function requiredFor(
	field: INodeProperties,
	{ parameter, value, not }: { parameter: string; value: string; not: readonly string[] },
): INodeProperties[] {
	return [
		{
			...field,
			required: true,
			displayOptions: { hide: { [parameter]: [{ _cnd: { not: value } }] } },
		},
		{ ...field, displayOptions: { hide: { [parameter]: [value, ...not] } } },
	];
}
