/** Opens the ledger of a node's writes, in the context that n8n stores with the execution. */
import { randomUUID } from 'crypto';
import type { IExecuteFunctions } from 'n8n-workflow';

import { keyFrom } from '../../api/idempotency';
import type { JsonRecord } from '../../api/schemas';
import type { Operation } from '../../operations/define';
import type { Values } from '../../parameters/values';
import { Ledger } from './ledger';
import { toolCall } from './toolCall';

export interface Memory {
	readonly ledger: Ledger;
	readonly execution: string;
	/** The number of items in the batch. */
	readonly size: number;
}

export function openMemory(
	functions: IExecuteFunctions,
	operation: Operation,
	inputs: readonly Values[],
) {
	const context: JsonRecord = operation.kind === 'write' ? functions.getContext('node') : {};
	const executionId = operation.kind === 'write' ? functions.getExecutionId() : undefined;
	// Execution IDs start from 1 on every n8n instance, and two instances may use the same account.
	const seed = executionId
		? keyFrom(functions.getInstanceId?.() ?? '', functions.getWorkflow().id ?? '', executionId)
		: randomUUID();
	const run = functions.getWorkflowDataProxy(0).$runIndex as unknown;
	const prefix = `${String(run ?? 0)}/${operation.endpoints[0] ?? operation.value}/`;
	const call = operation.kind === 'write' ? toolCall(functions, operation, inputs) : undefined;
	const ledger = Ledger.open(context, { seed, run: prefix, call });
	// Two nodes of an execution may intentionally do the same thing, such as start, stop, start.
	const { id, name } = functions.getNode();
	return {
		ledger,
		size: functions.getInputData().length,
		execution: executionId ?? '',
		nodeId: id || name,
		keyOf: (itemIndex: number) => ledger.runName + itemIndex,
	};
}
