/**
 * One attempt at a write: records what it sends, tells the operation what is known of the previous
 * attempt, and refuses any other request while the previous one may have succeeded.
 */
import { endpoint } from '../api/endpoints';
import { ApiFailure, isUnsent, type FailureFacts } from '../api/failure';
import { keyFrom } from '../api/identifiers';
import { nextAttemptAfter } from '../api/reasons';
import { notSentAgain } from '../api/errors';
import type { BoundApi, EarlierAttempt } from '../operations/define';
import type { FailedAttempt, SentRequest } from './ledger';

export class Attempt {
	readonly earlier: EarlierAttempt | undefined;
	readonly api: BoundApi;
	request: SentRequest | undefined;
	endpoint: FailureFacts['endpoint'] | undefined;
	mayHaveSucceeded: FailedAttempt['mayHaveSucceeded'];
	private identity: string | undefined;

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
			sent: (...request) =>
				requestOf(api.accountId, ...request).fingerprint === before.request?.fingerprint,
			checkOnly: nextAttemptAfter(before.facts) === 'checkOnly',
			recognisedBy: before.request?.recognisedBy,
			lostAt: before.request?.lostAt,
			settled: () => {
				this.mayHaveSucceeded = undefined;
			},
		};
		this.api = {
			...api,
			call: async (name, options) => {
				this.requireSameRecord(options?.params?.id);
				const sentBefore = this.endpoint;
				if (endpoint(name).method !== 'GET') {
					const request = requestOf(api.accountId, name, options);
					this.requireSameRequest(request);
					this.request = request;
					this.endpoint = name;
				}
				return await api
					.call(name, options)
					.catch((error: unknown) => {
						if (isUnsent(error)) this.endpoint = sentBefore;
						throw error;
					})
					.finally(() => this.answered());
			},
		};
	}

	/** Call it before a record is created that can be recognised. */
	recognisedBy(identity: string): void {
		this.identity = identity;
	}

	private answered(): void {
		const { request, identity } = this;
		if (request === undefined || identity === undefined || request.lostAt !== undefined) return;
		this.request = { ...request, recognisedBy: identity, lostAt: this.api.now() };
	}

	/** While a request may have succeeded, what a read shows of another record says nothing of it. */
	private requireSameRecord(id: unknown): void {
		const { before } = this;
		const wasFor = before?.request?.recordId;
		if (this.mayHaveSucceeded === undefined || wasFor === undefined || id === undefined) return;
		if (id !== wasFor)
			throw notSentAgain(
				before?.facts,
				`It was sent for the ID ${wasFor}, not for the one of now. Check there whether it was done, and start the workflow again to send it for the other ID.`,
			);
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

function requestOf(
	accountId: string,
	...[name, options]: Parameters<BoundApi['call']>
): SentRequest {
	const { params, body, etag, idempotencyKey } = options ?? {};
	const key = endpoint(name).keyed ? idempotencyKey : undefined;
	const parts = [accountId, name, params ?? {}, body ?? null, etag ?? '', key ?? ''];
	return {
		fingerprint: keyFrom(JSON.stringify(parts)).slice(0, 13),
		...(params?.id === undefined ? {} : { recordId: params.id }),
		...(etag === undefined ? {} : { etag }),
		...(key === undefined ? {} : { key }),
	};
}
