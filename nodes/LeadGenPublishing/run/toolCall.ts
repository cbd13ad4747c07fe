/**
 * Which calls of a tool belong together. n8n gives each try of a call a run index of its own where an
 * agent invokes the tool directly, so the index does not show that a try is a further one.
 */
import type { IExecuteFunctions } from 'n8n-workflow';

import { isTool } from '../parameters/modelSource';
import type { StoredRun } from './ledger';

export interface ToolCall {
	/** All tries of a call get the same object as their input. */
	readonly input: object;
	/** The same for calls that do the same. It is stored, and must not show what that is. */
	readonly hash: string;
	/** Whether all tries have the same run index, and no other call has it. */
	readonly hasOwnIndex: boolean;
}

/** Undefined if the node is not called as a tool. */
export const toolCall = (functions: IExecuteFunctions, hash: () => string): ToolCall | undefined =>
	isTool(functions)
		? {
				input: functions.getInputData()[0]?.json ?? {},
				hash: hash(),
				// Older versions of n8n do not have the function.
				hasOwnIndex: functions.isToolExecution?.() !== true,
			}
		: undefined;

/** By the input of a call. In it, a parameter such as `$now` may have changed since the last try. */
const runOfInput = new WeakMap<object, object>();

export const keepRunOf = ({ input }: ToolCall, run: object) => runOfInput.set(input, run);

/** The run that the call goes on with, or else the name of a new one. */
export function runOfCall(
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
