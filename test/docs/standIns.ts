/**
 * Stand-ins for the nodes of n8n itself and of other services, which are not installed here. They
 * evaluate all their parameters as the real ones do, keep what they were given, and let every item
 * go every way that the real node has. What they would have answered, the scene says.
 */
import {
	type IBinaryKeyData,
	type IExecuteFunctions,
	type INode,
	type INodeExecutionData,
	type INodeType,
	NodeConnectionTypes,
} from 'n8n-workflow';

import { isExpression } from './example';

type Json = INodeExecutionData['json'];

/** What the parameters of a node came to, for one item. */
export interface Given {
	node: string;
	/** By the path of each parameter that is an expression. */
	values: Map<string, unknown>;
}

export interface Answers {
	/** Items of a node whose answer cannot be made of its parameters, such as a form or a search. */
	[node: string]: (() => Answer[]) | undefined;
}

/** The fields of an item, and the files that come with it. */
type Answer = Json & { [FILES]?: IBinaryKeyData };
export const FILES = Symbol('files');

const { Main } = NodeConnectionTypes;
const TWO_WAYS = ['n8n-nodes-base.if', 'n8n-nodes-base.splitInBatches'];

export function standIn(nodes: INode[], scene: { answers: Answers; given: Given[] }): INodeType {
	const { type = '' } = nodes[0] ?? {};
	const names = new Set(nodes.flatMap(({ parameters }) => Object.keys(parameters)));
	const outputs = TWO_WAYS.includes(type) ? [Main, Main] : [Main];
	return {
		description: {
			displayName: type,
			name: type,
			group: ['transform'],
			version: 1,
			description: '',
			defaults: {},
			inputs: [Main],
			outputs,
			properties: [...names].map((name) => ({
				displayName: name,
				name,
				type: 'json',
				default: '',
			})),
		},
		async execute() {
			const items = this.getInputData();
			const node = this.getNode();
			items.forEach((_, index) => {
				const values = new Map(expressionsIn(this, node, index));
				scene.given.push({ node: node.name, values });
			});
			return answer(this, { node, items, answers: scene.answers });
		},
	};
}

/** Every expression below a node's parameters, with its value for the item. */
function expressionsIn(
	context: IExecuteFunctions,
	{ parameters }: INode,
	index: number,
): Array<[string, unknown]> {
	return Object.entries(parameters).flatMap(([name, written]) =>
		pairs(written, context.getNodeParameter(name, index), name),
	);
}

function pairs(written: unknown, value: unknown, path: string): Array<[string, unknown]> {
	if (isExpression(written)) return [[path, value]];
	if (typeof written !== 'object' || written === null) return [];
	const inner = typeof value === 'object' && value !== null ? Object.entries(value) : [];
	const values = new Map<string, unknown>(inner);
	return Object.entries(written).flatMap(([name, part]) =>
		pairs(part, values.get(name), `${path}.${name}`),
	);
}

interface Turn {
	node: INode;
	items: INodeExecutionData[];
	answers: Answers;
}

function answer(
	context: IExecuteFunctions,
	{ node, items, answers }: Turn,
): INodeExecutionData[][] {
	const own = answers[node.name]?.();
	if (own !== undefined) {
		return [own.map(({ [FILES]: binary, ...json }) => ({ json, binary, pairedItem: { item: 0 } }))];
	}
	const passed = items.map(({ json }, item) => ({
		json: outputOf(context, { node, json, item }),
		pairedItem: { item },
	}));
	const refused = {
		json: { error: 'Refused by the stand-in' },
		pairedItem: { item: 0 },
	};
	switch (node.type) {
		case 'n8n-nodes-base.if':
			return [passed, passed];
		case 'n8n-nodes-base.splitInBatches': {
			const memory = context.getContext('node');
			const again = memory.again === true;
			memory.again = true;
			return again ? [passed, []] : [[], passed];
		}
		case 'n8n-nodes-base.merge':
			return [[{ json: {}, pairedItem: { item: 0 } }]];
		case 'n8n-nodes-base.aggregate': {
			const field = context.getNodeParameter('destinationFieldName', 0) as string;
			const all = items.map(({ json }) => json);
			return [[{ json: { [field]: all }, pairedItem: items.map((_, item) => ({ item })) }]];
		}
		case 'n8n-nodes-base.code':
			return [runCode(context)];
		case 'n8n-nodes-base.splitOut':
			return [items.flatMap((one, item) => splitOut(context, one, item))];
		default:
			// n8n itself moves what carries an error to the error output.
			return [node.onError === 'continueErrorOutput' ? [...passed, refused] : passed];
	}
}

function splitOut(
	context: IExecuteFunctions,
	{ json }: INodeExecutionData,
	item: number,
): INodeExecutionData[] {
	const list = json[context.getNodeParameter('fieldToSplitOut', item) as string] as Json[];
	return list.map((one) => ({ json: one, pairedItem: { item } }));
}

/** As the real node does for "Run Once for All Items", but not apart from everything else. */
function runCode(context: IExecuteFunctions): INodeExecutionData[] {
	const known = Object.entries({
		...context.getWorkflowDataProxy(0),
		$getWorkflowStaticData: (of: string) => context.getWorkflowStaticData(of),
	});
	const code = new Function(
		...known.map(([name]) => name),
		context.getNodeParameter('jsCode', 0) as string,
	) as (...values: unknown[]) => INodeExecutionData[];
	return code(...known.map(([, value]) => value as unknown));
}

const assigned = (given: unknown): Json => {
	const { assignments } = given as { assignments: Array<{ name: string; value: Json[string] }> };
	return Object.fromEntries(assignments.map(({ name, value }) => [name, value]));
};

/** What the real node puts out, where the nodes after it build on that. */
function outputOf(
	context: IExecuteFunctions,
	{ node, json, item }: { node: INode; json: Json; item: number },
): Json {
	switch (node.type) {
		case 'n8n-nodes-base.set':
			return node.parameters.mode === 'raw'
				? (context.getNodeParameter('jsonOutput', item) as Json)
				: assigned(context.getNodeParameter('assignments', item));
		case 'n8n-nodes-base.html':
			return { table: `<table>${item}</table>` };
		case 'n8n-nodes-base.googleSheets':
			return (context.getNodeParameter('columns', item) as { value: Json }).value;
		case 'n8n-nodes-base.pipedrive':
			return { id: item + 1 };
		default:
			return json;
	}
}
