/**
 * Makes a request to the service, and sends it as often as allowed within its time limit, only when
 * the throttle gate lets it pass. A final failure is thrown as an `ApiFailure`.
 */
import type { IDataObject } from 'n8n-workflow';

import { readAnswer, type Success } from './answer';
import { endpoint, OWN_ACCOUNT, routeOf } from './endpoints';
import type { Account, EndpointName, Route } from './endpoints';
import { ApiFailure, unsentBy, type SeenFailure } from './failure';
import { newRequestId, REQUEST_ID_HEADER } from './identifiers';
import {
	asksToWait,
	attemptTimeout,
	backOff,
	isTransient,
	mayHaveSucceeded,
	mayRepeat,
	type Clock,
	type RetryPolicy,
	type TimeLimit,
} from './retry';
import { givenIn, isRecord, type JsonRecord } from './schemas';
import type { Pass, ThrottleGate } from './throttleGate';
import { throwIfGivenUp, transmit } from './transport';
import type { HttpFunctions, HttpRequest, SendLimits } from './transport';
import { IDEMPOTENCY_HEADER, type VendorWords } from './wire';

export interface Outgoing {
	readonly name: EndpointName;
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
export interface PlannedRequest extends Route, Pick<Outgoing, 'body' | 'etag' | 'idempotencyKey'> {}

export interface Received extends Success {
	/** Whether the service asked to slow down before it gave this answer. */
	readonly throttled: boolean;
}

export interface Sending {
	readonly time: TimeLimit;
	readonly policy: RetryPolicy;
	/** The timeout of one attempt. */
	readonly timeoutMs?: number;
	/** Of a read: once it is aborted, the request is ended, or not sent any more. */
	readonly givenUp?: AbortSignal;
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
}

export class Sender {
	constructor(private readonly parts: SenderParts) {}

	async send(request: Outgoing, sending: Sending): Promise<Received> {
		const { clock, random, sleep } = this.parts;
		const { time, policy, givenUp } = sending;
		const history = new History(request);
		const { repeatable } = history;
		for (;;) {
			const pass = await history.waiting(this.enter(sending));
			const timeoutMs = attemptTimeout(time, { repeatable });
			const isHeld = pass === undefined || timeoutMs === undefined;
			if (isHeld || request.mayBegin?.() === false) {
				pass?.unanswered();
				throw history.failure(this.parts);
			}
			const from = clock();
			const seen = await this.attempt(request, pass, {
				timeoutMs: Math.min(timeoutMs, sending.timeoutMs ?? Infinity),
				givenUp,
			});
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
				mayRepeat(seen, { repeatable, attempts, maxAttempts: policy.maxAttempts }) &&
				pauseMs <= policy.maxPauseMs &&
				pauseMs < time.leftForWaiting();
			if (!mayGoOn) throw history.failure(this.parts);
			if (pauseMs > 0) await history.waiting(sleep(pauseMs, givenUp));
		}
	}

	/** What would be sent. */
	plan({ name, account = OWN_ACCOUNT, params, ...more }: Outgoing): PlannedRequest {
		const { network } = this.parts.connection.words.inUse;
		const { body, etag, idempotencyKey } = more;
		return {
			...routeOf(name, { account, params: { ...params, networkWord: network } }),
			...{ body, etag, idempotencyKey: endpoint(name).keyed ? idempotencyKey : undefined },
		};
	}

	/** Waits until the gate lets it pass; undefined if it does not in time. */
	private async enter({ time, policy, givenUp }: Sending): Promise<Pass | undefined> {
		const { gate, sleep } = this.parts;
		const ms = Math.min(policy.maxPauseMs, time.leftForWaiting());
		const sinceFirstMs = Math.min(policy.maxPauseMs, time.maxMs);
		const pass = await gate.enter(
			{ ms, sinceFirstMs },
			async (waitMs, enough) => await sleep(waitMs, enough, givenUp),
		);
		if (givenUp?.aborted) pass?.unanswered();
		throwIfGivenUp(givenUp);
		return pass;
	}

	private async attempt(
		request: Outgoing,
		pass: Pass,
		limits: SendLimits,
	): Promise<Success | SeenFailure> {
		const seen = await this.sendOnce(request, limits).catch((error: unknown) => {
			pass.unanswered();
			throw error;
		});
		if (seen.kind === 'success') pass.answered();
		else if (asksToWait(seen)) pass.throttled(seen);
		else if (isTransient(seen) || seen.kind === 'notSent') pass.unanswered();
		else pass.answered();
		return seen;
	}

	/** Throws only errors that are neither an answer nor a network failure. */
	private async sendOnce(request: Outgoing, limits: SendLimits): Promise<Success | SeenFailure> {
		const { functions, connection, signal, now, origin } = this.parts;
		const { name, item } = request;
		const { secrets, words } = connection;
		const requestId = newRequestId(origin, item);
		const http = this.httpOptions(request, requestId);
		const used = words.usedIn(request);
		const withKey = endpoint(name).scope !== 'none';
		const from = now();
		const sent = await transmit(functions, http, { ...limits, withKey, signal, secrets });
		request.witness?.({ ms: now() - from, requestId, ...shownBy(sent) });
		if (!('response' in sent)) return { ...sent, endpoint: name, requestId };
		const seen = readAnswer(sent.response, { name, secrets, requestId, now: now() });
		return seen.kind === 'success' ? seen : { ...seen, ...used };
	}

	private httpOptions(request: Outgoing, requestId: string): HttpRequest {
		const { query: given = {}, body, etag } = request;
		const { baseUrl, allowedDomains, words } = this.parts.connection;
		const { method, path, idempotencyKey } = this.plan(request);
		const query = Object.entries(given).filter(([, value]) => (value ?? null) !== null);
		return {
			method,
			url: baseUrl + path,
			headers: givenIn({
				Accept: 'application/json',
				[REQUEST_ID_HEADER]: requestId,
				'Content-Type': body && 'application/json',
				[IDEMPOTENCY_HEADER]: idempotencyKey,
				[words.inUse.etagHeader]: etag,
			}),
			...(query.length > 0 ? { qs: Object.fromEntries(query) as IDataObject } : {}),
			// As text: an empty object would not be sent at all, and a repeated request must be
			// identical byte for byte.
			...(body === undefined ? {} : { body: JSON.stringify(body) }),
			arrayFormat: 'repeat',
			...(allowedDomains === undefined ? {} : { allowedDomains }),
		};
	}
}

function shownBy(sent: object): Pick<Attempt, 'status' | 'headers'> {
	const { statusCode, headers } =
		'response' in sent && isRecord(sent.response) ? sent.response : {};
	return {
		status: typeof statusCode === 'number' ? statusCode : undefined,
		headers: isRecord(headers) ? headers : {},
	};
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

	constructor(private readonly request: Outgoing) {
		const { method, keyed } = endpoint(request.name);
		this.read = method === 'GET';
		this.keyed = keyed && request.idempotencyKey !== undefined;
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
		const {
			request,
			attempts,
			uncertain,
			keyed,
			last = heldBack(request.name, gate, now()),
		} = this;
		return new ApiFailure({
			...last,
			agency: request.account?.kind === 'client',
			retryable: isTransient(last),
			...{ attempts, uncertain, keyed },
			idempotencyKey: keyed ? request.idempotencyKey : undefined,
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
