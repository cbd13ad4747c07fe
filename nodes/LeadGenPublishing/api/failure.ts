/**
 * A failed API call, in the service's terms: the request, the response, and what its callers have
 * found out since. It contains no key, header, body or record. `policy.ts` says what it means, and
 * `words/` turns it into a message.
 */
import type { EndpointName } from './endpoints';
import type { UrlProblem } from './foreignUrl';
import type { Found } from './found';
import type { BodyProblem, ConnectionProblem } from './problems';
import { isRecord, type JsonRecord } from './schemas';

/** The service answered with an error envelope, or with an error status that says enough. */
export interface Answered {
	readonly kind: 'answered';
	readonly status: number;
	/** Undefined if neither the response nor its status names one. */
	readonly code?: string;
	readonly reason?: string;
	/** The service's message, already scrubbed. */
	readonly serviceMessage?: string;
	readonly serviceDetails?: JsonRecord;
	readonly retryAfterMs?: number;
	/** What came in place of an envelope, for example the page of a proxy. */
	readonly problem?: BodyProblem;
}

/** A response came that is no envelope. */
export interface Unreadable {
	readonly kind: 'unreadable';
	readonly status: number;
	readonly problem: BodyProblem;
	/** What its status stands for, if it is an error status. */
	readonly code?: string;
	readonly serviceMessage?: string;
	readonly retryAfterMs?: number;
}

/** A redirect, which is never followed. */
interface Redirected {
	readonly kind: 'redirected';
	readonly status: number;
}

/** A successful response that says that nothing was deleted. */
interface NotDeleted {
	readonly kind: 'notDeleted';
	readonly status: number;
}

/** The service returned an upload URL that the node does not send to. */
interface UnusableUrl {
	readonly kind: 'unusableUrl';
	readonly problem: UrlProblem;
}

/** No complete response came. */
export interface Unreachable {
	readonly kind: 'unreachable';
	readonly problem?: ConnectionProblem | 'undecodable' | 'tooLarge';
	/** The code or message of an error that we have no words for. */
	readonly seen?: string;
	/** The connection failed before anything was sent. */
	readonly neverSent?: true;
}

/** n8n itself did not send the request: blocked, or without a credential. */
export interface Prevented {
	readonly kind: 'prevented';
	readonly problem?: 'ssrfProtection';
	/** n8n's own words, scrubbed. */
	readonly seen?: string;
}

/** Not sent, because an earlier response had asked to wait. */
export interface AskedToWait {
	readonly kind: 'heldBack';
	readonly retryAfterMs: number;
	/** When the service accepts requests again, as an ISO time. Undefined if it named no time. */
	readonly notBefore?: string;
	/** Who asked to wait, if it was not the service. */
	readonly host?: 'storage';
}

/** Not sent, because its time limit had passed. */
export interface OutOfTime {
	readonly kind: 'outOfTime';
}

/** What one attempt shows. */
export type Cause =
	| Answered
	| Unreadable
	| Redirected
	| NotDeleted
	| UnusableUrl
	| Unreachable
	| Prevented
	| AskedToWait
	| OutOfTime;

/** The request, as far as a failure may depend on it. */
export interface FailedRequest {
	readonly endpoint: EndpointName | 'media.upload';
	readonly agency: boolean;
	readonly requestId?: string;
	/** Sent with it: repeating the request with the same key is safe. A user may have to know it. */
	readonly idempotencyKey?: string;
	/** The name of the header that carried an etag. */
	readonly etagHeader?: string;
	/** The Network Word in the path, if the path contains it. */
	readonly networkWord?: string;
	/** The query parameters of a list that choose its records. */
	readonly filters?: readonly string[];
}

/** Files that were uploaded for a record whose creation then failed. */
export interface LeftFiles {
	readonly kind:
		/** They are gone again. */
		| 'deleted'
		/** They are of no use, and could not be deleted. */
		| 'notDeleted'
		/** The next attempt uses them. */
		| 'keptForNextAttempt'
		/** It is not known whether the record was created with them. */
		| 'perhapsInUse';
	readonly paths: readonly string[];
	/** How many have no known path. */
	readonly unnamed: number;
}

/** What the callers have found out about a failed write. */
export interface Findings {
	/** For the user. No code makes a decision by it. */
	readonly found?: readonly Found[];
	/** The next attempt searches for the record of this creation before it sends anything. */
	readonly recognisable?: boolean;
	/** A later read has shown that no attempt had an effect. */
	readonly notCarriedOut?: boolean;
	/** Whether the change that blocked this one has ended. Undefined if nobody has watched it. */
	readonly settled?: boolean;
	/** The post would be scheduled, or has been published since, or is being published. */
	readonly postNow?: 'toBeScheduled' | 'published' | 'publishing';
	/** More about it, for the details of the error. */
	readonly details?: JsonRecord;
	readonly leftFiles?: LeftFiles;
}

interface Attempts {
	/** How often the request was sent. */
	readonly attempts: number;
	/** A write with an unknown outcome: it may have had an effect. */
	readonly uncertain: boolean;
}

/** A failure of this kind, with its request and what has been found out. */
export type Failed<Kind extends Cause> = Kind & FailedRequest & Attempts & Findings;

export type FailureFacts = Failed<Cause>;

/** One attempt at a request, and what it showed. */
export type SeenFailure = Cause & Pick<FailedRequest, 'endpoint'> & Partial<FailedRequest>;

export class ApiFailure extends Error {
	constructor(readonly facts: FailureFacts) {
		super(`${facts.endpoint}: ${('code' in facts && facts.code) || facts.kind}`);
		this.name = 'ApiFailure';
	}
}

const unsent = new WeakSet();
const requestIds = new WeakMap<object, string>();

/** Marks an error, such as a cancellation, whose request certainly had no effect. */
export function unsentBy(error: unknown): unknown {
	if (isRecord(error)) unsent.add(error);
	return error;
}

export const isUnsent = (error: unknown): boolean => isRecord(error) && unsent.has(error);

/** Notes which request was interrupted by an error, such as a cancellation. */
export function interruptedRequest(error: unknown, requestId: string): unknown {
	if (isRecord(error)) requestIds.set(error, requestId);
	return error;
}

/** The ID of the request that the error interrupted. */
export const requestIdOf = (error: unknown): string | undefined =>
	isRecord(error) ? requestIds.get(error) : undefined;

/** The result of a request as a value, so that a failure is not thrown. */
export type Outcome<T> =
	{ value: T; failure?: undefined } | { value?: undefined; failure: ApiFailure };

/** Errors other than an `ApiFailure` are rethrown. */
export async function outcomeOf<T>(request: Promise<T>): Promise<Outcome<T>> {
	return await request.then(
		(value) => ({ value }),
		(error: unknown) => {
			if (error instanceof ApiFailure) return { failure: error };
			throw error;
		},
	);
}

/** The same failure, with what its caller has found out. */
export const withFindings = (
	{ facts }: ApiFailure,
	{ details, ...findings }: Findings & { readonly uncertain?: boolean },
): ApiFailure =>
	new ApiFailure({
		...facts,
		...findings,
		details: details === undefined ? facts.details : { ...facts.details, ...details },
	});
