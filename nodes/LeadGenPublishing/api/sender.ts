/**
 * Sends a request, repeating it as often as allowed within its time limit, and only when the throttle
 * gate lets it pass. A final failure is thrown as an `ApiFailure`.
 */
import type { ParsedAnswer } from './answer';
import { attemptTimeout, type Clock, type TimeLimit } from './timeLimit';
import { throwIfGivenUp } from './cancelling';
import { endpoint } from './endpoints';
import { ApiFailure, unsentBy, type FailureFacts } from './failure';
import {
	asksToWait,
	backOff,
	isTransient,
	mayHaveSucceeded,
	mayRepeat,
	type RetryPolicy,
} from './retry';
import type { Pass, ThrottleGate, Turnstile } from './throttleGate';
import type { Outgoing, ServiceRequests } from './serviceRequest';
import type { SendLimits } from './transport';

export interface Received {
	readonly body: unknown;
	readonly requestId?: string;
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

export interface SenderParts {
	readonly requests: ServiceRequests;
	readonly turnstile: Turnstile;
	readonly gate: ThrottleGate;
	readonly clock: Clock;
	/** The current time of day. */
	readonly now: () => number;
	readonly random: () => number;
	/** Rejects early when the run is cancelled or one of the signals is aborted. */
	readonly sleep: (ms: number, ...signals: Array<AbortSignal | undefined>) => Promise<void>;
}

type Failed = Extract<ParsedAnswer, { kind: 'failure' }>;

export class Sender {
	constructor(private readonly parts: SenderParts) {}

	async send(request: Outgoing, sending: Sending): Promise<Received> {
		const { time, policy, givenUp } = sending;
		const history = new History(request);
		const { repeatable } = history;
		for (;;) {
			const pass = await history.waiting(this.pass(sending));
			const timeoutMs = attemptTimeout(time.leftForSending(), { repeatable, maxMs: time.maxMs });
			if (pass === undefined || timeoutMs === undefined) {
				pass?.unanswered();
				throw history.failure(this.parts);
			}
			const seen = await this.attempt(request, {
				pass,
				time,
				timeoutMs: Math.min(timeoutMs, sending.timeoutMs ?? Infinity),
				givenUp,
			});
			if (seen.kind === 'success') {
				const { body, requestId } = seen;
				return { body, requestId, throttled: history.throttled };
			}
			history.add(seen);
			const { attempts: attempt } = history;
			// If the service asked to wait, the gate takes care of the pause.
			const pauseMs = asksToWait(seen.outcome)
				? 0
				: backOff(attempt, { growth: policy, random: this.parts.random });
			const mayWait = pauseMs <= policy.maxPauseMs && pauseMs < time.leftForWaiting();
			const isWanted = givenUp?.aborted !== true;
			if (!isWanted || !mayWait || !mayRepeat({ repeatable, attempt }, seen.outcome, policy))
				throw history.failure(this.parts);
			await history.waiting(this.pause(pauseMs, sending));
		}
	}

	private async pass({ time, policy, givenUp }: Sending): Promise<Pass | undefined> {
		const { turnstile, gate, clock, sleep } = this.parts;
		await turnstile.pass();
		const from = clock();
		const pass = await gate.enter(
			{
				ms: Math.min(policy.maxPauseMs, time.leftForWaiting()),
				sinceFirstMs: Math.min(policy.maxPauseMs, time.maxMs),
			},
			async (ms, enough) => await sleep(ms, enough, givenUp),
		);
		time.wasted(from);
		if (givenUp?.aborted) pass?.unanswered();
		throwIfGivenUp(givenUp);
		return pass;
	}

	private async attempt(
		request: Outgoing,
		{ pass, time, ...limits }: { pass: Pass; time: TimeLimit } & SendLimits,
	): Promise<ParsedAnswer> {
		const from = this.parts.clock();
		const seen = await this.parts.requests.send(request, limits).catch((error: unknown) => {
			pass.unanswered();
			throw error;
		});
		if (seen.kind === 'success') {
			pass.answered();
			return seen;
		}
		time.wasted(from);
		const { outcome, facts } = seen;
		if (asksToWait(outcome)) pass.throttled(facts);
		else if (outcome.kind === 'unreachable' || isTransient(outcome)) pass.unanswered();
		else pass.answered();
		return seen;
	}

	private async pause(ms: number, { time, givenUp }: Sending): Promise<void> {
		if (ms <= 0) return;
		const from = this.parts.clock();
		await this.parts.sleep(ms, givenUp);
		time.wasted(from);
	}
}

/** The outcomes of the attempts so far. */
class History {
	attempts = 0;
	throttled = false;
	readonly repeatable: boolean;
	private readonly read: boolean;
	private readonly keyed: boolean;
	private last: Failed | undefined;
	/** After an unanswered attempt, a later refusal does not tell what that attempt did. */
	private uncertain = false;

	constructor(private readonly request: Outgoing) {
		const { method, keyed } = endpoint(request.name);
		this.read = method === 'GET';
		this.keyed = keyed && request.idempotencyKey !== undefined;
		this.repeatable = this.read || this.keyed;
	}

	add(failed: Failed): void {
		this.attempts += 1;
		this.last = failed;
		this.throttled ||= asksToWait(failed.outcome);
		this.uncertain ||= !this.read && mayHaveSucceeded(failed.outcome, { keyed: this.keyed });
	}

	/** Whoever cancels the run meanwhile leaves no request behind whose outcome is unknown. */
	async waiting<T>(waited: Promise<T>): Promise<T> {
		return await waited.catch((error: unknown) => {
			throw this.uncertain ? error : unsentBy(error);
		});
	}

	failure({ gate, now }: Pick<SenderParts, 'gate' | 'now'>): ApiFailure {
		const { request, attempts, uncertain, keyed } = this;
		return new ApiFailure({
			...(this.last === undefined ? notSent(gate, now()) : stillToWait(this.last, gate)),
			endpoint: request.name,
			agency: request.account?.kind === 'client',
			retryable: this.last === undefined || isTransient(this.last.outcome),
			attempts,
			uncertain,
			keyed,
			idempotencyKey: keyed ? request.idempotencyKey : undefined,
		});
	}
}

/** The failure of a request that the gate did not let pass in time. */
export function notSent(
	gate: ThrottleGate,
	now: number,
): Pick<FailureFacts, 'kind'> & Partial<FailureFacts> {
	const retryAfterMs = gate.closedForMs;
	if (retryAfterMs <= 0) return { kind: 'notSent', code: 'timed_out' };
	return {
		kind: 'notSent',
		code: 'rate_limited',
		retryAfterMs,
		// Without a time of the service's, the pause is our own.
		notBefore: gate.isTimeNamed ? new Date(now + retryAfterMs).toISOString() : undefined,
		// The request ID of the answer that asked to wait.
		requestId: gate.throttledRequestId,
	};
}

/** Meanwhile, another request may have been told to wait longer. */
function stillToWait({ facts, outcome }: Failed, gate: ThrottleGate): Failed['facts'] {
	if (facts.retryAfterMs === undefined || !asksToWait(outcome)) return facts;
	return { ...facts, retryAfterMs: Math.max(facts.retryAfterMs, gate.closedForMs) };
}
