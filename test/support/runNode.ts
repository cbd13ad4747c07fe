/** Runs an action node inside a small workflow: start → node → success and error collectors. */
import {
	type ExecutionError,
	type IConnections,
	type IExecuteContextData,
	type INodeExecutionData,
	type IRun,
	type IRunData,
	NodeConnectionTypes,
	type Workflow,
} from 'n8n-workflow';

import { type BinaryMode, instance, useBinaryMode } from './instance';
import { type Subject, type SubjectOptions, subjectOf } from './subject';
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

export interface RunNodeOptions extends SubjectOptions, RunControl, NodeSettings {
	items?: INodeExecutionData[];
	binaryMode?: BinaryMode;
}

export interface NodeRun extends Ran {
	/** The items of each output. The error output comes last, if there is one. */
	outputs: INodeExecutionData[][];
	/** What stopped the execution, as n8n stores it: fields, `message` and `stack`. */
	error?: ExecutionError;
	status: IRun['status'];
	runData: IRunData;
	/** The data of `getContext()`, by `node:<name>` and `flow`. */
	contextData: IExecuteContextData;
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
	const ran = await runAround(subject, () => workflowOf(subject, given.items), given);
	const { resultData, executionData } = ran.fullRun.data;
	const ofNode = resultData.runData[subject.node.name]?.at(-1)?.data?.main ?? [];
	return {
		...ran,
		outputs: ofNode.map((items) => items ?? []),
		error: resultData.error,
		status: ran.fullRun.status,
		runData: resultData.runData,
		contextData: executionData?.contextData ?? {},
	};
}
