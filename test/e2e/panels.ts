// Nodes that, opened one after the other, show every parameter the package has.

import { randomUUID } from 'node:crypto';

import {
	NodeHelpers,
	type INodeCredentialDescription,
	type INodeParameters,
	type INodeProperties,
} from 'n8n-workflow';

import { LeadGenPublishing } from '../../nodes/LeadGenPublishing/LeadGenPublishing.node.js';
import { LeadGenPublishingTrigger } from '../../nodes/LeadGenPublishing/LeadGenPublishingTrigger.node.js';
import { RESOURCES } from '../../nodes/LeadGenPublishing/operations/index';
import { CREDENTIAL_NAMES } from '../../scripts/n8n/examples';
import { CREDENTIAL_TYPE, type Workflow, type WorkflowNode } from '../../scripts/n8n/n8nApi';

const PACKAGE = 'n8n-nodes-leadgen-publishing';
const VERSION = { typeVersion: 1 };
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
	node: WorkflowNode;
}

interface Subject {
	name: string;
	type: 'leadGenPublishing' | 'leadGenPublishingTrigger';
	properties: INodeProperties[];
	credentials: INodeCredentialDescription[];
	values: INodeParameters;
}

/** One panel per operation and event, and a further one where parameters exclude each other. */
export function allPanels(agencyCredential: string): Panel[] {
	return subjects().flatMap((subject) => panelsOf(subject, agencyCredential));
}

export function panelsWorkflow(panels: readonly Panel[]): Workflow {
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

function subjects(): Subject[] {
	const action = new LeadGenPublishing().description;
	const trigger = new LeadGenPublishingTrigger().description;
	const events = trigger.properties.find(({ name }) => name === 'event')?.options ?? [];
	return [
		...RESOURCES.flatMap((resource) =>
			resource.operations.map((operation): Subject => ({
				name: `${resource.name} ${operation.name}`,
				type: 'leadGenPublishing',
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
	const { name, type, properties, values } = subject;
	const defaults = Object.fromEntries(
		properties.map((property) => [property.name, property.default]),
	) as INodeParameters;
	// A parameter of the same name belongs to each operation, so the condition goes by its whole.
	const mine = properties.filter((property) =>
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
			const show = Object.entries(property.displayOptions?.show ?? {});
			const unmet = show.filter(
				([key, allowed]) => !(allowed as unknown[] | undefined)?.includes(chosen[key]),
			);
			if (unmet.some(([key]) => fixed.has(key))) continue;
			for (const [key, allowed] of unmet) chosen[key] = (allowed as INodeParameters[string][])[0];
			for (const [key] of show) fixed.add(key);
		}
		const shown = mine.filter((property) =>
			NodeHelpers.displayParameter(chosen, property, VERSION, null),
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
				NodeHelpers.displayParameter(chosen, one, VERSION, null),
			),
			node: {
				id: randomUUID(),
				name: title,
				type: `${PACKAGE}.${type}`,
				typeVersion: 1,
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
	return Object.fromEntries(optionsIn(property).map((option) => [option.name, option.default]));
}

const labelsOf = (property: INodeProperties): string[] => [
	property.displayName,
	...(property.type === 'collection' ? optionsIn(property).map((one) => one.displayName) : []),
];

const optionsIn = ({ options = [] }: INodeProperties): INodeProperties[] =>
	options.filter(
		(option): option is INodeProperties => 'displayName' in option && 'type' in option,
	);
