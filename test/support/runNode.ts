/** Runs an action node inside a small workflow: start → node → success and error collectors. */
import { stringify } from 'flatted';
import {
	type ExecutionError,
	type IConnections,
	type IDataObject,
	type IExecuteContextData,
	type INodeExecutionData,
	type IRun,
	type IRunData,
	type OnError,
	NodeConnectionTypes,
	type Workflow,
} from 'n8n-workflow';

import { type BinaryMode, type LogLine, instance, useBinaryMode, withLogs } from './instance';
import { type Subject, type SubjectOptions, subjectOf } from './subject';
import {
	START,
	type RunControl,
	helperNode,
	helperType,
	runToEnd,
	workflowFrom,
} from './workflowRun';

export interface RunNodeOptions extends SubjectOptions, RunControl {
	items?: INodeExecutionData[];
	onError?: OnError;
	retryOnFail?: boolean;
	maxTries?: number;
	/** 1 ms unless given. n8n reads 0 as its default of 1000 ms. */
	waitBetweenTries?: number;
	alwaysOutputData?: boolean;
	binaryMode?: BinaryMode;
}

export interface NodeRun {
	/** What left the node, by output; the error output comes last when there is one. */
	outputs: INodeExecutionData[][];
	/** What stopped the execution, as n8n stores it: fields, `message` and `stack`. */
	error?: ExecutionError;
	status: IRun['status'];
	runData: IRunData;
	/** By `node:<name>` and `flow`: what `getContext()` kept. */
	contextData: IExecuteContextData;
	logs: LogLine[];
	fullRun: IRun;
	/** The execution as n8n writes it into its database. */
	stored: string;
	timesRun: number;
}

const { Main } = NodeConnectionTypes;

const collector = helperType(
	'collector',
	{ group: ['transform'], inputs: [Main], outputs: [Main] },
	async function () {
		return [this.getInputData()];
	},
);

function workflowOf(
	{ node, type, workflowId }: Subject,
	items: INodeExecutionData[] = [{ json: {} }],
): Workflow {
	const to = (name: string) => [{ node: name, type: Main, index: 0 }];
	const errors = node.onError === 'continueErrorOutput' ? [to('Errors')] : [];
	const connections: IConnections = {
		[START]: { main: [to(node.name)] },
		[node.name]: { main: [to('Success'), ...errors] },
	};
	return workflowFrom({
		items,
		workflowId,
		nodes: [
			node,
			helperNode('Success', 'collector', [400, 0]),
			helperNode('Errors', 'collector', [400, 200]),
		],
		connections,
		types: { collector, [node.type]: type },
	});
}

export async function runNode(given: RunNodeOptions): Promise<NodeRun> {
	await instance();
	await useBinaryMode(given.binaryMode ?? 'filesystem');
	const subject = subjectOf(given);
	const { onError, retryOnFail, maxTries, waitBetweenTries = 1, alwaysOutputData } = given;
	const settings = { onError, retryOnFail, maxTries, waitBetweenTries, alwaysOutputData };
	Object.assign(subject.node, settings);
	const workflow = workflowOf(subject, given.items);

	const logs: LogLine[] = [];
	const { store } = subject;
	const fullRun = await withLogs(logs, async () => await runToEnd({ ...given, workflow, store }));
	const { resultData, executionData } = fullRun.data;
	const ofNode = resultData.runData[subject.node.name]?.at(-1)?.data?.main ?? [];
	return {
		outputs: ofNode.map((items) => items ?? []),
		error: resultData.error,
		status: fullRun.status,
		runData: resultData.runData,
		contextData: executionData?.contextData ?? {},
		logs,
		fullRun,
		stored: stringify(fullRun.data),
		timesRun: subject.timesRun(),
	};
}

/** What `getContext('node')` of the node under test kept. */
export function nodeContext(run: NodeRun, nodeName = 'Node under test'): IDataObject {
	return run.contextData[`node:${nodeName}`] ?? {};
}
