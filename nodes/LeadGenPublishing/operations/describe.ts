/** Builds the node's parameters from the resources and operations. */
import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import type { Panel } from '../words/panel';
import { isRecord } from '../api/schemas';
import { accountFields } from '../panel/fields/account';
import { subtitle } from '../panel/fields/subtitle';
import type { Values } from '../panel/parameters/values';
import type { Operation, Resource } from './operation';
import { isAgency } from './index';
import { parameter } from '../panel/fields/parameter';

/** Parameters that shape the output or the run, but not what is sent. */
const NOT_SENT = new Set(['simplify', 'output', 'fields', 'dryRun', 'maxWaitSeconds']);

/** The names of the parameters that decide what is sent, and for whom. */
export const decidingNames = (operation: Operation): string[] =>
	[...accountFields, ...operation.fields]
		.map(({ name }) => name)
		.filter((name) => !NOT_SENT.has(name));

/** The value of such a parameter. */
export function valueAsText(name: string, input: Values): string {
	try {
		const value = input.raw(name);
		const sent = (option: string, held: unknown) => (NOT_SENT.has(option) ? undefined : held);
		return JSON.stringify(value, name === 'options' ? sent : undefined) ?? '';
	} catch {
		// An unreadable value fails the item anyway.
		return '';
	}
}

/** The labels of an operation's parameters, including those in collections. */
export const labelsOf = (operation: Operation): string[] =>
	[...(isAgency(operation) ? accountFields : []), ...operation.fields].flatMap(labelsIn);

const labelsIn = (field: INodeProperties): string[] => [
	field.displayName,
	...(field.options ?? []).flatMap((option) =>
		'values' in option ? option.values.flatMap(labelsIn) : 'type' in option ? labelsIn(option) : [],
	),
];

/** The names of an operation's parameters, including those in collections. */
export const namesOf = (operation: Operation): string[] =>
	[...(isAgency(operation) ? accountFields : []), ...operation.fields].flatMap(namesIn);

const namesIn = (field: INodeProperties): string[] => [
	field.name,
	...(field.options ?? []).flatMap((option) =>
		'values' in option ? option.values.flatMap(namesIn) : 'type' in option ? namesIn(option) : [],
	),
];

/** What the user sees of the operation in this workflow. */
export function panelOf(
	functions: Pick<IExecuteFunctions, 'getNode' | 'getTimezone'>,
	operation: Operation,
): Panel {
	const { options } = functions.getNode().parameters;
	return {
		parameters: namesOf(operation),
		given: isRecord(options) ? Object.keys(options) : [],
		timeZone: functions.getTimezone(),
	};
}

export const subtitleOf = (resources: readonly Resource[]): string =>
	subtitle({
		labels: Object.fromEntries(
			resources.flatMap(({ value, name, operations }) =>
				operations.map((operation) => [
					`${value}.${operation.value}`,
					`${operation.name}: ${name}`,
				]),
			),
		),
		of: ['resource', 'operation'],
	});

export function describe(resources: readonly Resource[]): INodeProperties[] {
	return [resourceField(resources), ...resources.flatMap(describeResource)];
}

function resourceField(resources: readonly Resource[]): INodeProperties {
	const preferred = resources.find(({ value }) => value === 'lead') ?? resources[0];
	const fallback = preferred?.value ?? '';
	return parameter('resource', {
		type: 'options',
		noDataExpression: true,
		options: resources.map(({ name, value }) => ({ name, value })),
		default: fallback,
	});
}

function describeResource({ value, operations }: Resource): INodeProperties[] {
	const fallback =
		(operations.find(({ value: name }) => name === 'getAll') ?? operations[0])?.value ?? '';
	const agency = operations.filter(isAgency).map((operation) => operation.value);
	return [
		parameter('operation', {
			type: 'options',
			noDataExpression: true,
			displayOptions: { show: { resource: [value] } },
			options: operations.map(({ name, value: operation, action, description }) => ({
				name,
				value: operation,
				action,
				description,
			})),
			default: fallback,
		}),
		...(agency.length === 0 ? [] : accountFields.map((field) => shownFor(field, value, agency))),
		...operations.flatMap((operation) =>
			operation.fields.map((field) => shownFor(field, value, [operation.value])),
		),
	];
}

function shownFor(field: INodeProperties, resource: string, operations: string[]): INodeProperties {
	return {
		...field,
		displayOptions: {
			...field.displayOptions,
			show: { resource: [resource], operation: operations, ...field.displayOptions?.show },
		},
	};
}
