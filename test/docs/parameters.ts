/**
 * Whether the parameters of a node fit its description: all known, all shown at the same time,
 * none missing, each option one that exists. n8n itself says nothing; it drops what it does not know.
 */
import {
	NodeHelpers,
	type INode,
	type INodeParameters,
	type INodeProperties,
	type INodePropertyCollection,
	type INodeTypeDescription,
} from 'n8n-workflow';

import { isExpression } from './example';
import { isEmpty, isObject, plainProblems } from './values';

/** Nodes whose hidden parameters are only accepted, and not to be shown to anyone as an example. */
const OURS = /leadGenPublishing/;

interface Place {
	/** All parameters of the node, with their defaults. */
	root: INodeParameters;
	node: Pick<INode, 'typeVersion'>;
	description: INodeTypeDescription;
}

interface Level {
	values: Record<string, unknown>;
	properties: INodeProperties[];
	/** Such as `filters.`; empty at the top. */
	path: string;
	/** What decides about being shown: the values of this level, with their defaults. */
	shownBy: INodeParameters;
}

export function parameterProblems(node: INode, description: INodeTypeDescription): string[] {
	const { parameters, typeVersion } = node;
	const { properties } = description;
	const root =
		NodeHelpers.getNodeParameters(
			properties,
			parameters,
			true,
			false,
			{ typeVersion },
			description,
		) ?? parameters;
	const place: Place = { root, node: { typeVersion }, description };
	return levelProblems({ values: parameters, properties, path: '', shownBy: root }, place);
}

function levelProblems(level: Level, place: Place): string[] {
	const { values, properties, path, shownBy } = level;
	const shown = properties.filter(
		(property) =>
			!(property.type === 'hidden' && OURS.test(place.description.name)) &&
			NodeHelpers.displayParameter(shownBy, property, place.node, place.description, place.root),
	);
	const known = new Set(properties.map(({ name }) => name));
	const visible = new Map(shown.map((property) => [property.name, property]));
	const strangers = Object.keys(values).flatMap((name) => {
		if (!known.has(name)) return [`${path}${name} is not a parameter`];
		return visible.has(name) ? [] : [`${path}${name} is not shown with the other values`];
	});
	const missing = shown
		.filter(({ name, required }) => required === true && isUnset(values[name] ?? shownBy[name]))
		.map(({ name }) => `${path}${name} is required`);
	const wrong = [...visible.values()].flatMap((property) =>
		property.name in values
			? valueProblems(property, values[property.name], {
					place,
					at: `${path}${property.name}`,
				})
			: [],
	);
	return [...strangers, ...missing, ...wrong];
}

const isUnset = (value: unknown): boolean =>
	isObject(value) && '__rl' in value ? isEmpty(value.value) : isEmpty(value);

interface Spot {
	place: Place;
	at: string;
}

function valueProblems(property: INodeProperties, value: unknown, spot: Spot): string[] {
	const { at } = spot;
	const nests = property.type === 'collection' || property.type === 'fixedCollection';
	if (!nests || isExpression(value)) return plainProblems(property, value, at);
	if (!isObject(value)) return [`${at} must be an object`];
	return property.type === 'collection'
		? nestedProblems(value, addedTo(property, value), spot)
		: groupProblems(property, value, spot);
}

/** Nothing is missing in a collection: it holds what somebody has added to it. */
const addedTo = (
	{ options = [] }: INodeProperties,
	values: Record<string, unknown>,
): INodeProperties[] =>
	options
		.filter((one): one is INodeProperties => 'type' in one && 'name' in one)
		.map((one) => (one.name in values ? one : { ...one, required: false }));

function nestedProblems(
	values: Record<string, unknown>,
	properties: INodeProperties[],
	{ place, at }: Spot,
): string[] {
	const defaults = Object.fromEntries(properties.map((one) => [one.name, one.default]));
	const shownBy = { ...defaults, ...values } as INodeParameters;
	return levelProblems({ values, properties, path: `${at}.`, shownBy }, place);
}

function groupProblems(
	property: INodeProperties,
	value: Record<string, unknown>,
	{ place, at }: Spot,
): string[] {
	const groups = (property.options ?? []).filter(
		(one): one is INodePropertyCollection => 'values' in one,
	);
	return Object.entries(value).flatMap(([name, content]) => {
		const group = groups.find((one) => one.name === name);
		if (group === undefined) return [`${at}.${name} is not a parameter`];
		const rows: unknown[] = Array.isArray(content) ? content : [content];
		return rows.flatMap((row, index) =>
			isObject(row)
				? nestedProblems(row, group.values, { place, at: `${at}.${name}[${index}]` })
				: [`${at}.${name}[${index}] must be an object`],
		);
	});
}
