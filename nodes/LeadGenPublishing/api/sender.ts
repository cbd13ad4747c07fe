/**
 * Sends a request to the service, as often as allowed within its time limit, and only when the gate of
 * its account lets it pass. A final failure is thrown as an `ApiFailure`.
 */
import { gateOf } from './accountGate';
import { readAnswer, type AnswerContext, type Success } from './answer';
import { readResponseBody, type ReadResponse } from './body';
import { endpoint, OWN_ACCOUNT, type EndpointName } from './endpoints';
import {
	ApiFailure,
	interruptedRequest,
	unsentBy,
	type FailedRequest,
	type SeenFailure,
} from './failure';
import type { Host } from './host';
import { newRequestId } from './identifiers';
import { askedToWaitMs, asksToWait, mayHaveSucceeded, mayPass } from './policy';
import { httpRequestFor, type CallOptions, type ServiceConnection } from './request';
import { backOff, MAX_ATTEMPTS_IN_TIME, mayRepeat, type RetryPolicy } from './retry';
import { givenIn } from './schemas';
import type { GatePass, ThrottleGate, ThrottleGates } from './throttleGate';
import { attemptTimeout, timeLimit, type Clock, type TimeLimit } from './timeLimit';
import { throwIfCanceled, throwIfGivenUp, transmit } from './transport';
import type { VendorWords } from './wire';

export interface Received extends Success {
	/** Whether the service asked to slow down before it gave this response. */
	readonly throttled: boolean;
}

export interface SenderParts {
	readonly host: Host;
	readonly connection: ServiceConnection;
	readonly gates: ThrottleGates;
	readonly clock: Clock;
	/** The current time of day. */
	readonly now: () => number;
	readonly random: () => number;
	/** Rejects early when the run is cancelled or one of the signals is aborted. */
	readonly sleep: (ms: number, ...signals: Array<AbortSignal | undefined>) => Promise<void>;
	/** Names the sender in each request ID. */
	readonly origin: string;
	readonly retry: RetryPolicy;
	readonly timeoutMs?: number;
}

