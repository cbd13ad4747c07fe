/** The small workflows around the node under test, and starting them as n8n does. */
import { parse, stringify } from 'flatted';
import { ExecutionLifecycleHooks, WorkflowExecute } from 'n8n-core';
import {
	type ExecutionError,
	type IConnections,
	type INode,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type IRun,
	type IRunExecutionData,
	type OnError,
	NodeConnectionTypes,
	UserError,
	Workflow,
	type WorkflowExecuteMode,
	createRunExecutionData,
} from 'n8n-workflow';

import type { CredentialStore } from './credentialStore';
import { type LogLine, withLogs } from './instance';
import { type Subject, additionalDataOf, nodeTypesOf } from './subject';

export const START = 'Start';

const { Main } = NodeConnectionTypes;

/** The functions of the real clock, even if a test lets time jump. */
const { setInterval, clearInterval } = globalThis;

export function helperType(
	name: string,
	description: Pick<INodeTypeDescription, 'group' | 'inputs' | 'outputs' | 'credentials'>,
	execute: NonNullable<INodeType['execute']>,
): INodeType {
	const about = { displayName: name, name, version: 1, description: '', defaults: {} };
	return { description: { ...about, ...description, properties: [] }, execute };
}

/** A node of somebody else that uses our credential. */
export const otherNode = (execute: NonNullable<INodeType['execute']>): INodeType => {
	const credentials = [{ name: 'leadGenPublishingApi', required: true }];
	const about = { group: ['transform' as const], inputs: [Main], outputs: [Main], credentials };
	return helperType('other', about, execute);
};

export const helperNode = (name: string, type: string, position: [number, number]): INode => ({
	id: name,
	name,
	type,
	typeVersion: 1,
	position,
	parameters: {},
});

/** A copy of what JSON can express. Dates and other objects pass as they do between nodes. */
function copied<T>(value: T): T {
	if (Array.isArray(value)) return value.map((entry: unknown) => copied(entry)) as T;
	const isPlain = typeof value === 'object' && value !== null && value.constructor === Object;
	if (!isPlain) return value;
	return Object.fromEntries(Object.entries(value).map(([key, v]) => [key, copied(v)])) as T;
}

/** Every workflow here begins with a node that emits `items`. */
export function workflowFrom(given: {
	items: INodeExecutionData[];
	workflowId: string;
	nodes: INode[];
	connections: IConnections;
	types: Record<string, INodeType>;
}): Workflow {
	const { items, workflowId, nodes, connections, types } = given;
	const trigger = { group: ['trigger' as const], inputs: [], outputs: [Main] };
	const start = helperType('start', trigger, async () => [copied(items)]);
	return new Workflow({
		id: workflowId,
		name: 'Workflow under test',
		nodes: [helperNode(START, 'start', [0, 0]), ...nodes],
		connections,
		active: false,
		nodeTypes: nodeTypesOf({ ...types, start }),
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

export interface RunControl {
	executionId?: string;
	mode?: WorkflowExecuteMode;
	/** The kept data of a failed run: for "Retry execution"; give it a new `executionId`. */
	runExecutionData?: IRunExecutionData;
	/** Aborting it is "Stop execution". */
	signal?: AbortSignal;
	/** Stops the execution as soon as this holds. A slow machine may need a long time for that. */
	abortWhen?: () => boolean;
}

/** What a person sets on the node itself. */
export interface NodeSettings {
	onError?: OnError;
	retryOnFail?: boolean;
	maxTries?: number;
}

export interface Ran {
	logs: LogLine[];
	fullRun: IRun;
	/** The execution as n8n writes it into its database. */
	stored: string;
	timesRun: number;
}

type RunSetup = RunControl & { workflow: Workflow; store: CredentialStore };

/** Runs a workflow around the node under test, with its settings. */
export async function runAround(
	subject: Subject,
	workflowOf: () => Workflow,
	given: RunControl & NodeSettings,
): Promise<Ran> {
	const { onError, retryOnFail, maxTries } = given;
	// n8n reads 0 as its default of 1000 ms.
	Object.assign(subject.node, { onError, retryOnFail, maxTries, waitBetweenTries: 1 });
	const setup = { ...given, workflow: workflowOf(), store: subject.store };
	const logs: LogLine[] = [];
	const fullRun = await withLogs(logs, async () => await runToEnd(setup));
	return { logs, fullRun, stored: stringify(fullRun.data), timesRun: subject.timesRun() };
}

function start(given: RunSetup): ReturnType<WorkflowExecute['run']> {
	const { workflow, store, runExecutionData, executionId = '1000' } = given;
	const mode = given.mode ?? (runExecutionData ? 'retry' : 'manual');
	const additionalData = additionalDataOf({ store, workflowId: workflow.id, executionId });
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

/** A workflow that n8n refuses to start, for example because a required parameter is empty. */
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

export async function runToEnd(given: RunSetup): Promise<IRun> {
	const { signal, abortWhen } = given;
	let watch: NodeJS.Timeout | undefined;
	let stop: (() => void) | undefined;
	try {
		const running = start(given);
		stop = () => running.cancel();
		if (signal?.aborted) stop();
		signal?.addEventListener('abort', stop, { once: true });
		if (abortWhen) watch = setInterval(() => abortWhen() && stop?.(), 5);
		return await running;
	} catch (error) {
		return refused(error as ExecutionError);
	} finally {
		clearInterval(watch);
		if (stop) signal?.removeEventListener('abort', stop);
	}
}
