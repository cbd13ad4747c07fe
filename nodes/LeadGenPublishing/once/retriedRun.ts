/**
 * What the attempts at the writes of a node have in common: their ledger, and which calls of a tool
 * are attempts at the same. n8n gives each try of a call a run index of its own where an agent invokes
 * the tool directly, so the index does not show that a try is a further one.
 */
import type { IExecuteFunctions } from 'n8n-workflow';

import { keyFrom } from '../api/identifiers';
import type { JsonRecord } from '../api/schemas';
import { isTool } from '../parameters/modelSource';
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
	/** As text: the parameters of an item that decide what is sent, and for whom. */
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

const isFailure = ({ kind }: StoredRun['rows'][string]): boolean => kind !== 'done';
