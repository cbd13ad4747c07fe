/**
 * What all attempts at a node's writes share: their ledger, and which tool calls are attempts at
 * the same write. If an agent invokes the tool directly, n8n gives each try its own run index, so
 * the index does not show that a try repeats an earlier one.
 */
import { keyFrom } from '../../api/identifiers';
import type { JsonRecord } from '../../api/schemas';
import { Ledger, type StoredRun } from './ledger';

export interface RetriedRun {
	readonly ledger: Ledger;
	readonly execution: string;
	/** An idempotency key that stays the same when n8n runs the item again. */
	readonly keyOf: (item: number) => string;
	/** A hash of what is sent for an item, and for whom. */
	readonly parametersOf: (item: number) => string;
}

/** The run of a node, as n8n sees it. */
export interface NodeRun {
	/** Plain JSON that is stored with the execution, for all attempts of this node. */
	readonly memory: JsonRecord;
	readonly executionId: string;
	/** Identifies the node in its workflow. */
	readonly node: string;
	/** How often the node has run before in this execution. */
	readonly index: string;
	readonly size: number;
	/** If an AI agent calls the node. */
	readonly tool?: {
		/** All tries of a call get the same object as their input. */
		readonly input: object;
		/** Whether all tries have the same run index, and no other call has it. */
		readonly hasOwnIndex: boolean;
	};
}

interface Running {
	/** What the node does. */
	readonly what: string;
	/** The parameters of an item that decide what is sent and for whom, as text. */
	readonly deciding: (item: number) => readonly string[];
}

export function openRun(nodeRun: NodeRun, { what, deciding }: Running): RetriedRun {
	const { memory, executionId, node, index, size, tool } = nodeRun;
	const parametersOf = (item: number) => keyFrom(what, ...deciding(item)).slice(0, 8);
	const prefix = `${index}/${what}/`;
	const call: ToolCall | undefined = tool && {
		...tool,
		hash: keyFrom(...Array.from({ length: size }, (_, item) => parametersOf(item))),
	};
	const ledger = Ledger.open(memory, (runs) =>
		call === undefined ? prefix : runOfCall(runs, prefix, call),
	);
	const run = ledger.run(call?.hash);
	if (call !== undefined) runOfInput.set(call.input, run);
	// Two nodes of an execution may intentionally do the same thing, such as start, stop, start.
	return {
		ledger,
		execution: executionId,
		keyOf: (item) => keyFrom(ledger.seed, node, `${ledger.runName}${item}`, ledger.refusals(item)),
		parametersOf,
	};
}

interface ToolCall extends NonNullable<NodeRun['tool']> {
	/** Equal for calls that do the same. It is stored, so it must not reveal what they do. */
	readonly hash: string;
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
