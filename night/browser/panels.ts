// Nodes that, opened one after the other, show every parameter the package has; and one new node for
// each operation and event, as a person sees it before anything is filled in or added.

import { randomUUID } from 'node:crypto';

import {
	NodeHelpers,
	type INodeCredentialDescription,
	type INodeParameters,
	type INodeProperties,
	type INodeTypeDescription,
} from 'n8n-workflow';

// Without its ending, tsx would take it for a compiled add-on.
import { LeadGenPublishing } from '../../nodes/LeadGenPublishing/LeadGenPublishing.node.js';
import { LeadGenPublishingTrigger } from '../../nodes/LeadGenPublishing/LeadGenPublishingTrigger.node.js';
import type { Seen } from '../../scripts/n8n/editor';
import type { CredentialIds } from '../../scripts/n8n/examples';
import type { Workflow, WorkflowNode } from '../../scripts/n8n/n8nApi';
import {
	isForPerson,
	issuesIn,
	membersOf,
	openIn,
	operations,
	VERSION,
} from '../../test/contract/forms';
import { credentialOf, ours } from '../../test/e2e/workflows';

/** For a choice that is not known while the workflow is built. */
const EXPRESSION = '={{ $json.choice }}';
const COLUMNS = 8;
/** The only JSON that a person has to write. */
const WRITTEN = ['body'];

interface Subject {
	name: string;
	description: INodeTypeDescription;
	values: INodeParameters;
}

export interface Panel {
	/** Also the name of the node. */
	name: string;
	/** Not every operation calls the service. */
	asksForCredential: boolean;
	node: WorkflowNode;
	/** What has to stand beside the parameters, in their order. */
	labels: string[];
	/** What has to stand in the panel as a text of its own. */
	notices: string[];
	/** Whether a choice is an expression, which is shown as it was written. */
	hasExpression: boolean;
	/** Of a new node: labels of editors for JSON, and of what n8n demands; the parameters with a list. */
	fresh?: Pick<Seen, 'editors' | 'marked'> & { lists: string[] };
}

const action = new LeadGenPublishing().description;
const trigger = new LeadGenPublishingTrigger().description;
const events = trigger.properties.find(({ name }) => name === 'event')?.options ?? [];
const SUBJECTS: readonly Subject[] = [
	...operations.map(({ resource, operation, values }) => ({
		...{ name: `${resource.name} ${operation.name}`, description: action, values },
	})),
	...events.flatMap((event) =>
		'value' in event
			? [{ name: `On ${event.name}`, description: trigger, values: { event: event.value } }]
			: [],
	),
];

/** One panel per operation and event, and a further one where parameters exclude each other. */
export const allPanels = (ids: CredentialIds): Panel[] =>
	SUBJECTS.flatMap((subject) => panelsOf(subject, ids));

/** One for each operation and each event. */
export const newPanels = (ids: CredentialIds): Panel[] =>
	SUBJECTS.map((subject) => newPanel(subject, ids));

export const panelsWorkflow = (panels: readonly Panel[]): Workflow => ({
	name: 'Every panel once',
	nodes: panels.map(({ node }, place) => ({
		...{ ...node, id: randomUUID() },
		position: [(place % COLUMNS) * 240, Math.floor(place / COLUMNS) * 160],
	})),
	connections: {},
	settings: { executionOrder: 'v1' },
});

const asksForCredential = ({ description }: Subject, values: INodeParameters): boolean =>
	(description.credentials ?? []).some((one) => isShown(one, values, description));

const isShown = (
	one: INodeProperties | INodeCredentialDescription,
	values: INodeParameters,
	description: INodeTypeDescription,
): boolean => NodeHelpers.displayParameter(values, one, VERSION, description);

function newPanel(subject: Subject, ids: CredentialIds): Panel {
	const { description, values } = subject;
	const name = `New ${subject.name}`;
	const open = openIn(description, values);
	const demanded = issuesIn(description, values);
	const labels = (those: readonly INodeProperties[]) => those.map((one) => one.displayName);
	return {
		name,
		asksForCredential: asksForCredential(subject, values),
		...{ labels: [], notices: [], hasExpression: false },
		fresh: {
			editors: labels(open.filter((one) => one.type === 'json' && WRITTEN.includes(one.name))),
			marked: labels(open.filter((one) => demanded.includes(one.name))),
			lists: open.filter((one) => one.type === 'options').map((one) => one.name),
		},
		node: ours(name, credentialOf(ids, 'agency'), { ...values }),
	};
}

