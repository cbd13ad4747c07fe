/**
 * The one way to the service: every request of the package is sent here, through n8n's own HTTP
 * helper. It adds the key (by n8n), decides with `retry.ts` whether to send again, reads the
 * envelope, and throws an `ApiFailure` for whatever is not a success.
 */
import { sleep, type IDataObject, type IHttpRequestOptions, type INode } from 'n8n-workflow';

import { allowedDomainsFor } from './allowedDomains';
import { readAnswer, type Seen } from './answer';
import { normaliseBaseUrl } from './baseUrl';
import { networkCode, NEVER_SENT, throwIfCanceled, unknownError } from './connection';
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
import { OWN_ACCOUNT, routeOf, type Account } from './route';
import { readList, readSuccess, type JsonRecord, type ListEnvelope } from './schemas';
import { Turnstile } from './turnstile';
import { IDEMPOTENCY_HEADER } from './wire';

export const CREDENTIAL = 'leadGenPublishingApi';
/** About what n8n's helper computes for a page of a hundred records, in ms. */
const MOST_APART = 3;

/** What the client needs of n8n: execute, poll and list-search functions all have it. */
export interface HttpFunctions {
	getNode(): INode;
	getCredentials<T extends object = IDataObject>(type: string, itemIndex?: number): Promise<T>;
	getExecutionCancelSignal?(): AbortSignal | undefined;
	helpers: {
		httpRequest(options: IHttpRequestOptions): Promise<unknown>;
		httpRequestWithAuthentication(
			this: unknown,
			credential: string,
			options: IHttpRequestOptions,
		): Promise<unknown>;
	};
}

export interface CallOptions {
	readonly account?: Account;
	/** Path parameters. */
	readonly params?: Record<string, string>;
	readonly query?: JsonRecord;
	readonly body?: JsonRecord;
	readonly headers?: Record<string, string>;
	/** Sent as is, also when the request is sent again. */
	readonly idempotencyKey?: string;
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

export interface RawRequest {
	readonly name: EndpointName;
	readonly options: CallOptions;
	/** Reads the body of a 2xx answer; undefined when it is no envelope. */
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
		private readonly functions: HttpFunctions,
		private readonly connection: {
			baseUrl: string;
			allowedDomains?: string;
			secrets: readonly string[];
		},
		settings: ClientSettings,
	) {
		this.retry = { ...DEFAULT_RETRY, ...settings.retry };
		this.timeoutMs = settings.timeoutMs ?? 60_000;
		this.now = settings.now ?? Date.now;
		this.random = settings.random ?? Math.random;
		this.waitFor = settings.wait ?? sleep;
		this.signal = settings.signal ?? functions.getExecutionCancelSignal?.();
	}

	static async connect(functions: HttpFunctions, settings: ClientSettings = {}): Promise<Client> {
		const credential = await functions.getCredentials<JsonRecord>(CREDENTIAL);
		const key = typeof credential.apiKey === 'string' ? credential.apiKey.trim() : '';
		const baseUrl = normaliseBaseUrl(credential.baseUrl);
		return new Client(
			functions,
			{
				baseUrl,
				allowedDomains: allowedDomainsFor(baseUrl, credential),
				secrets: key === '' ? [] : [key],
			},
			settings,
		);
	}

	/** Waits, or throws at once when the execution is cancelled. */
	async wait(ms: number, givenUp?: AbortSignal): Promise<void> {
		await this.waitFor(ms, either(this.signal, givenUp));
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
		const { method, path } = routeOf(name, {
			account: options.account ?? OWN_ACCOUNT,
			params: options.params,
		});
		const read = method === 'GET';
		const keyed = endpoint(name).keyed && options.idempotencyKey !== undefined;
		const policy =
			options.maxWaitMs === undefined
				? this.retry
				: // Whoever says how long to wait means the time, not a number of tries.
					{ ...this.retry, maxWaitMs: options.maxWaitMs, maxAttempts: MAX_ATTEMPTS_IN_TIME };
		const http = this.httpOptions(request, { method, path });
		let waitedMs = 0;
		// Once an attempt went unanswered, a later refusal does not tell what that attempt did.
		let leftOpen = false;
		let throttled = false;
		for (let attempt = 1; ; attempt += 1) {
			const seen = await this.attempt(request, http);
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

	private httpOptions(
		{ name, options }: RawRequest,
		{ method, path }: { method: IHttpRequestOptions['method']; path: string },
	): IHttpRequestOptions {
		const url = this.connection.baseUrl + path;
		const query = Object.entries(options.query ?? {}).filter(
			([, value]) => value !== undefined && value !== null,
		);
		return {
			method,
			url,
			headers: {
				Accept: 'application/json',
				...(options.body === undefined ? {} : { 'Content-Type': 'application/json' }),
				...(options.idempotencyKey !== undefined && endpoint(name).keyed
					? { [IDEMPOTENCY_HEADER]: options.idempotencyKey }
					: {}),
				...options.headers,
			},
			...(query.length > 0 ? { qs: Object.fromEntries(query) as IDataObject } : {}),
			// As text: an empty object would otherwise not be sent at all, and a repeated request is
			// the same to the byte.
			...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
			encoding: 'text',
			json: false,
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			disableFollowRedirect: true,
			arrayFormat: 'repeat',
			timeout: options.timeoutMs ?? this.timeoutMs,
			...(this.connection.allowedDomains === undefined
				? {}
				: { allowedDomains: this.connection.allowedDomains }),
			...(this.signal === undefined ? {} : { abortSignal: this.signal }),
		};
	}

	private async attempt(request: RawRequest, http: IHttpRequestOptions): Promise<Seen> {
		await this.turnstile.pass();
		throwIfCanceled(this.signal);
		if (request.options.givenUp?.aborted === true)
			throw new Error('Nobody waits for this any more');
		const sent = await this.transmit(request.name, http).then(
			(response) => ({ response }),
			(error: unknown) => ({ error }),
		);
		if ('response' in sent) {
			const { name, list } = request;
			const { secrets } = this.connection;
			return readAnswer(
				{ name, method: http.method, list, secrets, now: this.now() },
				sent.response,
			);
		}
		throwIfCanceled(this.signal);
		const network = networkCode(sent.error);
		if (network === undefined) throw unknownError(sent.error, this.connection.secrets);
		return {
			kind: 'failure',
			outcome: { kind: 'unreachable', neverSent: NEVER_SENT.has(network) },
			facts: { kind: 'unreachable', seen: network },
		};
	}

	private async transmit(name: EndpointName, http: IHttpRequestOptions): Promise<unknown> {
		const { helpers } = this.functions;
		return endpoint(name).scope === 'none'
			? await helpers.httpRequest(http)
			: await helpers.httpRequestWithAuthentication.call(this.functions, CREDENTIAL, http);
	}
}

const either = (one?: AbortSignal, other?: AbortSignal): AbortSignal | undefined =>
	one !== undefined && other !== undefined ? AbortSignal.any([one, other]) : (one ?? other);
