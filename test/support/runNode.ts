/** Runs an action node inside a small workflow: start → node → success and error collectors. */
import { parse, stringify } from 'flatted';
import { ExecutionLifecycleHooks, WorkflowExecute } from 'n8n-core';
import {
	type ExecutionError,
	type IConnections,
	type IDataObject,
	type IExecuteContextData,
	type IExecuteFunctions,
	type INode,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type IRun,
	type IRunData,
	type IRunExecutionData,
	type OnError,
	NodeConnectionTypes,
	UserError,
	Workflow,
	type WorkflowExecuteMode,
	createRunExecutionData,
} from 'n8n-workflow';

import { type BinaryMode, type LogLine, instance, useBinaryMode, withLogs } from './instance';
import {
	type Subject,
	type SubjectOptions,
	additionalDataOf,
	nodeTypesOf,
	subjectOf,
} from './subject';

export interface RunNodeOptions extends SubjectOptions {
	items?: INodeExecutionData[];
	onError?: OnError;
	retryOnFail?: boolean;
	maxTries?: number;
	/** n8n reads 0 as its default of 1000 ms; 1 is the shortest wait. */
	waitBetweenTries?: number;
	alwaysOutputData?: boolean;
	executionId?: string;
	mode?: WorkflowExecuteMode;
	/** The kept data of a failed run: plays "Retry execution", with a new `executionId`. */
	runExecutionData?: IRunExecutionData;
	/** Aborting it is "Stop execution". */
	signal?: AbortSignal;
	/** Stops the execution after so many milliseconds. */
	abortAfter?: number;
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

const START = 'Start';

function helperType(
	name: string,
	description: Pick<INodeTypeDescription, 'group' | 'inputs' | 'outputs'>,
	execute: (this: IExecuteFunctions) => Promise<INodeExecutionData[][]>,
): INodeType {
	const about = { displayName: name, name, version: 1, description: '', defaults: {} };
	return { description: { ...about, ...description, properties: [] }, execute };
}

const { Main } = NodeConnectionTypes;

const collector = helperType(
	'collector',
	{ group: ['transform'], inputs: [Main], outputs: [Main] },
	async function () {
		return [this.getInputData()];
	},
);

const plainNode = (name: string, type: string, position: [number, number]): INode => ({
	id: name,
	name,
	type,
	typeVersion: 1,
	position,
	parameters: {},
});

function workflowOf({ node, type, workflowId }: Subject, items: INodeExecutionData[]): Workflow {
	const start = helperType(
		'start',
		{ group: ['trigger'], inputs: [], outputs: [Main] },
		async () => [structuredClone(items)],
	);
	const to = (name: string) => [{ node: name, type: Main, index: 0 }];
	const connections: IConnections = {
		[START]: { main: [to(node.name)] },
		[node.name]: {
			main: [to('Success'), ...(node.onError === 'continueErrorOutput' ? [to('Errors')] : [])],
		},
	};
	return new Workflow({
		id: workflowId,
		name: 'Workflow under test',
		nodes: [
			plainNode(START, 'start', [0, 0]),
			node,
			plainNode('Success', 'collector', [400, 0]),
			plainNode('Errors', 'collector', [400, 200]),
		],
		connections,
		active: false,
		nodeTypes: nodeTypesOf({ start, collector, [node.type]: type }),
		settings: { executionOrder: 'v1' },
	});
}

/** What n8n does to a stored execution before it runs it again with the saved workflow. */
function readForRetry(kept: IRunExecutionData, workflow: Workflow): IRunExecutionData {
	const data = parse(stringify(kept)) as IRunExecutionData;
	const { resultData, executionData } = data;
	const { lastNodeExecuted } = resultData;
	delete resultData.error;
	const runs = lastNodeExecuted === undefined ? undefined : resultData.runData[lastNodeExecuted];
	if (runs?.at(-1)?.error !== undefined) runs.pop();
	for (const entry of executionData?.nodeExecutionStack ?? []) {
		const node = workflow.getNode(entry.node.name);
		if (!node) throw new UserError(`The retried node "${entry.node.name}" has another name now`);
		entry.node = node;
	}
	return data;
}

function execute(given: RunNodeOptions, subject: Subject): ReturnType<WorkflowExecute['run']> {
	const { runExecutionData, executionId = '1000', items = [{ json: {} }] } = given;
	const mode = given.mode ?? (runExecutionData ? 'retry' : 'manual');
	const workflow = workflowOf(subject, items);
	const additionalData = additionalDataOf({ ...subject, executionId });
	additionalData.hooks = new ExecutionLifecycleHooks(mode, executionId, {
		id: workflow.id,
		name: workflow.name ?? '',
		active: false,
		activeVersionId: null,
		isArchived: false,
		createdAt: new Date(),
		updatedAt: new Date(),
		nodes: Object.values(workflow.nodes),
		connections: workflow.connectionsBySourceNode,
	});
	if (!runExecutionData) {
		const startNode = workflow.getNode(START) ?? undefined;
		return new WorkflowExecute(additionalData, mode).run({ workflow, startNode });
	}
	const kept = readForRetry(runExecutionData, workflow);
	return new WorkflowExecute(additionalData, mode, kept).processRunExecutionData(workflow);
}

/** A workflow that n8n refuses to start, because of a missing credential or parameter, say. */
function refused(error: ExecutionError): IRun {
	const now = new Date();
	return {
		data: createRunExecutionData({ resultData: { error } }),
		mode: 'manual',
		startedAt: now,
		stoppedAt: now,
		status: 'error',
		storedAt: 'db',
	};
}

async function runToEnd(given: RunNodeOptions, subject: Subject): Promise<IRun> {
	let timer: NodeJS.Timeout | undefined;
	let stop: (() => void) | undefined;
	try {
		const running = execute(given, subject);
		stop = () => running.cancel();
		if (given.signal?.aborted) stop();
		given.signal?.addEventListener('abort', stop, { once: true });
		if (given.abortAfter !== undefined) timer = setTimeout(stop, given.abortAfter);
		return await running;
	} catch (error) {
		return refused(error as ExecutionError);
	} finally {
		clearTimeout(timer);
		if (stop) given.signal?.removeEventListener('abort', stop);
	}
}

export async function runNode(given: RunNodeOptions): Promise<NodeRun> {
	await instance();
	await useBinaryMode(given.binaryMode ?? 'filesystem');
	const subject = subjectOf(given);
	const { onError, retryOnFail, maxTries, waitBetweenTries, alwaysOutputData } = given;
	Object.assign(subject.node, { onError, retryOnFail, maxTries, alwaysOutputData });
	subject.node.waitBetweenTries = waitBetweenTries ?? 1;

	const logs: LogLine[] = [];
	const fullRun = await withLogs(logs, async () => await runToEnd(given, subject));
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
