/**
 * What all attempts at a node's writes share: their ledger, and which tool calls are attempts at
 * the same write. If an agent invokes the tool directly, n8n gives each try its own run index, so
 * the index does not show that a try repeats an earlier one.
 */
import type { IExecuteFunctions } from 'n8n-workflow';

import { keyFrom } from '../../api/identifiers';
import type { JsonRecord } from '../../api/schemas';
import { isTool } from '../../panel/parameters/modelSource';
import { Ledger, type StoredRun } from './ledger';

export interface RetriedRun {
	readonly ledger: Ledger;
	readonly execution: string;
	/** An idempotency key that stays the same when n8n runs the item again. */
	readonly keyOf: (item: number) => string;
	/** A hash of what is sent for an item, and for whom. */
	readonly parametersOf: (item: number) => string;
}

interface Running {
	/** What the node does. */
	readonly what: string;
	/** The parameters of an item that decide what is sent and for whom, as text. */
	readonly deciding: (item: number) => readonly string[];
}

export function openRun(functions: IExecuteFunctions, { what, deciding }: Running): RetriedRun {
	const context: JsonRecord = functions.getContext('node');
	const parametersOf = (item: number) => keyFrom(what, ...deciding(item)).slice(0, 8);
	const items = functions.getInputData();
	const prefix = `${String(functions.getWorkflowDataProxy(0).$runIndex ?? 0)}/${what}/`;
	const call: ToolCall | undefined = isTool(functions)
		? {
				input: items[0]?.json ?? {},
				hash: keyFrom(...items.map((_, item) => parametersOf(item))),
				// Older versions of n8n do not have the function.
				hasOwnIndex: functions.isToolExecution?.() !== true,
			}
		: undefined;
	const ledger = Ledger.open(context, (runs) =>
		call === undefined ? prefix : runOfCall(runs, prefix, call),
	);
	const run = ledger.run(call?.hash);
	if (call !== undefined) runOfInput.set(call.input, run);
	// Two nodes of an execution may intentionally do the same thing, such as start, stop, start.
	const { id, name } = functions.getNode();
	return {
		ledger,
		execution: functions.getExecutionId() ?? '',
		keyOf: (item) =>
			keyFrom(ledger.seed, id || name, `${ledger.runName}${item}`, ledger.refusals(item)),
		parametersOf,
	};
}

interface ToolCall {
	/** All tries of a call get the same object as their input. */
	readonly input: object;
	/** Equal for calls that do the same. It is stored, so it must not reveal what they do. */
	readonly hash: string;
	/** Whether all tries have the same run index, and no other call has it. */
	readonly hasOwnIndex: boolean;
}

/**
 * Runs by the input object of their call. A parameter such as `$now` may change the hash between
 * two tries.
 */
const runOfInput = new WeakMap<object, object>();

/** The run that the call continues, or else the name of a new one. */
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
		// The agent saw a failure and calls again. Another post could be a duplicate.
		all.find(([, { call, rows }]) => call === hash && Object.values(rows).some(isFailure));
	return found?.[0] ?? freeName(runs, name);
}

/** Calls of parallel agents can have the same index. */
const freeName = (runs: Readonly<Record<string, StoredRun>>, name: string): string =>
	name in runs ? freeName(runs, `${name}/`) : name;

const isFailure = ({ kind }: StoredRun['rows'][string]): boolean => kind !== 'done';
