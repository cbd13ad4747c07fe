/**
 * Values by the names of their parameters, put where the form of an operation has these, whatever
 * group that is; and what the editor stores of it all: nothing that has its default.
 */
import {
	NodeHelpers,
	type INode,
	type INodeParameters,
	type INodeProperties,
	type INodePropertyCollection,
	type INodeTypeDescription,
} from 'n8n-workflow';

export type Values = Record<string, unknown>;

const propertiesIn = ({ options = [] }: INodeProperties): INodeProperties[] =>
	options.filter((one): one is INodeProperties => 'displayName' in one && 'type' in one);
const groupsIn = ({ options = [] }: INodeProperties): INodePropertyCollection[] =>
	options.filter((one): one is INodePropertyCollection => 'values' in one);

/** n8n's own, in every trigger that polls. */
const POLL_TIMES = 'pollTimes';

/** What one operation or event can show, under any other values. */
export const formOf = (
	{ properties }: Pick<INodeTypeDescription, 'properties'>,
	fixed: Values,
): INodeProperties[] =>
	properties.filter(
		({ name, type, displayOptions }) =>
			type !== 'hidden' &&
			name !== POLL_TIMES &&
			Object.entries(fixed).every(([name, value]) => {
				const allowed = displayOptions?.show?.[name] as unknown[] | undefined;
				return allowed === undefined || allowed.includes(value);
			}),
	);

const isForTools = ({ displayOptions }: INodeProperties): boolean =>
	displayOptions?.show?.['@tool']?.includes(true) === true;

/** The names of everything that can be set, those in groups included, but not the groups. */
export const namesIn = (form: readonly INodeProperties[]): string[] =>
	form.flatMap((property) => {
		if (property.type === 'notice' || isForTools(property)) return [];
		const inner = [...propertiesIn(property), ...groupsIn(property).flatMap((one) => one.values)];
		return inner.length === 0 ? [property.name] : namesIn(inner);
	});

export function placed(form: readonly INodeProperties[], values: Values): Values {
	const found: Values = {};
	for (const [name, value] of Object.entries(values)) {
		const spot = form
			.map((property) => inside(property, { name, value, present: found[property.name] }))
			.find((one) => one !== undefined);
		if (spot === undefined) throw new Error(`The form has no ${name}`);
		Object.assign(found, spot);
	}
	return found;
}

/** Several texts, as a list where the form has one, and in lines where it has not. */
function fitting({ type, typeOptions }: INodeProperties, value: unknown): unknown {
	if (type !== 'string' || !Array.isArray(value)) return value;
	return typeOptions?.multipleValues === true ? value : value.join('\n');
}

/** The property with the value in it, if it has a place for it. */
function inside(
	property: INodeProperties,
	{ name, value, present }: { name: string; value: unknown; present: unknown },
): Values | undefined {
	if (property.name === name) return { [name]: fitting(property, value) };
	const held = (present ?? {}) as Values;
	const direct = propertiesIn(property).map((one) =>
		inside(one, { name, value, present: held[one.name] }),
	);
	const grouped = groupsIn(property).map((group) => {
		const isList = property.typeOptions?.multipleValues === true;
		const there = (isList ? (held[group.name] as Values[] | undefined)?.[0] : held[group.name]) as
			Values | undefined;
		const spot = group.values
			.map((one) => inside(one, { name, value, present: there?.[one.name] }))
			.find((one) => one !== undefined);
		if (spot === undefined) return undefined;
		const content = { ...there, ...spot };
		return { [group.name]: isList ? [content] : content };
	});
	const spot = [...direct, ...grouped].find((one) => one !== undefined);
	return spot && { [property.name]: { ...held, ...spot } };
}

export const asStored = (
	parameters: Values,
	{ description, typeVersion }: { description: INodeTypeDescription; typeVersion: number },
): INodeParameters =>
	NodeHelpers.getNodeParameters(
		description.properties,
		parameters as INode['parameters'],
		false,
		false,
		{ typeVersion },
		description,
	) ?? {};
