// Nodes that, opened one after the other, show every parameter the package has.

import { randomUUID } from 'node:crypto';

import {
	NodeHelpers,
	type INodeCredentialDescription,
	type INodeParameters,
	type INodeProperties,
	type INodeTypeDescription,
} from 'n8n-workflow';

import { LeadGenPublishing } from '../../nodes/LeadGenPublishing/LeadGenPublishing.node.js';
import { LeadGenPublishingTrigger } from '../../nodes/LeadGenPublishing/LeadGenPublishingTrigger.node.js';
import { RESOURCES } from '../../nodes/LeadGenPublishing/operations/index';
import { CREDENTIAL_NAMES } from '../../scripts/n8n/examples';
import { CREDENTIAL_TYPE, type Workflow, type WorkflowNode } from '../../scripts/n8n/n8nApi';

export const PACKAGE = 'n8n-nodes-leadgen-publishing';
export const VERSION = { typeVersion: 1 };
/** For a choice that is not known while the workflow is built. */
const EXPRESSION = '={{ $json.choice }}';
const COLUMNS = 8;

export interface Panel {
	/** Also the name of the node. */
	name: string;
	/** What has to stand beside the parameters, in their order. */
	labels: string[];
	/** What has to stand in the panel as a text of its own. */
	notices: string[];
	/** Not every operation calls the service. */
	asksForCredential: boolean;
	/** Whether a choice is an expression, which is shown as it was written. */
	hasExpression: boolean;
	node: WorkflowNode;
}

export interface Subject {
	name: string;
	type: 'leadGenPublishing' | 'leadGenPublishingTrigger';
	description: INodeTypeDescription;
	properties: INodeProperties[];
	credentials: INodeCredentialDescription[];
	values: INodeParameters;
}

/** One panel per operation and event, and a further one where parameters exclude each other. */
export function allPanels(agencyCredential: string): Panel[] {
	return subjects().flatMap((subject) => panelsOf(subject, agencyCredential));
}

export function panelsWorkflow(panels: ReadonlyArray<Pick<Panel, 'node'>>): Workflow {
	return {
		name: 'Every panel once',
		nodes: panels.map(({ node }, place) => ({
			...node,
			position: [(place % COLUMNS) * 240, Math.floor(place / COLUMNS) * 160],
		})),
		connections: {},
		settings: { executionOrder: 'v1' },
	};
}

export function subjects(): Subject[] {
	const action = new LeadGenPublishing().description;
	const trigger = new LeadGenPublishingTrigger().description;
	const events = trigger.properties.find(({ name }) => name === 'event')?.options ?? [];
	return [
		...RESOURCES.flatMap((resource) =>
			resource.operations.map((operation): Subject => ({
				name: `${resource.name} ${operation.name}`,
				type: 'leadGenPublishing',
				description: action,
				properties: action.properties,
				credentials: action.credentials ?? [],
				values: { resource: resource.value, operation: operation.value },
			})),
		),
		...events.flatMap((event): Subject[] =>
			'value' in event
				? [
						{
							name: `On ${event.name}`,
							type: 'leadGenPublishingTrigger',
							description: trigger,
							properties: trigger.properties,
							credentials: trigger.credentials ?? [],
							values: { event: event.value },
						},
					]
				: [],
		),
	];
}

