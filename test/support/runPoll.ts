/**
 * Polls a trigger node through n8n's PollContext: once, or as a registration that is polled
 * repeatedly.
 */
import { PollContext, TriggersAndPollers } from 'n8n-core';
import { Container } from '@n8n/di';
import {
	type IDataObject,
	type INodeExecutionData,
	type WorkflowActivateMode,
	Workflow,
} from 'n8n-workflow';
import { isDeepStrictEqual } from 'node:util';

import { type LogLine, instance, withLogs } from './instance';
import {
	type Subject,
	type SubjectOptions,
	additionalDataOf,
	nodeTypesOf,
	subjectOf,
} from './subject';

export interface RunPollOptions extends SubjectOptions {
	mode?: 'trigger' | 'manual';
	activation?: WorkflowActivateMode;
	/** The node's stored state, which stays unchanged. */
	staticData?: IDataObject;
}

export interface PollRun {
	/** Output 0, or null when the poll found nothing or threw. */
	items: INodeExecutionData[] | null;
	outputs: INodeExecutionData[][] | null;
	error?: Error;
	/** The node's state after the poll, as it would come back from the database. */
	staticData: IDataObject;
	/** Whether n8n noticed a change. It never writes an unnoticed one. */
	changed: boolean;
	logs: LogLine[];
}

/** Writing to the database and reading back. */
const asStored = (data: IDataObject): IDataObject =>
	JSON.parse(JSON.stringify(data)) as IDataObject;

function workflowOf({ node, type, workflowId }: Subject, staticData: IDataObject): Workflow {
	return new Workflow({
		id: workflowId,
		name: 'Workflow under test',
		nodes: [node],
		connections: {},
		active: true,
		nodeTypes: nodeTypesOf({ [node.type]: type }),
		staticData,
		settings: { executionOrder: 'v1' },
	});
}

async function pollOnce(given: {
	workflow: Workflow;
	subject: Subject;
	mode: 'trigger' | 'manual';
	activation: WorkflowActivateMode;
	/** With durable cursors the node is handed a copy that n8n commits or drops. */
	cursor?: IDataObject;
}): Promise<Pick<PollRun, 'items' | 'outputs' | 'error' | 'logs'>> {
	const { workflow, subject, mode, activation, cursor } = given;
	const context = new PollContext(
		workflow,
		subject.node,
		additionalDataOf(subject),
		mode,
		activation,
		undefined,
		undefined,
		undefined,
		undefined,
		cursor && (() => cursor),
	);
	const logs: LogLine[] = [];
	try {
		const outputs = await withLogs(
			logs,
			async () =>
				await workflow.expression.withIsolate(
					async () =>
						await Container.get(TriggersAndPollers).runPollFunction(
							workflow,
							subject.node,
							context,
						),
				),
		);
		return { items: outputs?.[0] ?? null, outputs, logs };
	} catch (error) {
		return { items: null, outputs: null, error: error as Error, logs };
	}
}

const keyOf = ({ node }: Subject) => `node:${node.name}`;

/** One poll on its own. */
export async function runPoll(given: RunPollOptions): Promise<PollRun> {
	await instance();
	const subject = subjectOf(given);
	const { mode = 'trigger', activation = mode === 'manual' ? 'manual' : 'activate' } = given;
	const key = keyOf(subject);
	const before = given.staticData ? { [key]: asStored(given.staticData) } : {};
	const workflow = workflowOf(subject, before);
	const run = await pollOnce({ workflow, subject, mode, activation });
	return {
		...run,
		staticData: asStored((workflow.staticData[key] ?? {}) as IDataObject),
		changed: workflow.staticData.__dataChanged === true,
	};
}

/**
 * How n8n keeps a trigger's state between polls.
 * - `inMemory`: one object lives on; it is written when items come out.
 * - `durable`: each poll starts from the database; it is written when items come out.
 * - `durableCursors`: as above, and a poll without items is written too, activation excepted.
 */
export type PollDurability = 'inMemory' | 'durable' | 'durableCursors';

export interface PollRegistration {
	/** The poll that n8n makes when it switches on a workflow. */
	activate: (activation?: WorkflowActivateMode) => Promise<PollRun>;
	tick: () => Promise<PollRun>;
	/** The node's state in the database; `undefined` until something was written. */
	readonly stored: IDataObject | undefined;
}

/** An active trigger, polled again and again, whose state n8n keeps in one of its three ways. */
export function pollRegistration(
	given: SubjectOptions & { durability: PollDurability; stored?: IDataObject },
): PollRegistration {
	const subject = subjectOf(given);
	const key = keyOf(subject);
	const { durability } = given;
	let database = given.stored && asStored(given.stored);
	const load = () => workflowOf(subject, database ? { [key]: asStored(database) } : {});
	let living = load();

	async function poll(activation: WorkflowActivateMode, activating: boolean): Promise<PollRun> {
		await instance();
		const hasCursor = durability === 'durableCursors';
		if (durability !== 'inMemory') living = load();
		const workflow = living;
		const cursor = hasCursor ? asStored(database ?? {}) : undefined;
		const options = { workflow, subject, mode: 'trigger', activation, cursor } as const;
		const run = await pollOnce(options);
		const staticData = asStored(cursor ?? ((workflow.staticData[key] ?? {}) as IDataObject));
		const changed = hasCursor
			? !isDeepStrictEqual(staticData, database ?? {})
			: workflow.staticData.__dataChanged === true;
		// Of an activation without items, n8n writes the static data, but commits no cursor.
		const writes = run.error === undefined && (run.outputs !== null || activating !== hasCursor);
		if (writes && changed) {
			database = staticData;
			workflow.staticData.__dataChanged = false;
		}
		return { ...run, staticData, changed };
	}

	return {
		activate: async (activation = 'activate') => await poll(activation, true),
		tick: async () => await poll('activate', false),
		get stored() {
			return database && asStored(database);
		},
	};
}
