/** What the attempts at the writes of a node have in common, and which parameters decide what is sent. */
import type { IExecuteFunctions } from 'n8n-workflow';

import { keyFrom } from '../api/identifiers';
import { isRecord, type JsonRecord } from '../api/schemas';
import type { Operation } from '../operations/define';
import type { Values } from '../parameters/values';
import { Ledger } from './ledger';
import { keepRunOf, runOfCall, toolCall } from './toolCall';

export interface Memory {
	readonly ledger: Ledger;
	readonly execution: string;
	/** An idempotency key that stays the same when n8n runs the item again. */
	keyOf(itemIndex: number): string;
	/** A hash of what is sent for an item with these parameters, and for whom. */
	given(input: Values): string;
}

export function openMemory(
	functions: IExecuteFunctions,
	operation: Operation,
	parameters: (itemIndex: number) => Values,
): Memory {
	const context: JsonRecord = operation.kind === 'write' ? functions.getContext('node') : {};
	const what = operation.endpoints[0] ?? operation.value;
	const names = ['actAs', 'clientId', ...operation.fields.map(({ name }) => name)];
	const given = (input: Values): string =>
		keyFrom(what, ...names.map((name) => textOf(() => deciding(name, input.raw(name))))).slice(
			0,
			8,
		);
	const { length: size } = functions.getInputData();
	const call =
		operation.kind === 'write'
			? toolCall(functions, () =>
					keyFrom(...Array.from({ length: size }, (_, item) => given(parameters(item)))),
				)
			: undefined;
	const prefix = `${String(functions.getWorkflowDataProxy(0).$runIndex ?? 0)}/${what}/`;
	const ledger = Ledger.open(context, {
		nameFor: (runs) => (call === undefined ? prefix : runOfCall(runs, prefix, call)),
		call: call?.hash,
		size,
	});
	if (call !== undefined) keepRunOf(call, ledger.run);
	// Two nodes of an execution may intentionally do the same thing, such as start, stop, start.
	const { id, name } = functions.getNode();
	return {
		ledger,
		execution: functions.getExecutionId() ?? '',
		keyOf: (item) =>
			keyFrom(ledger.seed, id || name, `${ledger.runName}${item}`, ledger.refusals(item)),
		given,
	};
}

/** What shapes the output, or only how long a request may take, is no part of it. */
const NOT_SENT = new Set(['simplify', 'output', 'fields', 'dryRun', 'maxWaitSeconds']);

function deciding(name: string, value: unknown): unknown {
	if (NOT_SENT.has(name)) return undefined;
	if (name !== 'options' || !isRecord(value)) return value;
	return Object.entries(value).filter(([option]) => !NOT_SENT.has(option));
}

/** A value that cannot be read fails the item by itself. */
function textOf(read: () => unknown): string {
	try {
		return JSON.stringify(read()) ?? '';
	} catch {
		return '';
	}
}
