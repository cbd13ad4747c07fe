/**
 * One attempt at a write: records what it sends, tells the operation what is known of the previous
 * attempt, and refuses any other request while the previous one may have succeeded.
 */
import { writeDescriptionOf } from '../../api/writeDescriptions';
import { endpoint } from '../../api/endpoints';
import { messageOf } from '../../api/errors';
import { ApiFailure, OpenWriteError, type FailureFacts } from '../../api/failure';
import { nextAttemptAfter } from '../../api/nextAttempt';
import { keyFrom } from '../../api/idempotency';
import type { BoundApi, EarlierAttempt } from '../define';
import type { FailedAttempt, SentRequest } from './ledger';

export class Attempt {
	readonly earlier: EarlierAttempt | undefined;
	readonly api: BoundApi;
	request: SentRequest | undefined;
	endpoint: FailureFacts['endpoint'] | undefined;
	mayHaveSucceeded: FailedAttempt['mayHaveSucceeded'];

	constructor(
		api: BoundApi,
		readonly before: FailedAttempt | undefined,
	) {
		this.mayHaveSucceeded = before?.mayHaveSucceeded;
		this.earlier = before && {
			failure: new ApiFailure(before.facts),
			mayHaveSucceeded: () => this.mayHaveSucceeded !== undefined,
			etag: before.request?.etag,
			key: before.request?.key,
			checkOnly: nextAttemptAfter(before.facts) === 'checkOnly',
			succeeded: () => {
				this.mayHaveSucceeded = undefined;
			},
		};
		this.api = {
			...api,
			call: async (name, options) => {
				if (endpoint(name).method !== 'GET') {
					const request = requestOf(name, options);
					this.requireSameRequest(request);
					this.request = request;
					this.endpoint = name;
				}
				return await api.call(name, options);
			},
		};
	}

	/** While a request may have succeeded, a different one could do the same thing twice. */
	private requireSameRequest({ fingerprint }: SentRequest): void {
		if (this.mayHaveSucceeded === undefined || this.before?.request === undefined) return;
		if (fingerprint === this.before.request.fingerprint) return;
		throw notSentAgain(
			this.before.facts,
			'The request would be a different one now. Give the parameters values that stay the same between attempts, without $now or random parts, and start the workflow again once you know the outcome.',
		);
	}
}

function requestOf(...[name, options]: Parameters<BoundApi['call']>): SentRequest {
	const { params, body, etag, idempotencyKey } = options ?? {};
	const key = endpoint(name).keyed ? idempotencyKey : undefined;
	const parts = [name, params ?? {}, body ?? null, etag ?? '', key ?? ''];
	return {
		fingerprint: keyFrom(JSON.stringify(parts)).slice(0, 13),
		...(etag === undefined ? {} : { etag }),
		...(key === undefined ? {} : { key }),
	};
}

function nextAfter(facts: FailureFacts | undefined): string {
	const check = facts && writeDescriptionOf(facts.endpoint)?.check;
	return `${check ?? 'Check with a Get or Get Many whether it exists'}. If it was not done, start the workflow again: a new execution sends it.`;
}

/** The error for an item that is not sent again because its outcome is unknown. */
export function notSentAgain(
	facts: FailureFacts | undefined,
	next = nextAfter(facts),
): OpenWriteError {
	const first = facts === undefined ? '' : ` ${messageOf(facts)}`;
	return new OpenWriteError(
		`A previous attempt of this item may have succeeded, so it was not sent again.${first}`,
		next,
		{
			code: 'outcome_unknown',
			outcome: 'unknown',
			http_status: facts?.status ?? null,
			reason: facts?.reason ?? null,
			request_id: facts?.requestId ?? null,
		},
	);
}
