/**
 * Sends the requests of a diagnosis and records each of them as a fact, whatever its result. It
 * enforces the limits: the number of requests, how often one is repeated, and how many may stay
 * without a response.
 */
import { isTooDeep } from '../../api/body';
import type { Client, Exchange } from '../../api/client';
import { OWN_ACCOUNT, type EndpointName } from '../../api/endpoints';
import { isSaidByService, type FailureFacts } from '../../api/failure';
import { classOf, isThrottled, NOT_DELETED } from '../../api/policy';
import type { Problem } from '../../api/problems';
import type { SeenAttempt } from '../../api/request';
import type { JsonRecord } from '../../api/schemas';
import type { TimeLimit } from '../../api/timeLimit';
import { accountOf } from '../../panel/fields/account';
import type { Asked, AttemptFacts, Purpose, RequestOutcome, Unsent, WhyNoResponse } from '../facts';

/** The limit for a whole run. A request that is sent again counts again. */
export const MAX_REQUESTS = 80;

/**
 * How long to wait for one response, so that a missing one does not use up the time of the others.
 */
const TIMEOUT_MS = 15_000;
const MAX_ATTEMPTS = 3;
const MAX_WITHOUT_RESPONSE = 2;
/** After so many endpoints without a response, nothing more is sent. */
const MAX_SILENT = 4;

export interface Question {
	readonly clientId?: string;
	readonly id?: string;
	readonly query?: JsonRecord;
	readonly body?: JsonRecord;
	readonly idempotencyKey?: string;
	readonly purpose?: Purpose;
}

/** What a series of requests may use up. */
export interface Allowance {
	readonly client: Client;
	/** The time limit of all these requests together. Without one, each has its own "Max Wait". */
	readonly time?: TimeLimit;
	/** As set by the user. */
	readonly maxWaitMs: number | undefined;
	/** The last request of the run that may be sent. */
	readonly lastRequest: number;
}

/** What all requests of a run share. */
export class Log {
	readonly asked: Asked[] = [];
	sent = 0;
	/** Endpoints that did not respond for one account. They are not tried for another one. */
	readonly silent = new Set<EndpointName>();
}

export class Requests {
	constructor(
		readonly log: Log,
		private readonly allowance: Allowance,
	) {}

	get left(): number {
		return Math.max(0, this.allowance.lastRequest - this.log.sent);
	}

	/** Counts a request to another host. Returns false if no request is left. */
	take(): boolean {
		if (this.left === 0) return false;
		this.log.sent += 1;
		return true;
	}

	/** Waits, and returns true, if there is time for it. */
	async wait(ms: number): Promise<boolean> {
		const { time, client, maxWaitMs = Infinity } = this.allowance;
		if (ms > (time?.leftForWaiting() ?? maxWaitMs)) return false;
		await client.wait(ms);
		return true;
	}

	async send(name: EndpointName, question: Question = {}): Promise<Asked> {
		const { clientId, id, query, purpose = 'reading' } = question;
		const at = this.allowance.client.now();
		const isSilent =
			this.log.silent.size >= MAX_SILENT ||
			(purpose === 'reading' && clientId !== undefined && this.log.silent.has(name));
		const { attempts, outcome } = isSilent
			? { attempts: [], outcome: unsent('silent') }
			: await this.exchange(name, question);
		const asked: Asked = { name, clientId, purpose, query, id, at, attempts, outcome };
		this.log.asked.push(asked);
		if (outcome.kind === 'noResponse' && purpose === 'reading') this.log.silent.add(name);
		return asked;
	}

	private async exchange(
		name: EndpointName,
		question: Question,
	): Promise<Pick<Asked, 'attempts' | 'outcome'>> {
		const { client, time, maxWaitMs } = this.allowance;
		const { clientId, id, query, body, idempotencyKey } = question;
		// This endpoint has the client in its own path.
		const isOfClient = name === 'client.get';
		const account = isOfClient ? OWN_ACCOUNT : accountOf(clientId);
		const params: Record<string, string> = isOfClient
			? { clientId: clientId ?? '' }
			: { id: id ?? '' };
		let attempts = 0;
		let withoutResponse = 0;
		let isHeldBack = false;
		const mayBegin = (): boolean => {
			const mayRepeat = attempts < MAX_ATTEMPTS && withoutResponse < MAX_WITHOUT_RESPONSE;
			isHeldBack = this.left === 0;
			if (isHeldBack || !mayRepeat) return false;
			this.log.sent += 1;
			return true;
		};
		const witness = ({ status }: SeenAttempt): void => {
			// After a request to wait, only "Max Wait" limits the attempts.
			if (status !== 429) attempts += 1;
			if (status === undefined) withoutResponse += 1;
		};
		const exchange = await client.exchange(name, {
			account,
			params,
			query,
			body,
			idempotencyKey,
			maxWaitMs,
			time,
			timeoutMs: TIMEOUT_MS,
			mayBegin,
			witness,
		});
		return received(exchange, isHeldBack);
	}
}

const unsent = (why: Unsent): RequestOutcome => ({ kind: 'unsent', why });

function received(
	{ attempts: seen, body, failure }: Exchange,
	isHeldBack: boolean,
): Pick<Asked, 'attempts' | 'outcome'> {
	const attempts = seen.map(attemptOf);
	if (failure === undefined) {
		const { status = 0 } = seen.at(-1) ?? {};
		// No operation returns such a record, and no row could read it.
		if (isTooDeep(body))
			return { attempts, outcome: { kind: 'unreadable', status, problem: 'tooDeep' } };
		return { attempts, outcome: { kind: 'success', body } };
	}
	const isUnsent = attempts.length === 0 && isHeldBack;
	return { attempts, outcome: isUnsent ? unsent('limit') : outcomeOfFailure(failure, attempts) };
}

const attemptOf = ({ ms, requestId, status, headers, body }: SeenAttempt): AttemptFacts => ({
	ms,
	requestId,
	status,
	headers,
	json: body?.kind === 'json' ? body.value : undefined,
});

const WHY_NO_RESPONSE: Readonly<Partial<Record<Problem, WhyNoResponse>>> = {
	certificateRejected: 'tls',
	noTls: 'tls',
	tlsFailed: 'tls',
	damagedResponse: 'damaged',
	undecodable: 'damaged',
};

function whyNoResponse(failure: FailureFacts): WhyNoResponse {
	const ofProblem = failure.problem && WHY_NO_RESPONSE[failure.problem];
	return ofProblem ?? (classOf(failure) === 'neverSent' ? 'unreached' : 'lost');
}

function outcomeOfFailure(
	failure: FailureFacts,
	attempts: readonly AttemptFacts[],
): RequestOutcome {
	const { kind, status = 0, code, reason, problem, serviceMessage } = failure;
	if (kind === 'notSent' && attempts.length === 0) {
		if (classOf(failure) === 'prevented') return unsent('n8n');
		return unsent(isThrottled(failure) ? 'throttled' : 'time');
	}
	if (kind === 'redirected') return { kind, status };
	if (kind === 'unreachable' || kind === 'notSent' || problem === 'undecodable')
		return { kind: 'noResponse', why: whyNoResponse(failure), problem };
	// A 2xx that says nothing was deleted counts as a response like any other.
	if (code === NOT_DELETED) return { kind: 'success', body: attempts.at(-1)?.json };
	// A read may be refused with a status of success.
	if (status >= 400 || kind === 'answered')
		return {
			kind: 'refused',
			status,
			meaning: classOf(failure),
			code,
			reason,
			message: serviceMessage,
			hasEnvelope: isSaidByService(failure),
		};
	return { kind: 'unreadable', status, problem };
}
