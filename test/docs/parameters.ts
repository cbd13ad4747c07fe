/**
 * Whether the parameters of a node fit its description: all are known and shown together, none is
 * missing, and each value can be chosen. n8n itself drops unknown ones silently.
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
		// Several parameters may share a name, but only one is shown.
		const each = properties
			.filter((property) => property.name === name)
			.map((property) => problemsOf(property, value, `${path}${name}`));
		return each.some((problems) => problems.length === 0) ? [] : (each[0] ?? []);
	});
}

const MUST_BE: Readonly<
	Record<string, readonly [isRight: (value: unknown) => boolean, what: string]>
> = {
	boolean: [(value) => typeof value === 'boolean', 'true or false'],
	number: [(value) => typeof value === 'number', 'a number'],
	string: [isText, 'text'],
	strings: [(value) => Array.isArray(value) && value.every(isText), 'a list of texts'],
	dateTime: [isText, 'text'],
	json: [isText, 'text'],
	options: [(value) => !Array.isArray(value), 'one value'],
	multiOptions: [Array.isArray, 'a list'],
	resourceLocator: [(value) => isObject(value) && value.__rl === true, 'a resource locator'],
	collection: [isObject, 'an object'],
};

function problemsOf(property: INodeProperties, value: unknown, at: string): string[] {
	const { type, options = [], typeOptions } = property;
	if (isExpression(value))
		return property.noDataExpression === true ? [`${at} takes no expression`] : [];
	const many = typeOptions?.multipleValues === true ? 's' : '';
	const [isRight, what] = MUST_BE[`${type}${many}`] ?? MUST_BE[type] ?? [() => true, ''];
	if (!isRight(value)) return [`${at} must be ${what}`];
	const inner = (those: unknown, of: readonly INodeProperties[]) =>
		isObject(those) ? valueProblems(those, of, `${at}.`) : [`${at} must be an object`];
	if (type === 'resourceMapper') return mapperProblems(value, at);
	if (type === 'collection') return inner(value, options as INodeProperties[]);
	if (type === 'fixedCollection')
		return options.flatMap((group) => {
			if (!isObject(value) || !('values' in group)) return [];
			return [value[group.name] ?? []].flat().flatMap((row) => inner(row, group.values));
		});
	if (!/options$/i.test(type) || typeOptions?.loadOptionsMethod !== undefined) return [];
	const offered: unknown[] = options.map((one) => ('value' in one ? one.value : undefined));
	return [value]
		.flat()
		.filter((one) => !offered.includes(one))
		.map((one) => `${at} has no option ${JSON.stringify(one)}`);
}

/** The columns that are set, those that are matched, and those that the editor shows agree. */
function mapperProblems(value: unknown, at: string): string[] {
	// Then the input items decide what is written.
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
