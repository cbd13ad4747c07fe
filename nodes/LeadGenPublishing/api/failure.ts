/**
 * An API call that did not succeed, in the service's terms: what was asked, what came back.
 * It holds no key, no header, no body and no record; `explain.ts` turns it into words.
 */
import type { EndpointName } from './endpoints';
import type { JsonRecord } from './schemas';

type FailureKind =
	/** The service answered with an error envelope, or at least with an error status. */
	| 'answered'
	/** An answer that is no envelope. */
	| 'unreadable'
	/** No answer at all. */
	| 'unreachable'
	/** Held back: the service had asked to wait, or the time was up. */
	| 'notSent'
	/** A redirect, which is never followed. */
	| 'redirected';

export interface FailureFacts {
	readonly kind: FailureKind;
	readonly endpoint: EndpointName | 'media.upload';
	readonly agency: boolean;
	readonly status?: number;
	readonly code?: string;
	readonly reason?: string;
	/** The service's own message, already scrubbed. */
	readonly serviceMessage?: string;
	/** What was seen instead of an envelope, or how the connection failed. */
	readonly seen?: string;
	readonly requestId?: string;
	readonly serviceDetails?: JsonRecord;
	/** What a look at the resource has shown afterwards, as a sentence for the user. */
	readonly found?: string;
	readonly retryAfterMs?: number;
	/** Until when the service wants to be left alone, as an ISO time. */
	readonly notBefore?: string;
	readonly retryable: boolean;
	/** How often the request was sent. */
	readonly attempts: number;
	/** A write whose fate nobody knows: it may have been carried out. */
	readonly uncertain: boolean;
	/** A look at the resource has shown that no attempt was carried out. */
	readonly notCarriedOut?: boolean;
	/** It carried an idempotency key: repeating it with the same key is safe. */
	readonly keyed?: boolean;
	/** That key: whoever repeats the request by hand needs it. */
	readonly idempotencyKey?: string;
	/** The name of the header that carried an etag; a part of it is the vendor's own word. */
	readonly etagHeader?: string;
	/** What the network was called in the path, where it stands there. */
	readonly networkWord?: string;
	/** The labels of the parameters that the operation has: others are not recommended. */
	readonly labels?: readonly string[];
}

export class ApiFailure extends Error {
	constructor(readonly facts: FailureFacts) {
		super(`${facts.endpoint}: ${facts.code ?? facts.kind}`);
		this.name = 'ApiFailure';
	}
}

/** Bad input or a state that forbids the operation, found before anything was sent. */
export class InputError extends Error {
	constructor(
		message: string,
		readonly remedy: string,
		readonly details: JsonRecord = {},
	) {
		super(message);
		this.name = 'InputError';
	}
}

/** Known from an earlier try, and not sent again: no reason to hold up the items behind it. */
export class OpenWriteError extends InputError {}
