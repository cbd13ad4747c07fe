/** Turns a call into an HTTP request. Pure. */
import type { Body } from './body';
import { endpoint, routeOf, type Account, type EndpointName, type Route } from './endpoints';
import { REQUEST_ID_HEADER } from './identifiers';
import type { TimeLimit } from './timeLimit';
import { givenIn, type JsonRecord } from './schemas';
import type { HttpRequest } from './host';
import { IDEMPOTENCY_HEADER, type VendorWords } from './wire';

export interface CallOptions {
	readonly account?: Account;
	/** Path parameters. */
	readonly params?: Record<string, string>;
	readonly query?: JsonRecord;
	readonly body?: JsonRecord;
	/** The version of the published post that this change applies to. */
	readonly etag?: string;
	/** Sent if the endpoint takes one. */
	readonly idempotencyKey?: string;
	/** The input item that the request is for. */
	readonly item?: number;
	/**
	 * The user's setting. With 0, there is one attempt and no waiting. The default is the client's.
	 */
	readonly maxWaitMs?: number;
	/** Shared with other requests; by default, each has its own. */
	readonly time?: TimeLimit;
	/** The timeout of one attempt. */
	readonly timeoutMs?: number;
	/** For reads: an abort ends the request, or keeps it from being sent. */
	readonly givenUp?: AbortSignal;
	/** Is called with each attempt, whatever its result. */
	readonly witness?: (attempt: SeenAttempt) => void;
	/** Is called before each attempt. If it returns false, the attempt does not begin. */
	readonly mayBegin?: () => boolean;
}

/** What one sending of a request shows. */
export interface SeenAttempt {
	readonly ms: number;
	readonly requestId: string;
	/** Undefined if no response came. */
	readonly status?: number;
	/** Names are in lower case. */
	readonly headers: JsonRecord;
	readonly body?: Body;
}

/** A request without what every request has, such as the key. */
export interface PlannedRequest
	extends Route, Pick<CallOptions, 'body' | 'etag' | 'idempotencyKey'> {}

/** What the credential says about the service. */
export interface ServiceConnection {
	readonly baseUrl: string;
	readonly allowedDomains?: string;
	/** Texts that no error may contain. */
	readonly secrets: readonly string[];
	readonly words: VendorWords;
}

/** What would be sent. */
export function planOf(
	name: EndpointName,
	{ account, params, body, etag, idempotencyKey }: CallOptions,
	{ inUse: { network: networkWord } }: VendorWords,
): PlannedRequest {
	return {
		...routeOf(name, { account, params: { ...params, networkWord } }),
		body,
		etag,
		idempotencyKey: endpoint(name).keyed ? idempotencyKey : undefined,
	};
}

/** The request for an attempt with this ID. */
export function httpRequestFor(
	name: EndpointName,
	options: CallOptions,
	{ connection, requestId }: { connection: ServiceConnection; requestId: string },
): HttpRequest {
	const { baseUrl, allowedDomains, words } = connection;
	const { method, path, body, etag, idempotencyKey } = planOf(name, options, words);
	const query = Object.entries(options.query ?? {});
	const given = query.filter(([, value]) => (value ?? null) !== null);
	const headers = givenIn({
		Accept: 'application/json',
		[REQUEST_ID_HEADER]: requestId,
		'Content-Type': body && 'application/json',
		[IDEMPOTENCY_HEADER]: idempotencyKey,
		[words.inUse.etagHeader]: etag,
	});
	const ifGiven = givenIn({
		query: given.length > 0 ? Object.fromEntries(given) : undefined,
		// The body is text: n8n does not send an empty object, and a repeated request must be
		// identical byte for byte.
		body: body && JSON.stringify(body),
		allowedDomains,
	});
	return { method, url: baseUrl + path, headers, ...ifGiven };
}
