/** What this process remembers about unique keys. */
import { InputError } from '../../words/inputError';
import { Turns } from './turns';

export type KeyState =
	| { readonly kind: 'nothingKnown' }
	/** A creation was sent whose outcome is not known. */
	| { readonly kind: 'lost'; readonly at: number }
	/** The record was created, or has appeared after its response was lost. */
	| { readonly kind: 'exists'; readonly at: number; readonly id: unknown };

export interface KeyMemory {
	state: KeyState;
}

export const newKeyMemory = (): KeyMemory => ({ state: { kind: 'nothingKnown' } });

/** The turns of all executions in this process, by account and key. */
export const KEY_TURNS = new Turns(newKeyMemory);

export const isTaken = (what: string): InputError =>
	new InputError(
		`Another execution is creating the same ${what}, and did not finish within "Max Wait (Seconds)"`,
		'Run the node again. The node first looks for the record that the other execution was creating.',
		{ code: 'being_created', retryable: true },
		'Nothing was sent',
	);
