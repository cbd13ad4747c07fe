/**
 * One attempt at a write: records what it sends, and refuses any other request while an earlier
 * attempt may have succeeded.
 */
import { endpoint, type EndpointName } from '../api/endpoints';
import { notSentAgain } from '../words/notSentAgain';
import { isUnsent } from '../api/failure';
import { requestOf, type BoundApi, type ItemCall, type SentRequest } from '../item/itemCall';
import type { NotDone, Unknown } from './itemState';

export class Attempt {
	/** The last write, unless it was certainly never sent. */
	sent: SentRequest | undefined;
	/** Whether reads have shown the outcome of the earlier attempt. */
	isSettled = false;
	private recognisedBy: string | undefined;

	constructor(
		private readonly api: BoundApi,
		readonly before: NotDone | Unknown | undefined,
	) {}

	/** The item as the operation gets it, with an API that records what is sent. */
	callFor(call: ItemCall, earlier: ItemCall['earlier']): ItemCall {
		return {
			...call,
			earlier,
			api: { ...this.api, call: async (...request) => await this.send(...request) },
			recognisedBy: (identity) => {
				this.recognisedBy = identity;
			},
			settled: () => {
				this.isSettled = true;
			},
		};
	}

	private async send(...[name, options]: Parameters<BoundApi['call']>) {
		const { api, sent: before, recognisedBy } = this;
		if (options?.isSideStep === true) return await api.call(name, options);
		const request = { ...requestOf(api, name, options), recognisedBy };
		this.requireSame(request);
		if (endpoint(name).method === 'GET') return await api.call(name, options);
		this.sent = request;
		const answer = await api.call(name, options).catch((error: unknown) => {
			this.sent = isUnsent(error) ? before : { ...request, endedAt: api.now() };
			throw error;
		});
		this.sent = { ...request, endedAt: api.now() };
		return answer;
	}

	/**
	 * While a request may have succeeded, a different one could do the same thing twice, and what a
	 * read shows of another record says nothing of it.
	 */
	private requireSame({ name, recordId, fingerprint }: SentRequest): void {
		const { before, isSettled } = this;
		if (before?.kind !== 'unknown' || isSettled) return;
		const { request, facts } = before;
		// A record with a unique key is found by that, whatever else is read on the way.
		const isNamed = request.recordId !== undefined && request.recognisedBy === undefined;
		if (isNamed && request.recordId !== (recordId ?? request.recordId))
			throw notSentAgain(
				facts,
				`It was sent for the record ${request.recordId}, but the item now names a different one. Check whether the first record has changed. To send it for the other one, start a new execution.`,
			);
		if (isWrite(name) && fingerprint !== request.fingerprint)
			throw notSentAgain(
				facts,
				'The request would be different now. Use parameter values that stay the same between attempts, without $now or random parts. Start a new execution once you know the outcome.',
			);
	}
}

const isWrite = (name: EndpointName): boolean => endpoint(name).method !== 'GET';
