/**
 * The one way to the service for everything above: calls by name, pages and lists. It decides with
 * `retry.ts` whether to send again, and throws an `ApiFailure` for whatever is not a success.
 */
import { sleep } from 'n8n-workflow';

import type { Seen } from './answer';
import { endpoint, type EndpointName } from './endpoints';
import { ApiFailure } from './failure';
import { MAX_AHEAD, walkPages, type Walk, type WalkOptions } from './pages';
import {
	DEFAULT_RETRY,
	isPassing,
	leavesOpen,
	MAX_ATTEMPTS_IN_TIME,
	retryDelay,
	type RetryPolicy,
} from './retry';
import { readList, readSuccess, type JsonRecord, type ListEnvelope } from './schemas';
import { readConnection, Transport, type HttpFunctions, type Outgoing } from './transport';
import { Turnstile } from './turnstile';

/** About what n8n's helper computes for a page of a hundred records, in ms. */
const MOST_APART = 3;

export interface CallOptions extends Omit<Outgoing, 'name' | 'list'> {
	readonly maxWaitMs?: number;
	readonly timeoutMs?: number;
	/** Once it is aborted, the request is not sent any more. */
	readonly givenUp?: AbortSignal;
}

export interface Answer {
	readonly data: JsonRecord;
	readonly requestId?: string;
}

export interface ClientSettings {
	readonly retry?: Partial<RetryPolicy>;
	readonly timeoutMs?: number;
	readonly now?: () => number;
	readonly random?: () => number;
	readonly wait?: (ms: number, signal?: AbortSignal) => Promise<void>;
	/** Aborts waiting as well as n8n's own cancel signal does. */
	readonly signal?: AbortSignal;
}

interface RawRequest {
	readonly name: EndpointName;
	readonly options: CallOptions;
	/** Whether the answer has to be a list. */
	readonly list: boolean;
}

export class Client {
	private readonly retry: RetryPolicy;
	private readonly timeoutMs: number;
	readonly now: () => number;
	private readonly random: () => number;
	private readonly waitFor: (ms: number, signal?: AbortSignal) => Promise<void>;
	private readonly signal: AbortSignal | undefined;
	private readonly turnstile = new Turnstile({ atOnce: 2, apartMs: () => 1 });

	private constructor(
		private readonly transport: Transport,
		signal: AbortSignal | undefined,
		settings: ClientSettings,
	) {
		this.retry = { ...DEFAULT_RETRY, ...settings.retry };
		this.timeoutMs = settings.timeoutMs ?? 60_000;
		this.now = settings.now ?? Date.now;
		this.random = settings.random ?? Math.random;
		this.waitFor = settings.wait ?? sleep;
		this.signal = signal;
	}

	static async connect(functions: HttpFunctions, settings: ClientSettings = {}): Promise<Client> {
		const connection = await readConnection(functions);
		const signal = settings.signal ?? functions.getExecutionCancelSignal?.();
		const { now = Date.now } = settings;
		const transport = new Transport(functions, connection, { now, signal });
		return new Client(transport, signal, settings);
	}

	/** Waits, or throws at once when the execution is cancelled. */
	async wait(ms: number, givenUp?: AbortSignal): Promise<void> {
		await this.waitFor(ms, either(this.signal, givenUp));
	}

	/** What the network is called in fields and paths; undefined as long as that is not known. */
	get networkWord(): string | undefined {
		return this.transport.words.network;
	}

	/** Reads one lead, which shows the network's word; that it cannot be read is no matter. */
	async learnNetworkWord(options: Pick<CallOptions, 'maxWaitMs'> = {}): Promise<void> {
		await this.page('lead.getAll', { ...options, offset: 0, limit: 1 }).catch((error: unknown) => {
			if (!(error instanceof ApiFailure)) throw error;
		});
	}

	get maxWaitMs(): number {
		return this.retry.maxWaitMs;
	}

	/** One record, or whatever the endpoint answers in `data`. */
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
		if (name === 'lead.getAll') this.transport.words.observe(list.data);
		return { ...list, throttled };
	}

	async list(name: EndpointName, options: CallOptions & WalkOptions = {}): Promise<Walk> {
		const { wanted, ahead, pageSize, later, ...rest } = options;
		// A page takes longer to ask for and to read than one record. Spread over the time that one
		// is waited for, they do not queue up; a service that answers at once needs no spreading.
		let apartMs = 0;
		const turnstile = new Turnstile({ atOnce: 1, apartMs: () => apartMs });
		return await walkPages(
			async ({ offset, limit }, givenUp) => {
				await turnstile.pass();
				const start = this.now();
				const page = await this.page(name, {
					...rest,
					offset,
					limit,
					givenUp: either(rest.givenUp, givenUp),
				});
				if (offset === 0) {
					apartMs = Math.min(MOST_APART, Math.floor((this.now() - start) / MAX_AHEAD));
				}
				const { data, pagination, throttled } = page;
				return {
					records: data,
					limit: pagination.limit,
					hasMore: pagination.has_more,
					throttled,
				};
			},
			{ wanted, ahead, pageSize, later },
		);
	}

	private async send(
		request: RawRequest,
	): Promise<{ body: unknown; requestId?: string; throttled: boolean }> {
		const { name, options } = request;
		const read = endpoint(name).method === 'GET';
		const keyed = endpoint(name).keyed && options.idempotencyKey !== undefined;
		const policy =
			options.maxWaitMs === undefined
				? this.retry
				: // Whoever says how long to wait means the time, not a number of tries.
					{ ...this.retry, maxWaitMs: options.maxWaitMs, maxAttempts: MAX_ATTEMPTS_IN_TIME };
		let waitedMs = 0;
		// Once an attempt went unanswered, a later refusal does not tell what that attempt did.
		let leftOpen = false;
		let throttled = false;
		for (let attempt = 1; ; attempt += 1) {
			const seen = await this.attempt(request);
			if (seen.kind === 'success') {
				return { body: seen.body, requestId: seen.requestId, throttled };
			}
			throttled ||= seen.outcome.kind === 'status' && seen.outcome.status === 429;
			leftOpen ||= !read && leavesOpen(seen.outcome);
			const delay = retryDelay({ read, keyed, attempt, waitedMs }, seen.outcome, {
				policy,
				random: this.random,
			});
			if (delay === undefined || options.givenUp?.aborted === true) {
				throw new ApiFailure({
					...seen.facts,
					endpoint: name,
					agency: options.account?.kind === 'client',
					retryable: isPassing(seen.outcome),
					attempts: attempt,
					uncertain: leftOpen,
					keyed,
					idempotencyKey: keyed ? options.idempotencyKey : undefined,
				});
			}
			await this.wait(delay, options.givenUp);
			waitedMs += delay;
		}
	}

	private async attempt({ name, options, list }: RawRequest): Promise<Seen> {
		await this.turnstile.pass();
		if (options.givenUp?.aborted === true) throw new Error('Nobody waits for this any more');
		const timeoutMs = options.timeoutMs ?? this.timeoutMs;
		return await this.transport.send({ ...options, name, list }, { timeoutMs });
	}
}

const either = (one?: AbortSignal, other?: AbortSignal): AbortSignal | undefined =>
	one !== undefined && other !== undefined ? AbortSignal.any([one, other]) : (one ?? other);
