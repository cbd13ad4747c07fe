/**
 * One attempt at a write: records what it sends, and rejects any other request while an earlier
 * attempt may have succeeded.
 */
import { isWrite } from '../../api/endpoints';
import { notSentAgain } from '../../words/notSentAgain';
import { ApiFailure, isUnsent } from '../../api/failure';
import {
	requestOf,
	type BoundApi,
	type EarlierAttempt,
	type SentRequest,
	type WriteCall,
} from '../../item/itemCall';
import type { NotDone, Unknown } from './itemState';

type Request = Parameters<BoundApi['call']>;

/** A write that was sent. */
interface Write {
	readonly request: Request;
	readonly recognisedBy: string | undefined;
	/** When the request ended, in ms. Undefined while it is running. */
	readonly endedAt?: number;
}

export class Attempt {
	/** The last write, unless it was certainly never sent. */
	private last: Write | undefined;
	/** Whether reads have shown the outcome of the earlier attempt. */
	isSettled = false;
	private recognisedBy: string | undefined;

	constructor(
		private readonly api: BoundApi,
		readonly before: NotDone | Unknown | undefined,
	) {}

	/** Whether a write was sent, unless it certainly never arrived. */
	get hasSent(): boolean {
		return this.last !== undefined;
	}

	/** The last write, as it is stored. Only needed if the attempt failed. */
	get sent(): SentRequest | undefined {
		if (this.last === undefined) return undefined;
		const { request, recognisedBy, endedAt } = this.last;
		return { ...requestOf(this.api, ...request), recognisedBy, endedAt };
	}

	/**
	 * The item for the operation, with an API that records what is sent, and with the earlier
	 * attempt.
	 */
	callFor<Call extends WriteCall>(call: Call): Call {
		return {
			...call,
			earlier: this.before && toldOf(this.before),
			api: { ...this.api, call: (...request) => this.call(...request) },
			recognisedBy: (identity) => {
				this.recognisedBy = identity;
			},
			settled: () => {
				this.isSettled = true;
			},
		};
	}

	private async call(...request: Request) {
		const { api, last: before, recognisedBy } = this;
		const [name, options] = request;
		if (options?.isSideStep === true) return await api.call(name, options);
		this.requireSame(request);
		if (!isWrite(name)) return await api.call(name, options);
		const write: Write = { request, recognisedBy };
		this.last = write;
		const answer = await api.call(name, options).catch((error: unknown) => {
			this.last = isUnsent(error) ? before : { ...write, endedAt: api.now() };
			throw error;
		});
		this.last = { ...write, endedAt: api.now() };
		return answer;
	}

	/**
	 * While a request may have succeeded, a different one could do the same thing twice, and a read
	 * of another record proves nothing.
	 */
	private requireSame(next: Request): void {
		const { before, isSettled } = this;
		if (before?.kind !== 'unknown' || isSettled) return;
		const { request, facts } = before;
		const { name, recordId, fingerprint } = requestOf(this.api, ...next);
		// A record with a unique key is found by its key, whichever other records are read on the way.
		const isNamed = request.recordId !== undefined && request.recognisedBy === undefined;
		if (isNamed && request.recordId !== (recordId ?? request.recordId))
			throw notSentAgain(
				facts,
				`It was sent for the record ${request.recordId}, but the item now names a different one. Check whether the first record has changed. To change the second record, start a new execution.`,
			);
		if (isWrite(name) && fingerprint !== request.fingerprint)
			throw notSentAgain(
				facts,
				'The request would be different now. Use parameter values that stay the same between attempts, without $now or random parts. Start a new execution once you know the outcome.',
			);
	}
}

/** What the operation has to know about an earlier attempt. */
function toldOf(before: NotDone | Unknown): EarlierAttempt {
	const { kind, request } = before;
	if (kind === 'notDone') return { kind, request };
	const checkOnly = before.next === 'checkOnly';
	return { kind, request, failure: new ApiFailure(before.facts), checkOnly };
}
