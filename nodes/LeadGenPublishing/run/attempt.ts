/**
 * One attempt at a write: records what it sends, tells the operation what is known of the previous
 * attempt, and refuses any other request while the previous one may have succeeded.
 */
import { endpoint, type EndpointName } from '../api/endpoints';
import { ApiFailure, isUnsent } from '../api/failure';
import { keyFrom } from '../api/identifiers';
import { nextAttemptAfter } from '../api/policy';
import { notSentAgain } from '../words/notSentAgain';
import type { BoundApi, EarlierAttempt, SentRequest } from '../operations/define';
import type { FailedAttempt } from './ledger';

export class Attempt {
	readonly earlier: EarlierAttempt | undefined;
	readonly api: BoundApi;
	/** The last write, unless it was certainly never sent. */
	sent: { readonly name: EndpointName; readonly request: SentRequest } | undefined;
	mayHaveSucceeded: FailedAttempt['mayHaveSucceeded'];
	private identity: string | undefined;

	constructor(
		api: BoundApi,
		readonly before: FailedAttempt | undefined,
	) {
		this.mayHaveSucceeded = before?.mayHaveSucceeded;
		this.earlier = before && {
			...before.request,
			failure: new ApiFailure(before.facts),
			mayHaveSucceeded: () => this.mayHaveSucceeded !== undefined,
			sent: (...request) =>
				requestOf(api.accountId, ...request).fingerprint === before.request?.fingerprint,
			checkOnly: nextAttemptAfter(before.facts) === 'checkOnly',
			settled: () => {
				this.mayHaveSucceeded = undefined;
			},
		};
		this.api = {
			...api,
			call: async (name, options) => {
				const request = requestOf(api.accountId, name, options);
				this.requireSame(name, request);
				const before = this.sent;
				if (endpoint(name).method !== 'GET') this.sent = { name, request };
				return await api
					.call(name, options)
					.catch((error: unknown) => {
						if (isUnsent(error)) this.sent = before;
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
		const { sent, identity } = this;
		if (sent === undefined || identity === undefined || sent.request.lostAt !== undefined) return;
		const request = { ...sent.request, recognisedBy: identity, lostAt: this.api.now() };
		this.sent = { ...sent, request };
	}

	/**
	 * While a request may have succeeded, a different one could do the same thing twice, and what a
	 * read shows of another record says nothing of it.
	 */
	private requireSame(name: EndpointName, request: SentRequest): void {
		const { before, mayHaveSucceeded } = this;
		if (mayHaveSucceeded === undefined || before?.request === undefined) return;
		const { recordId, fingerprint } = before.request;
		if (recordId !== undefined && recordId !== (request.recordId ?? recordId))
			throw notSentAgain(
				before.facts,
				`It was sent for the record ${recordId}, but the item now names another one. Check there whether it was done, and start the workflow again to send it for the other record.`,
			);
		if (endpoint(name).method !== 'GET' && fingerprint !== request.fingerprint)
			throw notSentAgain(
				before.facts,
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
