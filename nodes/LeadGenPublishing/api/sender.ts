/**
 * Makes a request to the service, and sends it as often as allowed within its time limit, only when
 * the throttle gate lets it pass. A final failure is thrown as an `ApiFailure`.
 */
import type { IDataObject } from 'n8n-workflow';

import { readAnswer, type Success } from './answer';
import { endpoint, routeOf, type Account, type EndpointName, type Route } from './endpoints';
import { ApiFailure, unsentBy, type SeenFailure } from './failure';
import { newRequestId, REQUEST_ID_HEADER } from './identifiers';
import {
	asksToWait,
	attemptTimeout,
	backOff,
	isTransient,
	MAX_ATTEMPTS_IN_TIME,
	mayHaveSucceeded,
	mayRepeat,
	timeLimit,
	type Clock,
	type RetryPolicy,
	type TimeLimit,
} from './retry';
import { givenIn, type JsonRecord } from './schemas';
import type { Pass, ThrottleGate } from './throttleGate';
import { throwIfGivenUp, transmit, type HttpFunctions, type HttpRequest } from './transport';
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
	/** As set by the user; 0 makes one attempt and never waits. By default, as the client does. */
	readonly maxWaitMs?: number;
	/** Shared with other requests; by default, each has its own. */
	readonly time?: TimeLimit;
	/** The timeout of one attempt. */
	readonly timeoutMs?: number;
	/** Of a read: once it is aborted, the request is ended, or not sent any more. */
	readonly givenUp?: AbortSignal;
	/** Is shown each attempt, whatever came of it. */
	readonly witness?: (attempt: Attempt) => void;
	/** Is asked before each attempt; none begins once it says no. */
	readonly mayBegin?: () => boolean;
}

/** What one sending of a request shows beside its body. */
export interface Attempt {
	readonly ms: number;
	readonly requestId: string;
	/** Undefined if no answer came. */
	readonly status?: number;
	/** Named in small letters. */
	readonly headers: JsonRecord;
	/** As it came. */
	readonly body?: unknown;
}

/** A request without what every request has, such as the key. */
export interface PlannedRequest
	extends Route, Pick<CallOptions, 'body' | 'etag' | 'idempotencyKey'> {}

export interface Received extends Success {
	/** Whether the service asked to slow down before it gave this answer. */
	readonly throttled: boolean;
}

/** What the credential says of the service. */
export interface Connection {
	readonly baseUrl: string;
	readonly allowedDomains?: string;
	/** Texts that no error may contain. */
	readonly secrets: readonly string[];
	readonly words: VendorWords;
}

export interface SenderParts {
	readonly functions: HttpFunctions;
	readonly connection: Connection;
	readonly gate: ThrottleGate;
	readonly clock: Clock;
	/** The current time of day. */
	readonly now: () => number;
	readonly random: () => number;
	/** Rejects early when the run is cancelled or one of the signals is aborted. */
	readonly sleep: (ms: number, ...signals: Array<AbortSignal | undefined>) => Promise<void>;
	/** The execution's cancel signal. */
	readonly signal?: AbortSignal;
	/** Who sends, as the first part of each request ID. */
	readonly origin: string;
	readonly retry: RetryPolicy;
	readonly timeoutMs?: number;
}

/** What would be sent. */
export function planOf(
	name: EndpointName,
	{ account, params, body, etag, idempotencyKey }: CallOptions,
	{ inUse: { network: networkWord } }: VendorWords,
): PlannedRequest {
	return {
		...routeOf(name, { account, params: { ...params, networkWord } }),
		...{ body, etag, idempotencyKey: endpoint(name).keyed ? idempotencyKey : undefined },
	};
}

/** One request, sent as often as it may be. */
export class Sending {
	private attempts = 0;
	private isThrottled = false;
	private last: SeenFailure | undefined;
	/** After an unanswered attempt, a later refusal does not tell what that attempt did. */
	private uncertain = false;
	private readonly isRead: boolean;
	private readonly keyed: boolean;
	private readonly time: TimeLimit;
	private readonly since: number;

	constructor(
		private readonly name: EndpointName,
		private readonly options: CallOptions,
		private readonly parts: SenderParts,
	) {
		const { clock, retry } = parts;
		const { method, keyed } = endpoint(name);
		const {
			idempotencyKey,
			maxWaitMs = retry.maxWaitMs,
			time = timeLimit(maxWaitMs, { clock }),
		} = options;
		this.isRead = method === 'GET';
		this.keyed = keyed && idempotencyKey !== undefined;
		this.time = time;
		this.since = clock();
	}

	async send(): Promise<Received> {
		const { time, options, parts } = this;
		const { clock, random, sleep, retry } = parts;
		const { maxWaitMs, givenUp, timeoutMs: most = parts.timeoutMs ?? Infinity } = options;
		// With a wait limit, the time counts, not the number of attempts.
		const maxAttempts = maxWaitMs === undefined ? retry.maxAttempts : MAX_ATTEMPTS_IN_TIME;
		const repeatable = this.isRead || this.keyed;
		for (;;) {
			const pass = await this.waiting(this.enter());
			const timeoutMs = attemptTimeout(time, { repeatable });
			if (pass === undefined || timeoutMs === undefined || options.mayBegin?.() === false) {
				pass?.('unanswered');
				throw this.failure();
			}
			const from = clock();
			const seen = await this.sendOnce(Math.min(timeoutMs, most)).catch((error: unknown) => {
				pass('unanswered');
				throw error;
			});
			pass(endingOf(seen));
			if (seen.kind === 'success') {
				time.answered(from);
				return { ...seen, throttled: this.isThrottled };
			}
			this.attempts += 1;
			this.last = seen;
			this.isThrottled ||= asksToWait(seen);
			this.uncertain ||= !this.isRead && mayHaveSucceeded(seen, { keyed: this.keyed });
			// If the service asked to wait, the gate takes care of the pause.
			const pauseMs = asksToWait(seen) ? 0 : backOff(this.attempts, random);
			const mayGoOn =
				givenUp?.aborted !== true &&
				mayRepeat(seen, { repeatable, attempts: this.attempts, maxAttempts }) &&
				pauseMs <= retry.maxPauseMs &&
				pauseMs < time.leftForWaiting();
			if (!mayGoOn) throw this.failure();
			if (pauseMs > 0) await this.waiting(sleep(pauseMs, givenUp));
		}
	}

