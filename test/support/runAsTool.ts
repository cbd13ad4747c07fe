/** Connects the node to an agent as a tool, and calls it as a language model would. */
import {
	type IConnections,
	type IDataObject,
	type INodeProperties,
	type INodeType,
	NodeConnectionTypes,
	UserError,
} from 'n8n-workflow';

import { instance, useBinaryMode } from './instance';
import { type SubjectOptions, subjectOf } from './subject';
import {
	START,
	type NodeSettings,
	type Ran,
	type RunControl,
	helperNode,
	helperType,
	runAround,
	workflowFrom,
} from './workflowRun';

export interface RunAsToolOptions extends SubjectOptions, RunControl, NodeSettings {
	/** What the model fills in for the `$fromAI()` placeholders of the parameters. */
	args?: IDataObject;
	/** Further calls by the same agent, one after another. */
	further?: readonly IDataObject[];
	/** Makes all calls at once. */
	sideBySide?: boolean;
}

type ToolAnswer = Pick<ToolRun, 'errorMessage'> & { response?: unknown };

export interface ToolRun extends Ran {
	name: string;
	description: string;
	/** The parsed answer, when the call succeeded. */
	response: unknown;
	/** All that the model learns about a failure. */
	errorMessage?: string;
	/** Those of all calls. `response` and `errorMessage` are from the first one. */
	answers: ToolAnswer[];
}

const { Main, AiTool } = NodeConnectionTypes;

interface ConnectedTool {
	name: string;
	description: string;
	schema: { shape: object };
	invoke: (args: IDataObject) => Promise<string>;
}

/** What n8n makes of a node's description when it offers the node as a tool. */
export function toolTypeOf(type: INodeType): INodeType {
	const { usableAsTool, ...description } = type.description;
	if (!usableAsTool) throw new UserError('The node is not usable as a tool');
	const chosen = description.properties.some(({ name }) => /^(resource|operation)$/.test(name));
	const toolDescription: INodeProperties = {
		displayName: 'Description',
		name: 'toolDescription',
		type: 'string',
		required: true,
		default: description.description,
		...(chosen && { displayOptions: { show: { descriptionType: ['manual'] } } }),
	};
	const descriptionType: INodeProperties = {
		displayName: 'Tool Description',
		name: 'descriptionType',
		type: 'options',
		options: [
			{ name: 'Set Automatically', value: 'auto' },
			{ name: 'Set Manually', value: 'manual' },
		],
		default: 'auto',
	};
	const tool = Object.create(type) as INodeType;
	tool.description = {
		...description,
		...(typeof usableAsTool === 'object' && usableAsTool.replacements),
		name: `${description.name}Tool`,
		displayName: `${description.displayName} Tool`,
		inputs: [],
		outputs: [AiTool],
		properties: [...(chosen ? [descriptionType] : []), toolDescription, ...description.properties],
	};
	return tool;
}

async function answerOf(tool: ConnectedTool, args: IDataObject): Promise<ToolAnswer> {
	try {
		return { response: JSON.parse(await tool.invoke(args)) as unknown };
	} catch (error) {
		return { errorMessage: (error as Error).message };
	}
}

function agentThatCalls(
	{ args = {}, further = [], sideBySide = false }: RunAsToolOptions,
	onAnswer: (answer: Partial<ToolRun>) => void,
) {
	const inputs = [Main, AiTool];
	const about = { group: ['transform' as const], inputs, outputs: [Main] };
	return helperType('agent', about, async function () {
		const [tool] = (await this.getInputConnectionData(AiTool, 0)) as ConnectedTool[];
		if (!tool) throw new UserError('No tool is connected');
		const { name, description } = tool;
		onAnswer({ name, description });
		const calls = [args, ...further];
		const answers: ToolAnswer[] = sideBySide
			? await Promise.all(calls.map(async (one) => await answerOf(tool, one)))
			: [];
		if (!sideBySide) for (const one of calls) answers.push(await answerOf(tool, one));
		onAnswer({ ...answers[0], answers });
		return [this.getInputData()];
	});
}

export async function runAsTool(given: RunAsToolOptions): Promise<ToolRun> {
	await instance();
	await useBinaryMode('filesystem');
	const subject = subjectOf(given);
	const { node, workflowId } = subject;
	node.type += 'Tool';
	const answer: Partial<ToolRun> = {};
	const agent = agentThatCalls(given, (part) => Object.assign(answer, part));
	const connections: IConnections = {
		[START]: { main: [[{ node: 'Agent', type: Main, index: 0 }]] },
		[node.name]: { [AiTool]: [[{ node: 'Agent', type: AiTool, index: 0 }]] },
	};
	const nodes = [node, helperNode('Agent', 'agent', [400, 0])];
	const types = { agent, [node.type]: toolTypeOf(subject.type) };
	const items = [{ json: {} }];
	const workflow = () => workflowFrom({ items, workflowId, nodes, connections, types });
	const ran = await runAround(subject, workflow, given);
	const { error } = ran.fullRun.data.resultData;
	return {
		...{ name: '', description: '', response: undefined, answers: [] },
		...(error && { errorMessage: error.message }),
		...answer,
		...ran,
	};
}
