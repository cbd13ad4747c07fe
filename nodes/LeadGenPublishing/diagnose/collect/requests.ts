/**
 * Sends the requests of a diagnosis and records each of them as a fact, whatever came of it. It holds
 * the limits: the number of requests, how often one of them is repeated, and how many may stay
 * without a response.
 */
import { parseBody } from '../../api/answer';
import type { Client, Exchange } from '../../api/client';
import { OWN_ACCOUNT, type EndpointName } from '../../api/endpoints';
import type { FailureFacts } from '../../api/failure';
import { NEVER_SENT } from '../../api/networkFailure';
import type { TimeLimit } from '../../api/retry';
import { readError, type JsonRecord } from '../../api/schemas';
import type { Attempt } from '../../api/sender';
import { accountOf } from '../../fields/account';
import type { Asked, AttemptFacts, NoResponse, RequestOutcome, Purpose, Unsent } from '../facts';

/** However the service responds: a request that is sent again counts again. */
export const MAX_REQUESTS = 80;

/** No response is waited for any longer, so that one that never comes does not cost the others. */
const TIMEOUT_MS = 15_000;
const MAX_ATTEMPTS = 3;
const MAX_WITHOUT_RESPONSE = 2;
/** After so many endpoints without a response, nothing more is asked. */
const MAX_SILENT = 4;

/** n8n recognizes a canceled execution by this word. */
export const CANCELED = 'The execution was canceled';

export interface Question {
	readonly clientId?: string;
	readonly id?: string;
	readonly query?: JsonRecord;
	readonly body?: JsonRecord;
	readonly idempotencyKey?: string;
	readonly purpose?: Purpose;
}

/** What the requests may use up. */
export interface Allowance {
	readonly client: Client;
	/** For all of these requests together; each has "Max Wait" for itself if there is none. */
	readonly time?: TimeLimit;
	/** As set by the user. */
	readonly maxWaitMs: number | undefined;
	/** The last request of the run that may be sent. */
	readonly lastRequest: number;
	/** Whether the execution was canceled; then nothing more is sent. */
	readonly isCanceled: () => boolean;
}

/** What all requests of a run share. */
export class Log {
	readonly asked: Asked[] = [];
	sent = 0;
	/** Endpoints that gave no response for one account: they are not asked for another one. */
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

	get isCanceled(): boolean {
		return this.allowance.isCanceled();
	}

	/** Counts a request that goes to another host, if it may be sent. */
	take(): boolean {
		if (this.left === 0) return false;
		this.log.sent += 1;
		return true;
	}

	/** Waits if there is time for it. */
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

	/** A response that n8n itself cannot unpack is asked for once more. */
	private async exchange(
		name: EndpointName,
		question: Question,
	): Promise<Pick<Asked, 'attempts' | 'outcome'>> {
		const first = await this.exchangeOnce(name, question);
		if (first === 'canceled') throw new Error(CANCELED);
		if (first !== 'unpacked' || question.body !== undefined) return received(first);
		const second = await this.exchangeOnce(name, question);
		if (second === 'canceled') throw new Error(CANCELED);
		const { attempts, outcome } = received(second);
		return { attempts: [BROKEN, ...attempts], outcome };
	}

	private async exchangeOnce(
		name: EndpointName,
		question: Question,
	): Promise<(Exchange & { readonly isHeldBack: boolean }) | 'unpacked' | 'canceled'> {
		const { client, time, maxWaitMs } = this.allowance;
		const { clientId, id, query, body, idempotencyKey } = question;
		// The client itself is named by the path of the endpoint.
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
		const witness = ({ status }: Attempt): void => {
			// A service that asks to wait is waited for, as long as "Max Wait" allows.
			if (status !== 429) attempts += 1;
			if (status === undefined) withoutResponse += 1;
		};
		try {
			const options = { account, params, query, body, idempotencyKey, maxWaitMs, time };
			const exchange = await client.exchange(name, {
				...options,
				timeoutMs: TIMEOUT_MS,
				mayBegin,
				witness,
			});
			return { ...exchange, isHeldBack };
		} catch {
			return this.isCanceled ? 'canceled' : 'unpacked';
		}
	}
}

const BROKEN: AttemptFacts = { ms: 0, requestId: '', headers: {} };

const unsent = (why: Unsent, seen?: string): RequestOutcome => ({ kind: 'unsent', why, seen });

function received(
	exchange: (Exchange & { readonly isHeldBack: boolean }) | 'unpacked',
): Pick<Asked, 'attempts' | 'outcome'> {
	if (exchange === 'unpacked') {
		const seen = 'n8n could not unpack the response';
		return { attempts: [BROKEN], outcome: { kind: 'noResponse', why: 'damaged', seen } };
	}
	const { body, failure, isHeldBack } = exchange;
	const attempts = exchange.attempts.map(attemptOf);
	if (failure === undefined) return { attempts, outcome: { kind: 'success', body } };
	const isUnsent = attempts.length === 0 && isHeldBack;
	return { attempts, outcome: isUnsent ? unsent('limit') : outcomeOf(failure, attempts) };
}

const attemptOf = ({ ms, requestId, status, headers, body }: Attempt): AttemptFacts => ({
	ms,
	requestId,
	status,
	headers,
	json: parseBody(body).value,
});

/** The words are those of `networkFailure.ts`, which has no names for the causes. */
function whyNoResponse(seen: string): NoResponse {
	if (/TLS/.test(seen)) return 'tls';
	if (NEVER_SENT.has(seen)) return 'unreached';
	return seen === 'damaged answer' ? 'damaged' : 'lost';
}

function outcomeOf(failure: FailureFacts, attempts: readonly AttemptFacts[]): RequestOutcome {
	const { kind, status = 0, code, reason, seen = 'no response', serviceMessage } = failure;
	const isRefused = status >= 400;
	if (kind === 'notSent' && attempts.length === 0) {
		if (code === 'not_sent') return unsent('n8n', seen);
		return unsent(code === 'rate_limited' ? 'throttled' : 'time');
	}
	if (kind === 'redirected') return { kind, status };
	if (kind === 'unreachable' || kind === 'notSent')
		return { kind: 'noResponse', why: whyNoResponse(seen), seen };
	if (!isRefused) {
		// A success that says of itself that nothing was deleted is a response like any other.
		const json = attempts.at(-1)?.json;
		if (kind === 'answered') return { kind: 'success', body: json };
		return { kind: 'unreadable', status, seen };
	}
	const hasEnvelope = readError(attempts.at(-1)?.json) !== undefined;
	return { kind: 'refused', status, code, reason, message: serviceMessage, hasEnvelope };
}
