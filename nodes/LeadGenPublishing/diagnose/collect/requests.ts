/** Sends the requests of a diagnosis, and records each of them, whatever its result. */
import { isTooDeep } from '../../api/tooDeep';
import type { Client, Exchange } from '../../api/client';
import { OWN_ACCOUNT, type EndpointName } from '../../api/endpoints';
import type { SeenAttempt } from '../../api/request';
import type { JsonRecord } from '../../api/schemas';
import { accountOf } from '../../panel/fields/account';
import { MAX_REQUESTS, type Asked, type AttemptFacts, type RequestOutcome } from '../facts';

/** How long to wait for one response, so that a missing one leaves time for the others. */
const TIMEOUT_MS = 15_000;
const MAX_ATTEMPTS = 3;
const MAX_WITHOUT_RESPONSE = 2;

export interface Question {
	readonly clientId?: string;
	readonly id?: string;
	readonly query?: JsonRecord;
}

export class Requests {
	readonly asked: Asked[] = [];
	/** How often a request was sent, repetitions included. */
	sent = 0;
	/** Endpoints that did not respond for one account. They are not tried for another one. */
	private readonly silent = new Set<EndpointName>();

	constructor(
		private readonly client: Client,
		/** As set by the user. Undefined for the default. */
		private readonly maxWaitMs: number | undefined,
	) {}

	async ask(name: EndpointName, question: Question = {}): Promise<Asked> {
		const asked = await this.answerTo(name, question);
		this.asked.push(asked);
		const hasResponse = asked.attempts.some(({ status }) => status !== undefined);
		if (asked.attempts.length > 0 && !hasResponse) this.silent.add(name);
		return asked;
	}

	private async answerTo(name: EndpointName, question: Question): Promise<Asked> {
		const at = this.client.now();
		const unsent = (why: 'limit' | 'silent'): Asked => ({
			name,
			clientId: question.clientId,
			id: question.id,
			query: question.query,
			at,
			attempts: [],
			outcome: { kind: 'unsent', why },
		});
		if (this.silent.has(name)) return unsent('silent');
		if (this.sent >= MAX_REQUESTS) return unsent('limit');
		const exchange = await this.exchange(name, question);
		// Other requests at the same time may have used up the limit.
		const isHeldBack = exchange.attempts.length === 0 && this.sent >= MAX_REQUESTS;
		return isHeldBack ? unsent('limit') : askedOf(exchange, question, at);
	}

	private async exchange(
		name: EndpointName,
		{ clientId, id = '', query }: Question,
	): Promise<Exchange> {
		let attempts = 0;
		let withoutResponse = 0;
		const mayBegin = (): boolean => {
			if (this.sent >= MAX_REQUESTS) return false;
			if (attempts >= MAX_ATTEMPTS || withoutResponse >= MAX_WITHOUT_RESPONSE) return false;
			this.sent += 1;
			return true;
		};
		const witness = ({ status }: SeenAttempt): void => {
			// After a request to wait, only "Max Wait" limits the attempts.
			if (status !== 429) attempts += 1;
			if (status === undefined) withoutResponse += 1;
		};
		// This endpoint has the client in its own path.
		const isOfClient = name === 'client.get';
		return await this.client.exchange(name, {
			account: isOfClient ? OWN_ACCOUNT : accountOf(clientId),
			params: isOfClient ? { clientId: clientId ?? '' } : { id },
			query,
			maxWaitMs: this.maxWaitMs,
			timeoutMs: TIMEOUT_MS,
			mayBegin,
			witness,
		});
	}
}

/** What became of a request. */
export const askedOf = (exchange: Exchange, question: Question, at: number): Asked => ({
	name: exchange.name,
	clientId: question.clientId,
	id: question.id,
	query: question.query,
	at,
	attempts: exchange.attempts.map(attemptOf),
	outcome: outcomeOf(exchange),
});

const attemptOf = ({ ms, status, headers, body }: SeenAttempt): AttemptFacts => ({
	ms,
	status,
	headers,
	json: body?.kind === 'json' ? body.value : undefined,
});

function outcomeOf({ name, body, failure, attempts }: Exchange): RequestOutcome {
	if (failure !== undefined) return { kind: 'failed', failure };
	if (!isTooDeep(body)) return { kind: 'answered', body };
	// No operation returns such a record, and no row could read it.
	return {
		kind: 'failed',
		failure: {
			kind: 'unreadable',
			problem: 'tooDeep',
			endpoint: name,
			status: attempts.at(-1)?.status ?? 200,
			agency: false,
			attempts: attempts.length,
			uncertain: false,
		},
	};
}