	/** Whoever cancels the run meanwhile leaves no request behind whose outcome is unknown. */
	private async waiting<T>(waited: Promise<T>): Promise<T> {
		return await waited.catch((error: unknown) => {
			throw this.uncertain ? error : unsentBy(error);
		});
	}

	/** Waits until the gate lets it pass; undefined if it does not in time. */
	private async enter(): Promise<Pass | undefined> {
		const { gate, sleep, retry } = this.parts;
		const { time, since } = this;
		const { givenUp } = this.options;
		const ms = Math.min(retry.maxPauseMs, time.leftForWaiting());
		const sinceFirstMs = Math.min(retry.maxPauseMs, time.maxMs);
		const pass = await gate.enter(
			{ ms, sinceFirstMs, since },
			async (waitMs, enough) => await sleep(waitMs, enough, givenUp),
		);
		if (givenUp?.aborted) pass?.('unanswered');
		throwIfGivenUp(givenUp);
		return pass;
	}

	/** Throws only errors that are neither an answer nor a network failure. */
	private async sendOnce(timeoutMs: number): Promise<Success | SeenFailure> {
		const { name, options } = this;
		const { functions, connection, signal, now, origin } = this.parts;
		const { secrets, words } = connection;
		const requestId = newRequestId(origin, options.item);
		const { scope, path } = endpoint(name);
		const { etagHeader, network } = words.inUse;
		const withKey = scope !== 'none';
		const limits = { withKey, timeoutMs, givenUp: options.givenUp, signal, secrets };
		const from = now();
		const sent = await transmit(functions, this.requestAs(requestId), limits);
		const { status, headers, body } =
			'status' in sent ? sent : { status: undefined, headers: {}, body: undefined };
		options.witness?.({ ms: now() - from, requestId, status, headers, body });
		if (!('status' in sent)) return { ...sent, endpoint: name, requestId };
		const seen = readAnswer(sent, { name, secrets, requestId, now: now() });
		if (seen.kind === 'success') return seen;
		// The vendor's words that were used, in case one of them caused the refusal.
		return {
			...seen,
			...(options.etag !== undefined && { etagHeader }),
			...(path.includes('{networkWord}') && { networkWord: network }),
		};
	}

	private requestAs(requestId: string): HttpRequest {
		const { baseUrl, allowedDomains, words } = this.parts.connection;
		const planned = planOf(this.name, this.options, words);
		const { method, path, body, etag, idempotencyKey } = planned;
		const query = Object.entries(this.options.query ?? {});
		const given = query.filter(([, value]) => (value ?? null) !== null);
		return {
			...{ method, url: baseUrl + path, arrayFormat: 'repeat' },
			headers: givenIn({
				Accept: 'application/json',
				[REQUEST_ID_HEADER]: requestId,
				'Content-Type': body && 'application/json',
				[IDEMPOTENCY_HEADER]: idempotencyKey,
				[words.inUse.etagHeader]: etag,
			}),
			...givenIn({
				qs: given.length > 0 ? (Object.fromEntries(given) as IDataObject) : undefined,
				// As text: an empty object would not be sent at all, and a repeated request must be
				// identical byte for byte.
				body: body && JSON.stringify(body),
				allowedDomains,
			}),
		};
	}

	private failure(): ApiFailure {
		const { name, options, attempts, uncertain, keyed } = this;
		const last = this.last ?? heldBack(name, this.parts.gate, this.parts.now());
		return new ApiFailure({
			...last,
			agency: options.account?.kind === 'client',
			retryable: isTransient(last),
			...{ attempts, uncertain, keyed },
			idempotencyKey: keyed ? options.idempotencyKey : undefined,
		});
	}
}

/** What an attempt means for the gate. */
function endingOf(seen: Success | SeenFailure): Parameters<Pass>[0] {
	if (seen.kind === 'success') return 'answered';
	if (asksToWait(seen)) return seen;
	return isTransient(seen) || seen.kind === 'notSent' ? 'unanswered' : 'answered';
}

/** The failure of a request that the gate or the time limit did not let pass. */
function heldBack(name: EndpointName, gate: ThrottleGate, now: number): SeenFailure {
	const held = { kind: 'notSent', endpoint: name } as const;
	const forMs = gate.closedForMs;
	if (forMs <= 0) return { ...held, code: 'timed_out' };
	const { retryAfterMs, requestId, host } = gate.lastAsked;
	return {
		...{ ...held, code: 'rate_limited', retryAfterMs: forMs, requestId, seen: host },
		// Without a time that was asked for, the pause is our own.
		notBefore: retryAfterMs === undefined ? undefined : new Date(now + forMs).toISOString(),
	};
}
