/**
 * Decides what to do with an item, by its state. n8n runs a node again on all items: "Retry On
 * Fail" within one execution, "Retry execution" in another one, which is a person's decision. Pure.
 *
 * | state    | and                                                   | decision      |
 * | -------- | ----------------------------------------------------- | ------------- |
 * | untouched|                                                       | run           |
 * | done     |                                                       | show          |
 * | doneWithError |                                                  | showError     |
 * | refused  | in this execution                                     | repeatError   |
 * | refused  | in another one                                        | run           |
 * | notDone  | in this execution                                     | runAgain      |
 * | notDone  | in another one                                        | run           |
 * | unknown  | and finally refused since, in this execution          | repeatError   |
 * | unknown  | for another account than the item is for now          | hold          |
 * | unknown  | sent without a key, a read can show the outcome       | check         |
 * | unknown  | sent without a key, no read can                       | hold          |
 * | unknown  | with a key; only to be checked, and no read can, here | hold          |
 * | unknown  | with a key                                            | runAgain      |
 */
import type { FailureFacts } from '../../api/failure';
import type { Done, DoneWithError, ItemState, NotDone, Unknown } from './itemState';

export type Decision =
	/** As if there had been no attempt. */
	| { readonly kind: 'run' }
	/** The operation learns about the earlier attempt. */
	| { readonly kind: 'runAgain'; readonly before: NotDone | Unknown }
	/** Reads show the outcome, or a repetition does no harm. */
	| { readonly kind: 'check'; readonly before: Unknown }
	| { readonly kind: 'show'; readonly done: Done }
	/** Throws the error that the completed write ended with. Nothing is sent. */
	| { readonly kind: 'showError'; readonly done: DoneWithError }
	/** Throws the error of the earlier attempt again. Nothing is sent. */
	| { readonly kind: 'repeatError'; readonly facts: FailureFacts }
	/** Throws an error that says that the outcome is unknown. Nothing is sent. */
	| { readonly kind: 'hold'; readonly unknown: Unknown; readonly isOtherAccount: boolean };

export interface Attempting {
	readonly execution: string;
	/** The client that the item is for now. Undefined for the own account. */
	readonly clientId: string | undefined;
	/** Whether the operation can check the outcome of an earlier attempt. */
	readonly canCheck: boolean;
}

export function decide(state: ItemState, attempting: Attempting): Decision {
	switch (state.kind) {
		case 'untouched':
			return { kind: 'run' };
		case 'done':
			return { kind: 'show', done: state };
		case 'doneWithError':
			return { kind: 'showError', done: state };
		case 'refused':
			return state.execution === attempting.execution
				? { kind: 'repeatError', facts: state.facts }
				: { kind: 'run' };
		case 'notDone':
			return state.execution === attempting.execution
				? { kind: 'runAgain', before: state }
				: { kind: 'run' };
		case 'unknown':
			return decideUnknown(state, attempting);
	}
}

function decideUnknown(state: Unknown, { execution, clientId, canCheck }: Attempting): Decision {
	const isHere = state.execution === execution;
	if (isHere && state.next === 'never') return { kind: 'repeatError', facts: state.facts };
	if (state.clientId !== clientId) return { kind: 'hold', unknown: state, isOtherAccount: true };
	const hold: Decision = { kind: 'hold', unknown: state, isOtherAccount: false };
	if (state.request.key === undefined) return canCheck ? { kind: 'check', before: state } : hold;
	const checkOnly = state.next === 'checkOnly';
	return isHere && checkOnly && !canCheck ? hold : { kind: 'runAgain', before: state };
}
