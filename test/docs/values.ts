/** Whether one value fits its parameter; those that hold further parameters excepted. */
import type { INodeProperties } from 'n8n-workflow';

import { isExpression } from './example';

export const isObject = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

const isText = (value: unknown): value is string => typeof value === 'string';

export const isEmpty = (value: unknown): boolean =>
	value === undefined ||
	value === null ||
	value === '' ||
	(Array.isArray(value) && value.length === 0);

export function plainProblems(property: INodeProperties, value: unknown, at: string): string[] {
	if (isExpression(value)) {
		return property.noDataExpression === true ? [`${at} takes no expression`] : [];
	}
	const must = (holds: boolean, what: string) => (holds ? [] : [`${at} must be ${what}`]);
	switch (property.type) {
		case 'boolean':
			return must(typeof value === 'boolean', 'true or false');
		case 'number':
			return must(typeof value === 'number', 'a number');
		case 'string':
			if (property.typeOptions?.multipleValues === true)
				return must(Array.isArray(value) && value.every(isText), 'a list of texts');
			return must(isText(value), 'text');
		case 'dateTime':
		case 'json':
			return must(isText(value), 'text');
		case 'options':
			return optionProblems(property, [value], at);
		case 'multiOptions':
			return Array.isArray(value) ? optionProblems(property, value, at) : [`${at} must be a list`];
		case 'resourceLocator':
			return locatorProblems(property, value, at);
		case 'resourceMapper':
			return mapperProblems(value, at);
		default:
			return [];
	}
}

function optionProblems(property: INodeProperties, values: unknown[], at: string): string[] {
	if (property.typeOptions?.loadOptionsMethod !== undefined) return [];
	const allowed = (property.options ?? []).flatMap((one) => ('value' in one ? [one.value] : []));
	return values
		.filter((value) => !allowed.some((one) => one === value))
		.map((value) => `${at} has no option ${JSON.stringify(value)}`);
}

function locatorProblems(property: INodeProperties, value: unknown, at: string): string[] {
	if (!isObject(value) || value.__rl !== true) return [`${at} must be a resource locator`];
	const mode = property.modes?.find(({ name }) => name === value.mode);
	if (mode === undefined) return [`${at} has no mode ${JSON.stringify(value.mode)}`];
	const given = value.value;
	if (isExpression(given) || isEmpty(given)) return [];
	return (mode.validation ?? []).flatMap((rule) => {
		if (typeof rule === 'function') return [];
		const { regex, errorMessage } = rule.properties as Record<string, unknown>;
		const fits = typeof regex !== 'string' || new RegExp(`^(?:${regex})$`).test(String(given));
		return fits ? [] : [`${at}: ${String(errorMessage)}`];
	});
}

/** The columns that are set, those that are matched, and those that the editor shows agree. */
function mapperProblems(value: unknown, at: string): string[] {
	// Then the input items say what is written.
	if (isObject(value) && value.mappingMode === 'autoMapInputData') return [];
	if (!isObject(value) || !isObject(value.value)) return [`${at} maps nothing`];
	const listed = Array.isArray(value.schema)
		? value.schema.filter(isObject).map(({ id }) => id)
		: [];
	const set = Object.keys(value.value);
	const matching = Array.isArray(value.matchingColumns) ? value.matchingColumns : [];
	return [
		...set.filter((column) => !listed.includes(column)).map((one) => `${at}: no column ${one}`),
		...listed
			.filter((column) => !set.includes(String(column)))
			.map((one) => `${at}: column ${String(one)} is not set`),
		...matching
			.filter((column) => !set.includes(String(column)))
			.map((one) => `${at}: matched column ${String(one)} is not set`),
	];
}
