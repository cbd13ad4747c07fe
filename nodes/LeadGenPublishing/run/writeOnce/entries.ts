/** What is known of the earlier attempts of an item. */
import type { FailureFacts } from '../../api/failure';
import type { JsonRecord } from '../../api/schemas';

/** A write as it was sent. One that may have succeeded is repeated unchanged, or not at all. */
export interface SentRequest {
	readonly fingerprint: string;
	readonly etag?: string;
	readonly key?: string;
	/** By what a created record can be recognised, and when the answer was lost, in ms. */
	readonly recognisedBy?: string;
	readonly lostAt?: number;
}

export interface FailedAttempt {
	/** The execution that received the answer. */
	readonly execution: string;
	readonly facts: FailureFacts;
	/** Set when this or an earlier attempt may have succeeded, with or without an idempotency key. */
	readonly mayHaveSucceeded?: 'keyed' | 'unkeyed';
	/** The last write that was sent. */
	readonly request?: SentRequest;
	/** How often it was certainly refused: after each time, a further execution uses a new key. */
	readonly refusals: number;
}

export type LedgerEntry =
	| { readonly state: 'done'; readonly result: JsonRecord }
	| { readonly state: 'doneById'; readonly id: string }
	/** The result is not available any more. */
	| { readonly state: 'doneOnly' }
	| ({ readonly state: 'failed' } & FailedAttempt);