function panelsOf(subject: Subject, credential: string): Panel[] {
	const { name, type, description, properties, values } = subject;
	const defaults = Object.fromEntries(
		properties.map((property) => [property.name, property.default]),
	) as INodeParameters;
	// A parameter of the same name belongs to each operation, so the condition goes by its whole.
	const mine = properties.filter(
		(property) =>
			isForPerson(property) &&
			Object.entries(values).every(([key, value]) => {
				const allowed = property.displayOptions?.show?.[key];
				return allowed === undefined || (allowed as unknown[]).includes(value);
			}),
	);
	const waiting = new Set(mine);
	const panels: Panel[] = [];
	while (waiting.size > 0) {
		const before = waiting.size;
		const chosen: INodeParameters = { ...defaults, ...values };
		const fixed = new Set(Object.keys(values));
		for (const property of waiting) {
			const keys = conditionsOf(property);
			const choice = choicesOf(
				keys.filter((key) => !fixed.has(key)),
				{ chosen, mine },
			).find((one) =>
				NodeHelpers.displayParameter({ ...chosen, ...one }, property, VERSION, description),
			);
			if (choice === undefined) continue;
			Object.assign(chosen, choice);
			for (const key of keys) fixed.add(key);
		}
		const shown = mine.filter((property) =>
			NodeHelpers.displayParameter(chosen, property, VERSION, description),
		);
		for (const property of shown) waiting.delete(property);
		if (waiting.size === before) {
			const lost = [...waiting].map((property) => property.displayName).join(', ');
			throw new Error(`${name}: no choice of values shows ${lost}`);
		}
		const title = panels.length === 0 ? name : `${name} ${panels.length + 1}`;
		panels.push({
			name: title,
			labels: shown.filter((property) => property.type !== 'notice').flatMap(labelsOf),
			notices: shown.filter(({ type: kind }) => kind === 'notice').map((one) => one.displayName),
			asksForCredential: subject.credentials.some((one) =>
				NodeHelpers.displayParameter(chosen, one, VERSION, description),
			),
			hasExpression: Object.values(chosen).includes(EXPRESSION),
			node: {
				id: randomUUID(),
				name: title,
				type: `${PACKAGE}.${type}`,
				...VERSION,
				position: [0, 0],
				parameters: Object.fromEntries(
					shown.map((property) => [property.name, filled(property, chosen[property.name])]),
				),
				credentials: { [CREDENTIAL_TYPE]: { id: credential, name: CREDENTIAL_NAMES.agency } },
			},
		});
	}
	return panels;
}

/** A collection with everything that can be added to it. */
function filled(property: INodeProperties, value: INodeParameters[string]) {
	if (property.type === 'resourceLocator') return { __rl: true, mode: 'list', value: '' };
	if (property.type !== 'collection') return value;
	return Object.fromEntries(
		optionsIn(property).map((option) => [
			option.name,
			option.typeOptions?.multipleValues === true ? ['an entry'] : option.default,
		]),
	);
}

const labelsOf = (property: INodeProperties): string[] => [
	property.displayName,
	...(property.type === 'collection' ? optionsIn(property).map((one) => one.displayName) : []),
];

const optionsIn = ({ options = [] }: INodeProperties): INodeProperties[] =>
	options
		.filter((option): option is INodeProperties => 'displayName' in option && 'type' in option)
		.filter(isForPerson);

/** What the form offers, outside of an agent. */
const isForPerson = ({ type, name, displayOptions }: INodeProperties): boolean =>
	type !== 'hidden' && !['@tool', name].some((one) => one in (displayOptions?.show ?? {}));

/** The parameters on which it depends whether this one is shown. */
const conditionsOf = ({ displayOptions }: INodeProperties): string[] =>
	[displayOptions?.show, displayOptions?.hide]
		.flatMap((conditions) => Object.keys(conditions ?? {}))
		.filter((key) => !key.startsWith('@'));

/** Everything that can be chosen for these parameters, what is chosen already first. */
function choicesOf(
	keys: readonly string[],
	{ chosen, mine }: { chosen: INodeParameters; mine: readonly INodeProperties[] },
): INodeParameters[] {
	const valuesOf = (key: string): Array<INodeParameters[string]> => {
		const { type, options = [] } = mine.find(({ name }) => name === key) ?? {};
		const offered = options.flatMap((option) => ('value' in option ? [option.value] : []));
		return [chosen[key], ...(type === 'boolean' ? [true, false] : offered), EXPRESSION];
	};
	return keys.reduce<INodeParameters[]>(
		(choices, key) =>
			choices.flatMap((choice) => valuesOf(key).map((value) => ({ ...choice, [key]: value }))),
		[{}],
	);
}
