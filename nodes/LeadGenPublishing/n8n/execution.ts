/** What n8n knows about an execution and stores with it, for all tries of Retry On Fail. */
import type { IExecuteFunctions } from 'n8n-workflow';

import type { JsonRecord } from '../api/schemas';
import { isTool } from '../panel/parameters/modelSource';
import type { GivenTimesStore } from '../planning/slots/planner';
import type { NodeRun } from '../writes/once/retriedRun';

export function executionStore(
	functions: Pick<IExecuteFunctions, 'getContext' | 'getNode' | 'getWorkflowDataProxy'>,
): GivenTimesStore {
	const memory: JsonRecord = functions.getContext('flow');
	return { memory, round: `${nodeOf(functions)}/${runIndexOf(functions)}` };
}

export function nodeRunOf(functions: IExecuteFunctions): NodeRun {
	const items = functions.getInputData();
	return {
		memory: functions.getContext('node'),
		executionId: functions.getExecutionId() ?? '',
		node: nodeOf(functions),
		index: runIndexOf(functions),
		size: items.length,
		tool: isTool(functions)
			? {
					input: items[0]?.json ?? {},
					// Older versions of n8n do not have the function.
					hasOwnIndex: functions.isToolExecution?.() !== true,
				}
			: undefined,
	};
}

function nodeOf(functions: Pick<IExecuteFunctions, 'getNode'>): string {
	const { id, name } = functions.getNode();
	return id || name;
}

/** How often the node has run before in this execution, such as in a loop. */
const runIndexOf = (functions: Pick<IExecuteFunctions, 'getWorkflowDataProxy'>): string =>
	String(functions.getWorkflowDataProxy(0).$runIndex ?? 0);
