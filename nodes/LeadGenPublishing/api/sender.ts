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
import { throwIfGivenUp, transmit } from './transport';
import type { HttpFunctions, HttpRequest, SendLimits } from './transport';
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

export class Sender {
	constructor(private readonly parts: SenderParts) {}

	async send(name: EndpointName, options: CallOptions): Promise<Received> {
		const { clock, random, sleep, retry } = this.parts;
		const { maxWaitMs, givenUp, mayBegin, timeoutMs: most = this.parts.timeoutMs } = options;
		const { time = timeLimit(maxWaitMs ?? retry.maxWaitMs, { clock }) } = options;
		// With a wait limit, the time counts, not the number of attempts.
		const maxAttempts = maxWaitMs === undefined ? retry.maxAttempts : MAX_ATTEMPTS_IN_TIME;
		const history = new History(name, options);
		const { repeatable } = history;
		const since = clock();
		for (;;) {
			const pass = await history.waiting(this.enter(time, { since, givenUp }));
			const timeoutMs = attemptTimeout(time, { repeatable });
			if (pass === undefined || timeoutMs === undefined || mayBegin?.() === false) {
				pass?.('unanswered');
				throw history.failure(this.parts);
			}
			const from = clock();
			const limits = { timeoutMs: Math.min(timeoutMs, most ?? Infinity), givenUp };
			const seen = await this.sendOnce(name, options, limits).catch((error: unknown) => {
				pass('unanswered');
				throw error;
			});
			pass(endingOf(seen));
			if (seen.kind === 'success') {
				time.answered(from);
				return { ...seen, throttled: history.throttled };
			}
			history.add(seen);
			const { attempts } = history;
			// If the service asked to wait, the gate takes care of the pause.
			const pauseMs = asksToWait(seen) ? 0 : backOff(attempts, random);
			const mayGoOn =
				givenUp?.aborted !== true &&
				mayRepeat(seen, { repeatable, attempts, maxAttempts }) &&
				pauseMs <= retry.maxPauseMs &&
				pauseMs < time.leftForWaiting();
			if (!mayGoOn) throw history.failure(this.parts);
			if (pauseMs > 0) await history.waiting(sleep(pauseMs, givenUp));
		}
	}

	/** What would be sent. */
	plan(name: EndpointName, { account, params, ...more }: CallOptions): PlannedRequest {
		const { network } = this.parts.connection.words.inUse;
		const { body, etag, idempotencyKey } = more;
		return {
			...routeOf(name, { account, params: { ...params, networkWord: network } }),
			...{ body, etag, idempotencyKey: endpoint(name).keyed ? idempotencyKey : undefined },
		};
	}

	/** Waits until the gate lets it pass; undefined if it does not in time. */
	private async enter(
		time: TimeLimit,
		{ since, givenUp }: Pick<CallOptions, 'givenUp'> & { since: number },
	): Promise<Pass | undefined> {
		const { gate, sleep, retry } = this.parts;
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
	private async sendOnce(
		name: EndpointName,
		options: CallOptions,
		limits: SendLimits,
	): Promise<Success | SeenFailure> {
		const { functions, connection, signal, now, origin } = this.parts;
		const { secrets, words } = connection;
		const requestId = newRequestId(origin, options.item);
		const http = this.httpOptions(this.plan(name, options), { query: options.query, requestId });
		const used = words.usedIn(name, options.etag);
		const withKey = endpoint(name).scope !== 'none';
		const from = now();
		const sent = await transmit(functions, http, { ...limits, withKey, signal, secrets });
		const { status, headers } = 'status' in sent ? sent : { headers: {} };
		options.witness?.({ ms: now() - from, requestId, status, headers });
		if (!('status' in sent)) return { ...sent, endpoint: name, requestId };
		const seen = readAnswer(sent, { name, secrets, requestId, now: now() });
		return seen.kind === 'success' ? seen : { ...seen, ...used };
	}

	private httpOptions(
		{ method, path, body, etag, idempotencyKey }: PlannedRequest,
		{ query = {}, requestId }: { query?: JsonRecord; requestId: string },
	): HttpRequest {
		const { baseUrl, allowedDomains, words } = this.parts.connection;
		const given = Object.entries(query).filter(([, value]) => (value ?? null) !== null);
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
}

/** What an attempt means for the gate. */
function endingOf(seen: Success | SeenFailure): Parameters<Pass>[0] {
	if (seen.kind === 'success') return 'answered';
	if (asksToWait(seen)) return seen;
	return isTransient(seen) || seen.kind === 'notSent' ? 'unanswered' : 'answered';
}

/** What came of the attempts so far. */
class History {
	attempts = 0;
	throttled = false;
	readonly repeatable: boolean;
	private readonly read: boolean;
	private readonly keyed: boolean;
	private last: SeenFailure | undefined;
	/** After an unanswered attempt, a later refusal does not tell what that attempt did. */
	private uncertain = false;

	constructor(
		private readonly name: EndpointName,
		private readonly options: CallOptions,
	) {
		const { method, keyed } = endpoint(name);
		this.read = method === 'GET';
		this.keyed = keyed && options.idempotencyKey !== undefined;
		this.repeatable = this.read || this.keyed;
	}

	add(failed: SeenFailure): void {
		this.attempts += 1;
		this.last = failed;
		this.throttled ||= asksToWait(failed);
		this.uncertain ||= !this.read && mayHaveSucceeded(failed, { keyed: this.keyed });
	}

	/** Whoever cancels the run meanwhile leaves no request behind whose outcome is unknown. */
	async waiting<T>(waited: Promise<T>): Promise<T> {
		return await waited.catch((error: unknown) => {
			throw this.uncertain ? error : unsentBy(error);
		});
	}

	failure({ gate, now }: Pick<SenderParts, 'gate' | 'now'>): ApiFailure {
		const { name, options, attempts, uncertain, keyed } = this;
		const last = this.last ?? heldBack(name, gate, now());
		return new ApiFailure({
			...last,
			agency: options.account?.kind === 'client',
			retryable: isTransient(last),
			...{ attempts, uncertain, keyed },
			idempotencyKey: keyed ? options.idempotencyKey : undefined,
		});
	}
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