function panelsOf(subject: Subject, ids: CredentialIds): Panel[] {
	const { name, description, values } = subject;
	const { properties } = description;
	const defaults = Object.fromEntries(
		properties.map((property) => [property.name, property.default]),
	) as INodeParameters;
	// A parameter of the same name belongs to each operation, so the condition goes by its whole.
	const mine = properties.filter(
		(property) =>
			isForPerson(property) &&
			Object.entries(values).every(([key, value]) => {
				const { show, hide } = property.displayOptions ?? {};
				const isIn = (those: unknown): boolean => Array.isArray(those) && those.includes(value);
				return (show?.[key] === undefined || isIn(show[key])) && !isIn(hide?.[key]);
			}),
	);
	const left = new Set(mine);
	const panels: Panel[] = [];
	const choices = choicesIn(mine, { ...defaults, ...values }, Object.keys(values));
	const shownBy = (chosen: INodeParameters) =>
		mine.filter((property) => isShown(property, chosen, description));
	const newIn = (chosen: INodeParameters) =>
		shownBy(chosen).filter((property) => left.has(property)).length;
	while (left.size > 0) {
		const chosen = choices.reduce((best, one) => (newIn(one) > newIn(best) ? one : best));
		if (newIn(chosen) === 0)
			throw new Error(`${name}: nothing shows ${[...left].map((one) => one.name).join(', ')}`);
		const shown = shownBy(chosen);
		for (const property of shown) left.delete(property);
		const title = panels.length === 0 ? name : `${name} ${panels.length + 1}`;
		const given = shown.map((property) => [property.name, filled(property, chosen[property.name])]);
		panels.push({
			name: title,
			labels: shown.filter((property) => property.type !== 'notice').flatMap(labelsOf),
			notices: shown.filter(({ type: kind }) => kind === 'notice').map((one) => one.displayName),
			asksForCredential: asksForCredential(subject, chosen),
			hasExpression: Object.values(chosen).includes(EXPRESSION),
			node: ours(title, credentialOf(ids, 'agency'), Object.fromEntries(given) as INodeParameters),
		});
	}
	return panels;
}

/** A collection with everything that can be added to it. */
function filled(property: INodeProperties, value: INodeParameters[string]) {
	if (property.type === 'resourceLocator') return { __rl: true, mode: 'list', value: '' };
	if (property.type !== 'collection') return value;
	return Object.fromEntries(
		addedBy(property).map((option) => [
			option.name,
			option.typeOptions?.multipleValues === true ? ['an entry'] : option.default,
		]),
	);
}

const labelsOf = (property: INodeProperties): string[] => [
	property.displayName,
	...addedBy(property).map((one) => one.displayName),
];

const addedBy = (property: INodeProperties): INodeProperties[] =>
	membersOf(property).filter(isForPerson);

/** All values that the parameters can have on which others depend, those of a new node first. */
function choicesIn(
	mine: readonly INodeProperties[],
	start: INodeParameters,
	fixed: readonly string[],
): INodeParameters[] {
	const keys = mine.flatMap(({ displayOptions: { show, hide } = {} }) =>
		Object.keys({ ...show, ...hide }).filter((key) => !key.startsWith('@')),
	);
	const valuesOf = (key: string): Array<INodeParameters[string]> => {
		const { type, options = [] } = mine.find(({ name }) => name === key) ?? {};
		const offered = options.flatMap((option) => ('value' in option ? [option.value] : []));
		const all = [start[key], ...(type === 'boolean' ? [true, false] : offered), EXPRESSION];
		return [...new Set(all)];
	};
	return [...new Set(keys)]
		.filter((key) => !fixed.includes(key))
		.reduce<INodeParameters[]>(
			(choices, key) =>
				choices.flatMap((choice) => valuesOf(key).map((value) => ({ ...choice, [key]: value }))),
			[start],
		);
}