/** One request, sent as often as it may be. */
export class Sending {
	private attempts = 0;
	private isThrottled = false;
	private last: SeenFailure | undefined;
	/** After an unanswered attempt, a later rejection does not tell what that attempt did. */
	private uncertain = false;
	private readonly isRead: boolean;
	private readonly keyed: boolean;
	private readonly time: TimeLimit;
	private readonly gate: ThrottleGate;

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
		this.gate = parts.gates.of(gateOf(name, options.account ?? OWN_ACCOUNT));
	}

	/** Sends it as often as is allowed. */
	async untilSettled(): Promise<Received> {
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
			this.uncertain ||= mayHaveSucceeded(seen);
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

	/** If the user cancels the run during a wait, that alone does not leave an outcome unknown. */
	private async waiting<T>(waited: Promise<T>): Promise<T> {
		return await waited.catch((error: unknown) => {
			throw this.uncertain ? error : unsentBy(error);
		});
	}

	/**
	 * A request that cannot be built is not sent. That tells nothing about an earlier, lost attempt.
	 */
	private beforeSending<T>(work: () => T): T {
		try {
			return work();
		} catch (error) {
			throw this.uncertain ? error : unsentBy(error);
		}
	}

	/** Waits until the gate lets the request pass. Undefined if it does not do so in time. */
	private async enter(): Promise<GatePass | undefined> {
		const { sleep, retry } = this.parts;
		const { gate, time } = this;
		const { givenUp } = this.options;
		const ms = Math.min(retry.maxPauseMs, time.leftForWaiting());
		const sinceFirstMs = Math.min(retry.maxPauseMs, time.maxMs);
		const pass = await gate.enter(
			{ ms, sinceFirstMs },
			async (waitMs, enough) => await sleep(waitMs, enough, givenUp),
		);
		if (givenUp?.aborted) pass?.('unanswered');
		throwIfGivenUp(givenUp);
		return pass;
	}

	/** Throws only if somebody has given up the request, or if it cannot be built. */
	private async sendOnce(timeoutMs: number): Promise<Success | SeenFailure> {
		const { name, options } = this;
		const { host, connection, now, origin } = this.parts;
		const { secrets, words } = connection;
		const { inUse } = words;
		const requestId = newRequestId(origin, options.item);
		const withKey = endpoint(name).scope !== 'none';
		const { givenUp } = options;
		const how = { withKey, timeoutMs, givenUp, secrets, read: readResponseBody };
		const from = now();
		const request = this.beforeSending(() => {
			throwIfCanceled(host.canceled);
			return httpRequestFor(name, options, { connection, requestId });
		});
		const sent = await transmit(host, request, how).catch((error: unknown) => {
			throw interruptedRequest(error, requestId);
		});
		const { status, headers, body } =
			'status' in sent ? sent : { status: undefined, headers: {}, body: undefined };
		options.witness?.({ ms: now() - from, requestId, status, headers, body });
		if (!('status' in sent)) return { ...sent, ...this.used(inUse), endpoint: name, requestId };
		words.observeHeaders(headers);
		const seen = readSafely(sent, { name, secrets, requestId, now: now() });
		return seen.kind === 'success' ? seen : { ...seen, ...this.used(inUse) };
	}

	/**
	 * Whether an idempotency key was sent, and which vendor words, in case one of them caused the
	 * failure.
	 */
	private used({ etagHeader, network }: VendorWords['inUse']): Partial<FailedRequest> {
		const { name, options, keyed } = this;
		return givenIn({
			idempotencyKey: keyed ? options.idempotencyKey : undefined,
			etagHeader: options.etag === undefined ? undefined : etagHeader,
			networkWord: endpoint(name).path.includes('{networkWord}') ? network : undefined,
		});
	}

	private failure(): ApiFailure {
		const { name, options, attempts, uncertain, keyed } = this;
		const last = this.last ?? heldBack(name, this.gate, this.parts.now());
		return new ApiFailure({
			...last,
			agency: options.account?.kind === 'client',
			attempts,
			uncertain,
			idempotencyKey: keyed ? options.idempotencyKey : undefined,
			...givenIn({ filters: filtersIn(options) }),
		});
	}
}

/** Undefined if the request is not about a part of a list. */
function filtersIn({ query = {} }: CallOptions): string[] | undefined {
	const names = Object.keys(query).filter(
		(name) => name !== 'limit' && name !== 'offset' && (query[name] ?? null) !== null,
	);
	return 'limit' in query && names.length > 0 ? names : undefined;
}

/** A response that makes the reader fail is still a response. */
function readSafely(response: ReadResponse, context: AnswerContext): Success | SeenFailure {
	try {
		return readAnswer(response, context);
	} catch {
		const { status } = response;
		const { name: endpoint, requestId } = context;
		return { kind: 'unreadable', endpoint, status, requestId, problem: 'undecodable' };
	}
}

/** What an attempt means for the gate. */
function endingOf(seen: Success | SeenFailure): Parameters<GatePass>[0] {
	if (seen.kind === 'success') return 'answered';
	if (asksToWait(seen)) return { retryAfterMs: askedToWaitMs(seen), requestId: seen.requestId };
	return mayPass(seen) || seen.kind === 'prevented' ? 'unanswered' : 'answered';
}

/** The failure of a request that the gate or the time limit did not let pass. */
function heldBack(name: EndpointName, gate: ThrottleGate, now: number): SeenFailure {
	const forMs = gate.closedForMs;
	if (forMs <= 0) return { kind: 'outOfTime', endpoint: name };
	const { retryAfterMs, requestId, host } = gate.asked;
	return {
		kind: 'heldBack',
		endpoint: name,
		retryAfterMs: forMs,
		requestId,
		host,
		// If nobody named a time, the pause is the gate's own choice.
		notBefore: retryAfterMs === undefined ? undefined : new Date(now + forMs).toISOString(),
	};
}
