/**
 * Whether the parameters of a node fit its description: all known, all shown at the same time, none
 * missing, each value one that can be chosen. n8n says little: it drops what it does not know.
 */
import {
	NodeHelpers,
	type INode,
	type INodeProperties,
	type INodeTypeDescription,
} from 'n8n-workflow';

import { isExpression } from './example';

const isObject = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);
const isText = (value: unknown): value is string => typeof value === 'string';

export function parameterProblems(node: INode, description: INodeTypeDescription): string[] {
	const { parameters, typeVersion } = node;
	const { properties } = description;
	const shown = NodeHelpers.getNodeParameters(
		...([properties, parameters, true, false, { typeVersion }, description] as const),
	);
	const isShown = (property: INodeProperties) =>
		NodeHelpers.displayParameter(shown ?? {}, property, { typeVersion }, description);
	const all = { ...node, parameters: { ...shown, ...parameters } };
	const issues = NodeHelpers.getNodeParametersIssues(properties, all, description);
	return [
		...dropped(parameters, shown, ''),
		...Object.values(issues?.parameters ?? {}).flat(),
		...valueProblems(parameters, properties.filter(isShown), ''),
	];
}

/** What n8n does not take over. */
function dropped(written: unknown, kept: unknown, path: string): string[] {
	if (kept === undefined) return [`${path} is unknown, or not shown with the other values`];
	if (typeof written !== 'object' || written === null) return [];
	const inner = new Map<string, unknown>(Object.entries(kept ?? {}));
	return Object.entries(written).flatMap(([name, value]) =>
		dropped(value, inner.get(name), path === '' ? name : `${path}.${name}`),
	);
}

function valueProblems(
	values: Record<string, unknown>,
	properties: readonly INodeProperties[],
	path: string,
): string[] {
	return Object.entries(values).flatMap(([name, value]) => {
		// Several may have one name, of which one is shown.
		const each = properties
			.filter((property) => property.name === name)
			.map((property) => problemsOf(property, value, `${path}${name}`));
		return each.some((problems) => problems.length === 0) ? [] : (each[0] ?? []);
	});
}

function problemsOf(property: INodeProperties, value: unknown, at: string): string[] {
	const { type, options = [], typeOptions } = property;
	if (isExpression(value))
		return property.noDataExpression === true ? [`${at} takes no expression`] : [];
	const must = (holds: boolean, what: string) => (holds ? [] : [`${at} must be ${what}`]);
	const chosen = (those: readonly unknown[]): string[] => {
		if (typeOptions?.loadOptionsMethod !== undefined) return [];
		const offered = options.map((one) => ('value' in one ? one.value : undefined));
		return those
			.filter((one) => !offered.some((other) => other === one))
			.map((one) => `${at} has no option ${JSON.stringify(one)}`);
	};
	const inner = (those: unknown, of: readonly INodeProperties[]) =>
		isObject(those) ? valueProblems(those, of, `${at}.`) : [`${at} must be an object`];
	switch (type) {
		case 'boolean':
			return must(typeof value === 'boolean', 'true or false');
		case 'number':
			return must(typeof value === 'number', 'a number');
		case 'string':
			if (typeOptions?.multipleValues !== true) return must(isText(value), 'text');
			return must(Array.isArray(value) && value.every(isText), 'a list of texts');
		case 'dateTime':
		case 'json':
			return must(isText(value), 'text');
		case 'options':
			return chosen([value]);
		case 'multiOptions':
			return Array.isArray(value) ? chosen(value) : [`${at} must be a list`];
		case 'resourceLocator':
			return must(isObject(value) && value.__rl === true, 'a resource locator');
		case 'resourceMapper':
			return mapperProblems(value, at);
		case 'collection':
			return inner(value, options as INodeProperties[]);
		case 'fixedCollection':
			return options.flatMap((group) => {
				const rows = isObject(value) && 'values' in group ? [value[group.name] ?? []].flat() : [];
				return rows.flatMap((row) => inner(row, 'values' in group ? group.values : []));
			});
		default:
			return [];
	}
}

/** The columns that are set, those that are matched, and those that the editor shows agree. */
function mapperProblems(value: unknown, at: string): string[] {
	// Then the input items say what is written.
	if (isObject(value) && value.mappingMode === 'autoMapInputData') return [];
	if (!isObject(value) || !isObject(value.value)) return [`${at} maps nothing`];
	const listed = Array.isArray(value.schema) ? value.schema.map((one) => Object(one).id) : [];
	const matched = Array.isArray(value.matchingColumns) ? value.matchingColumns : [];
	const set = Object.keys(value.value);
	return [
		...set.filter((column) => !listed.includes(column)).map((one) => `${at}: no column ${one}`),
		...[...listed, ...matched]
			.filter((column) => !set.includes(String(column)))
			.map((one) => `${at}: column ${String(one)} is not set`),
	];
}
