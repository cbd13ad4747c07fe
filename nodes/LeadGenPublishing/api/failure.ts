/**
 * A failed API call, in the service's terms: the request and the response. It contains no key, header,
 * body or record. `policy.ts` says what it means, and `words/` turns it into a message.
 */
import type { EndpointName } from './endpoints';
import type { Problem } from './problems';
import { isRecord, type JsonRecord } from './schemas';

type FailureKind =
	/** The service answered with an error envelope, or with a conclusive error status. */
	| 'answered'
	/** The response is not an envelope. */
	| 'unreadable'
	/** No complete response came. */
	| 'unreachable'
	/** Held back: the service had asked to wait, the time limit had passed, or n8n did not send it. */
	| 'notSent'
	/** A redirect, which is never followed. */
	| 'redirected';

/** What the user sees of the node. Errors only recommend these parameters. */
export interface Panel {
	/** The names of the operation's parameters, those in collections included. */
	readonly parameters: readonly string[];
	/** The names of the options that this workflow sets. */
	readonly given: readonly string[];
	readonly timeZone: string;
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
		/** Nobody knows whether the record was created with them. */
		| 'perhapsInUse';
	readonly paths: readonly string[];
	/** How many have no known path. */
	readonly unnamed: number;
}

export interface FailureFacts {
	readonly kind: FailureKind;
	readonly endpoint: EndpointName | 'media.upload';
	readonly agency: boolean;
	readonly status?: number;
	readonly code?: string;
	readonly reason?: string;
	/** The service's message, already scrubbed. */
	readonly serviceMessage?: string;
	/** What came instead of an envelope, or how the connection failed. */
	readonly problem?: Problem;
	/** Quoted from elsewhere, such as an error of n8n. No code makes a decision by it. */
	readonly seen?: string;
	/** The connection failed before anything was sent. */
	readonly neverSent?: boolean;
	/** Who asked to wait, if it was not the service. */
	readonly host?: 'storage';
	readonly requestId?: string;
	readonly serviceDetails?: JsonRecord;
	readonly leftFiles?: LeftFiles;
	/** What a later read of the record showed, as a sentence for the user. */
	readonly found?: string;
	readonly retryAfterMs?: number;
	/** When the service accepts requests again, as an ISO time. */
	readonly notBefore?: string;
	readonly retryable: boolean;
	/** How often the request was sent. */
	readonly attempts: number;
	/** A write with an unknown outcome: it may have had an effect. */
	readonly uncertain: boolean;
	/** An uncertain creation. The next attempt searches for its record before it sends anything. */
	readonly recognisable?: boolean;
	/** A later read has shown that no attempt had an effect. */
	readonly notCarriedOut?: boolean;
	/** Sent with an idempotency key: repeating it with the same key is safe. */
	readonly keyed?: boolean;
	/** That key, which a user needs to repeat the request by hand. */
	readonly idempotencyKey?: string;
	/** The name of the header that carried an etag; it contains the Service Word. */
	readonly etagHeader?: string;
	/** The Network Word in the path, if the path contains it. */
	readonly networkWord?: string;
	readonly panel?: Panel;
	/** The query parameters of a list that choose its records. */
	readonly filters?: readonly string[];
	/** Reads have shown that the change that blocked this one has ended. */
	readonly settled?: boolean;
	/**
	 * A read after the rejection showed that the post has been published since, or is being
	 * published.
	 */
	readonly postStatusNow?: 'published' | 'publishing';
	/** The post would be scheduled, so that another time can be chosen. */
	readonly scheduled?: boolean;
}

/** What a single attempt shows about a failure. */
export type SeenFailure = Omit<FailureFacts, 'agency' | 'retryable' | 'attempts' | 'uncertain'>;

export class ApiFailure extends Error {
	constructor(readonly facts: FailureFacts) {
		super(`${facts.endpoint}: ${facts.code ?? facts.kind}`);
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

/** Bad input or a state that forbids the operation, found before anything was sent. */
export class InputError extends Error {
	constructor(
		/** A sentence without its full stop. */
		readonly problem: string,
		readonly remedy: string,
		readonly details: JsonRecord = {},
		/** What therefore did not happen, as another sentence: "Nothing was sent". */
		effect?: string,
	) {
		super(effect === undefined ? problem : `${problem}. ${effect}`);
		this.name = 'InputError';
	}
}

/** The item's outcome is unknown since an earlier attempt; the items after it run nevertheless. */
export class OpenWriteError extends InputError {}

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

/** The service itself has answered so. A page of a proxy says nothing about a record or a key. */
export const isSaidByService = ({ kind, problem }: FailureFacts): boolean =>
	kind === 'answered' && problem === undefined;

export const isNotFound = ({ facts }: ApiFailure): boolean =>
	facts.status === 404 && facts.problem === undefined;

/** What later reads have shown about a failed write. `found` is a sentence for the user. */
type Findings = Pick<FailureFacts, 'recognisable' | 'notCarriedOut' | 'settled'> & {
	readonly found: string;
	readonly uncertain?: boolean;
	readonly details?: JsonRecord;
};

export function withFindings(
	{ facts }: ApiFailure,
	{ details, ...findings }: Findings,
): ApiFailure {
	const serviceDetails = { ...facts.serviceDetails, ...details };
	return new ApiFailure({ ...facts, ...findings, serviceDetails });
}
