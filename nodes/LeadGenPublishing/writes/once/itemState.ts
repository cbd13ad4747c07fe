import type { FailureFacts } from '../../api/failure';
import type { NextAttempt } from '../../api/policyTables';
import type { JsonRecord } from '../../api/schemas';
import type { SentRequest } from '../../item/itemCall';

export type ItemState = Untouched | Done | DoneWithError | Refused | NotDone | Unknown;

export interface Untouched {
	readonly kind: 'untouched';
}

export interface Done {
	readonly kind: 'done';
	readonly parameters: string;
	readonly clientId?: string;
	readonly result: KeptResult;
}

export interface DoneWithError {
	readonly kind: 'doneWithError';
	/** In the words of the error. */
	readonly problem: string;
	readonly remedy: string;
	readonly details: JsonRecord;
}

export interface Refused {
	readonly kind: 'refused';
	readonly execution: string;
	readonly facts: FailureFacts;
	readonly refusals: number;
}

export interface NotDone {
	readonly kind: 'notDone';
	readonly execution: string;
	readonly request: SentRequest;
	readonly refusals: number;
}

export interface Unknown {
	readonly kind: 'unknown';
	readonly execution: string;
	readonly request: SentRequest;
	readonly facts: FailureFacts;
	readonly next: NextAttempt;
	/** With which parameters the request was sent. */
	readonly parameters: string;
	readonly clientId?: string;
	readonly refusals: number;
}

export type KeptResult =
	/** The record can be read again. `said` holds the fields that the operation itself added. */
	| { readonly kind: 'id'; readonly id: string; readonly said: JsonRecord }
	| { readonly kind: 'record'; readonly record: JsonRecord }
	| { readonly kind: 'notKept' };
