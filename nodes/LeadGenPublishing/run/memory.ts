/**
 * What the attempts at the writes of a node have in common: their ledger, and which calls of a tool
 * are attempts at the same. n8n gives each try of a call a run index of its own where an agent invokes
 * the tool directly, so the index does not show that a try is a further one.
 */
import type { IExecuteFunctions } from 'n8n-workflow';

import { keyFrom } from '../api/identifiers';
import type { JsonRecord } from '../api/schemas';
import type { Operation } from '../operations/define';
import { decidingParameters } from '../operations/describe';
import { isTool } from '../parameters/modelSource';
import type { Values } from '../parameters/values';
import { Ledger, type StoredRun } from './ledger';

export type Memory = ReturnType<typeof openMemory>;

export function openMemory(
	functions: IExecuteFunctions,
	operation: Operation,
	parameters: (itemIndex: number) => Values,
) {
	const context: JsonRecord = functions.getContext('node');
	const what = operation.endpoints[0] ?? operation.value;
	/** A hash of what is sent for an item with these parameters, and for whom. */
	const given = (input: Values) =>
		keyFrom(what, ...decidingParameters(operation, input)).slice(0, 8);
	const items = functions.getInputData();
	const prefix = `${String(functions.getWorkflowDataProxy(0).$runIndex ?? 0)}/${what}/`;
	const call: ToolCall | undefined = isTool(functions)
		? {
				input: items[0]?.json ?? {},
				hash: keyFrom(...items.map((_, item) => given(parameters(item)))),
				// Older versions of n8n do not have the function.
				hasOwnIndex: functions.isToolExecution?.() !== true,
			}
		: undefined;
	const ledger = Ledger.open(context, {
		nameFor: (runs) => (call === undefined ? prefix : runOfCall(runs, prefix, call)),
		size: items.length,
	});
	const run = ledger.run(call?.hash);
	if (call !== undefined) runOfInput.set(call.input, run);
	// Two nodes of an execution may intentionally do the same thing, such as start, stop, start.
	const { id, name } = functions.getNode();
	return {
		ledger,
		execution: functions.getExecutionId() ?? '',
		/** An idempotency key that stays the same when n8n runs the item again. */
		keyOf: (item: number) => {
			const refusals = ledger.failure(item)?.refusals ?? 0;
			return keyFrom(ledger.stored.seed, id || name, `${ledger.runName}${item}`, refusals);
		},
		given,
	};
}

interface ToolCall {
	/** All tries of a call get the same object as their input. */
	readonly input: object;
	/** The same for calls that do the same. It is stored, and must not show what that is. */
	readonly hash: string;
	/** Whether all tries have the same run index, and no other call has it. */
	readonly hasOwnIndex: boolean;
}

/** By the input of a call. In it, a parameter such as `$now` may have changed since the last try. */
const runOfInput = new WeakMap<object, object>();

/** The run that the call goes on with, or else the name of a new one. */
function runOfCall(
	runs: Readonly<Record<string, StoredRun>>,
	name: string,
	{ input, hash, hasOwnIndex }: ToolCall,
): string {
	const all = Object.entries(runs).reverse();
	const known = runOfInput.get(input);
	const found =
		all.find(([, run]) => run === known) ??
		all.find(([own]) => hasOwnIndex && own === name) ??
		// The agent has learned of a failure and calls again: another post could be one too many.
		all.find(([, { call, rows }]) => call === hash && Object.values(rows).some(isFailure));
	if (found !== undefined) return found[0];
	// Another call has the same index if agents work side by side.
	return name in runs ? runOfCall(runs, `${name}/`, { input, hash, hasOwnIndex }) : name;
}

const isFailure = (row: StoredRun['rows'][string]): boolean =>
	typeof row === 'string' || 'facts' in row;
