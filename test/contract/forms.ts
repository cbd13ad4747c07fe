/** Every operation, and what the panels of the nodes show. */
import {
	NodeHelpers,
	type INodeParameters,
	type INodeProperties,
	type INodeTypeDescription,
} from 'n8n-workflow';

import { RESOURCES } from '../../nodes/LeadGenPublishing/operations/index';

export const VERSION = { typeVersion: 1 };

/** Every operation, and what is chosen in the form for it. */
export const operations = RESOURCES.flatMap((resource) =>
	resource.operations.map((operation) => ({
		name: `${resource.value}.${operation.value}`,
		values: { resource: resource.value, operation: operation.value },
		...{ resource, operation },
	})),
);

/** What can be added to a collection. Empty for other parameters. */
export const membersOf = ({ type, options = [] }: INodeProperties): INodeProperties[] =>
	type === 'collection' ? (options as INodeProperties[]) : [];

export const withMembers = (fields: readonly INodeProperties[]): INodeProperties[] =>
	fields.flatMap((field) => [field, ...membersOf(field)]);

/** What the form offers, outside of an agent. */
export const isForPerson = ({ type, name, displayOptions }: INodeProperties): boolean =>
	type !== 'hidden' && !['@tool', name].some((one) => one in (displayOptions?.show ?? {}));

/** What n8n makes of these values. Everything else is as in a new node. */
const filled = (description: INodeTypeDescription, values: INodeParameters): INodeParameters =>
	NodeHelpers.getNodeParameters(
		description.properties,
		values,
		...([true, false, VERSION, description] as const),
	) ?? {};

/** What is open in a panel with these values. */
export function openIn(
	description: INodeTypeDescription,
	values: INodeParameters,
): INodeProperties[] {
	const all = filled(description, values);
	return description.properties.filter(
		(field) =>
			field.type !== 'hidden' && NodeHelpers.displayParameter(all, field, VERSION, description),
	);
}

/** What n8n itself finds wrong with these values, by parameter. */
export const issuesIn = (description: INodeTypeDescription, values: INodeParameters): string[] =>
	Object.keys(
		NodeHelpers.getNodeParametersIssues(
			description.properties,
			{
				...{ id: '1', name: 'Node', type: description.name },
				...{ ...VERSION, position: [0, 0], parameters: filled(description, values) },
			},
			description,
		)?.parameters ?? {},
	);

/** The values that a parameter, or a member of a collection, offers. */
export const choicesOf = (fields: readonly INodeProperties[], name: string): unknown[] => {
	const [group = '', inner] = name.split('.');
	return fields
		.filter((field) => field.name === group)
		.flatMap((field) => (inner === undefined ? [field] : membersOf(field)))
		.filter((field) => inner === undefined || field.name === inner)
		.flatMap(({ options }) => (options ?? []).map((option) => 'value' in option && option.value));
};
