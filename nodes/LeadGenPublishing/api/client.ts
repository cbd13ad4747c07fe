/**
 * The API client: calls endpoints by name, and reads pages and lists. Decides with `retry.ts` whether
 * to send again, and throws an `ApiFailure` if a request does not succeed.
 */
import { clientParts, type ClientParts, type ClientSettings } from './connection';
import type { EndpointName } from './endpoints';
import { keyFrom } from './identifiers';
import { ApiFailure } from './failure';
import { readList as readPages, type FetchPage, type Walk, type WalkOptions } from './pageWalker';
import { DEFAULT_RETRY, MAX_ATTEMPTS_IN_TIME, type RetryPolicy } from './retry';
import { canonicalId, type Account } from './route';
import { readList, readSuccess, type JsonRecord, type ListEnvelope } from './schemas';
import type { Received } from './sender';
import { anyOf } from './cancelling';
import { inStorageTurn, type Turn } from './upload';
import { deadline, wastedTimeLimit, type TimeLimit } from './timeLimit';
import type { Outgoing, PlannedRequest } from './serviceRequest';
import type { HttpFunctions } from './transport';

export interface CallOptions extends Omit<Outgoing, 'name' | 'list'> {
	/** As set by the user; 0 makes one attempt and never waits. */
	readonly maxWaitMs?: number;
	/** The time limit shared with other requests; by default, each request has its own. */
	readonly time?: TimeLimit;
	/** The timeout of one attempt. */
	readonly timeoutMs?: number;
	/** Of a read: once it is aborted, the request is ended, or not sent any more. */
	readonly givenUp?: AbortSignal;
}

export interface Answer {
	readonly data: JsonRecord;
	readonly requestId?: string;
}

export class Client {
	private readonly retry: RetryPolicy;
	private readonly timeoutMs: number | undefined;
	readonly now: () => number;

	private constructor(
		private readonly parts: ClientParts,
		settings: ClientSettings,
	) {
		this.retry = { ...DEFAULT_RETRY, ...settings.retry };
		this.timeoutMs = settings.timeoutMs;
		this.now = settings.now ?? Date.now;
	}

	static async connect(functions: HttpFunctions, settings: ClientSettings = {}): Promise<Client> {
		return new Client(await clientParts(functions, settings), settings);
	}

	/** Distinguishes the accounts that this process works for, without revealing a key. */
	accountId(account: Account): string {
		const { baseUrl, ownerId } = this.parts;
		return keyFrom(baseUrl, account.kind === 'client' ? canonicalId(account.clientId) : ownerId);
	}

	/** The request as `call` would send it. */
	planned(name: EndpointName, options: CallOptions = {}): PlannedRequest {
		return this.parts.plan({ ...options, name, list: false });
	}

	/** Waits; rejects at once when the execution is cancelled. */
	async wait(ms: number): Promise<void> {
		await this.parts.sleep(ms);
	}

	/** The network's word in fields and paths; undefined while unknown. */
	get networkWord(): string | undefined {
		return this.parts.words.network;
	}

	/** Reads one lead, which shows the network's word; a failure does not matter. */
	async learnNetworkWord(
		options: Pick<CallOptions, 'maxWaitMs' | 'time' | 'item'> = {},
	): Promise<void> {
		await this.page('lead.getAll', { ...options, offset: 0, limit: 1 }).catch((error: unknown) => {
			if (!(error instanceof ApiFailure)) throw error;
		});
	}

	/** Runs an upload as soon as the storage does not ask to wait. */
	async inStorageTurn<T>(turn: Turn, upload: () => Promise<T>): Promise<T> {
		const { storageGate: gate, sleep } = this.parts;
		return await inStorageTurn({ gate, sleep, now: this.now }, turn, upload);
	}

	get maxWaitMs(): number {
		return this.retry.maxWaitMs;
	}

	/** A time limit for several requests that belong together. */
	timeLimit(maxWaitMs = this.maxWaitMs): TimeLimit {
		return deadline(maxWaitMs, this.parts.clock);
	}

	/** How long the service asked to wait. */
	get throttledForMs(): number {
		return this.parts.gate.closedForMs;
	}

	/** How long that was when it asked. */
	get throttledInAllMs(): number {
		return this.parts.gate.closedInAllMs;
	}

	/** One record, or whatever the endpoint returns in `data`. */
	async call(name: EndpointName, options: CallOptions = {}): Promise<Answer> {
		const { body, requestId } = await this.send({ name, options, list: false });
		if (body === undefined) return { data: {}, requestId };
		const envelope = readSuccess(body);
		return { data: envelope?.data ?? {}, requestId };
	}

	async page(
		name: EndpointName,
		options: CallOptions & { offset: number; limit: number },
	): Promise<ListEnvelope & { throttled: boolean }> {
		const { offset, limit, ...rest } = options;
		const { body, throttled } = await this.send({
			name,
			options: { ...rest, query: { ...rest.query, limit, offset } },
			list: true,
		});
		const list = readList(body) ?? { data: [], pagination: { limit, offset, has_more: false } };
		if (name === 'lead.getAll') this.parts.words.observe(list.data);
		return { ...list, throttled };
	}

	/** The pages of a list, for whoever walks through it. */
	pages(name: EndpointName, options: CallOptions = {}): FetchPage {
		return async (request, givenUp) => {
			const { data, pagination, throttled } = await this.page(name, {
				...options,
				...request,
				givenUp: anyOf(options.givenUp, givenUp),
			});
			const { limit, offset, has_more: hasMore } = pagination;
			return { records: data, limit, offset, hasMore, throttled };
		};
	}

	/** A list of any length, or as much of it as is wanted. */
	async list(name: EndpointName, options: CallOptions & WalkOptions = {}): Promise<Walk> {
		const { wanted, atOnce, pageSize, ...rest } = options;
		const time =
			rest.time ?? wastedTimeLimit(rest.maxWaitMs ?? this.retry.maxWaitMs, this.parts.clock);
		return await readPages(this.pages(name, { ...rest, time }), { wanted, atOnce, pageSize });
	}

	private async send({
		name,
		options,
		list,
	}: {
		name: EndpointName;
		options: CallOptions;
		/** Whether the answer has to be a list. */
		list: boolean;
	}): Promise<Received> {
		const { maxWaitMs, time, timeoutMs = this.timeoutMs, givenUp, ...rest } = options;
		return await this.parts.sender.send(
			{ ...rest, name, list },
			{
				time: time ?? this.timeLimit(maxWaitMs),
				// With a wait limit, the time counts, not the number of attempts.
				policy:
					maxWaitMs === undefined
						? this.retry
						: { ...this.retry, maxAttempts: MAX_ATTEMPTS_IN_TIME },
				timeoutMs,
				givenUp,
			},
		);
	}
}
