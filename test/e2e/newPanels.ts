// What a person sees in the panel of a new node, before anything is filled in or added.

import { randomUUID } from 'node:crypto';

import { NodeHelpers, type INodeProperties } from 'n8n-workflow';

import type { Editor } from '../../scripts/n8n/editor';
import { CREDENTIAL_NAMES } from '../../scripts/n8n/examples';
import { CREDENTIAL_TYPE, type WorkflowNode } from '../../scripts/n8n/n8nApi';
import { PACKAGE, subjects, VERSION, type Subject } from './panels';

const SETTLING_MS = 20_000;
/** The only JSON that a person has to write. */
const WRITTEN = ['body'];

export interface NewPanel {
	/** Also the name of the node. */
	name: string;
	asksForCredential: boolean;
	/** Labels of parameters with an editor for JSON. */
	editors: string[];
	/** Labels of what n8n demands. */
	demanded: string[];
	/** Names of the parameters that offer a list. */
	lists: string[];
	node: WorkflowNode;
}

/** One for each operation and each event. */
export const newPanels = (credential: string): NewPanel[] =>
	subjects().map((subject) => newPanel(subject, credential));

function newPanel(subject: Subject, credential: string): NewPanel {
	const { type, description, properties, values } = subject;
	const name = `New ${subject.name}`;
	const parameters =
		NodeHelpers.getNodeParameters(properties, values, true, false, VERSION, description) ?? {};
	const isShown = (one: { displayOptions?: INodeProperties['displayOptions'] }) =>
		NodeHelpers.displayParameter(parameters, one as INodeProperties, VERSION, description);
	const open = properties.filter((one) => one.type !== 'hidden' && isShown(one));
	const node = {
		...{ id: randomUUID(), name, type: `${PACKAGE}.${type}`, ...VERSION },
		...{ position: [0, 0] as [number, number], parameters: values },
	};
	const issues = NodeHelpers.getNodeParametersIssues(
		properties,
		{ ...node, parameters },
		description,
	);
	const demanded = Object.keys(issues?.parameters ?? {});
	return {
		name,
		asksForCredential: subject.credentials.some(isShown),
		editors: labelsOf(open.filter((one) => one.type === 'json' && WRITTEN.includes(one.name))),
		demanded: labelsOf(open.filter((one) => demanded.includes(one.name))),
		lists: open.filter((one) => one.type === 'options').map((one) => one.name),
		node: {
			...node,
			credentials: { [CREDENTIAL_TYPE]: { id: credential, name: CREDENTIAL_NAMES.agency } },
		},
	};
}

const labelsOf = (properties: readonly INodeProperties[]): string[] =>
	properties.map(({ displayName }) => displayName);

/** Gives everything that is wrong, in words. */
export async function lookAtNewPanels(
	editor: Editor,
	panels: readonly NewPanel[],
): Promise<string[]> {
	const problems: string[] = [];
	/** Lists that look the same in every panel are opened once. */
	const opened = new Set<string>();
	for (const panel of panels) {
		await editor.openPanel(panel.name, panel);
		const wrong = await lookAt(editor, panel);
		for (const list of panel.lists) {
			const key = keyOf(panel, list);
			if (opened.has(key)) continue;
			opened.add(key);
			const { clipped, choices } = await editor.lookAtChoices(list);
			wrong.push(...clipped.map((text) => `cuts off, in the list "${list}": ${text}`));
			if (choices.length === 0) wrong.push(`offers nothing in the list "${list}"`);
		}
		problems.push(...wrong.map((problem) => `"${panel.name}" ${problem}`));
		await editor.closePanel();
	}
	return problems;
}

/** The operations differ from resource to resource, other lists from operation to operation. */
const keyOf = ({ node }: NewPanel, list: string): string => {
	const { resource, operation } = node.parameters;
	if (['resource', 'actAs', 'event', 'watch'].includes(list)) return `${node.type} ${list}`;
	return `${String(resource)} ${list === 'operation' ? '' : String(operation)} ${list}`;
};

/** The editor fetches what it needs for a kind of field when it first meets one. */
async function lookAt(editor: Editor, panel: NewPanel): Promise<string[]> {
	const deadline = Date.now() + SETTLING_MS;
	for (;;) {
		const { editors, marked, clipped } = await editor.look();
		const wrong = [
			...differences(editors, panel.editors, 'an open editor for'),
			...differences(marked, panel.demanded, 'a mark at'),
			...clipped.map((text) => `cuts off: ${text}`),
		];
		if (wrong.length === 0 || Date.now() > deadline) return wrong;
		await editor.page.waitForTimeout(250);
	}
}

const differences = (seen: string[], expected: string[], what: string): string[] => [
	...seen.filter((one) => !expected.includes(one)).map((one) => `has ${what} ${one}`),
	...expected.filter((one) => !seen.includes(one)).map((one) => `lacks ${what} ${one}`),
];
