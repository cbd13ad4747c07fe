/**
 * The one way to the service: every request of the package is sent here, through n8n's own HTTP
 * helper. It adds the key (by n8n), decides with `retry.ts` whether to send again, reads the
 * envelope, and throws an `ApiFailure` for whatever is not a success.
 */
import {
	sleep,
	type IDataObject,
	type IHttpRequestOptions,
	type IN8nHttpFullResponse,
	type INode,
} from 'n8n-workflow';

import { allowedDomainsFor } from './allowedDomains';
import { normaliseBaseUrl } from './baseUrl';
import { endpoint, type EndpointName } from './endpoints';
import { codeOfStatus } from './errors';
import { ApiFailure, type FailureFacts } from './failure';
import { walkPages, type Walk } from './pages';
import {
	DEFAULT_RETRY,
	isPassing,
	readRetryAfter,
	retryDelay,
	type Outcome,
	type RetryPolicy,
} from './retry';
import { OWN_ACCOUNT, routeOf, type Account } from './route';
import {
	isRecord,
	readError,
	readList,
	readSuccess,
	type JsonRecord,
	type ListEnvelope,
} from './schemas';
import { scrubDetails, scrubText } from './scrub';
import { IDEMPOTENCY_HEADER } from './wire';

const MAX_ATTEMPTS_IN_TIME = 50;

export const CREDENTIAL = 'leadGenPublishingApi';

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
	async wait(ms: number): Promise<void> {
		await this.waitFor(ms, this.signal);
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
	): Promise<ListEnvelope> {
		const { offset, limit, ...rest } = options;
		const { body } = await this.send({
			name,
			options: { ...rest, query: { ...rest.query, limit, offset } },
			list: true,
		});
		return readList(body) ?? { data: [], pagination: { limit, offset, has_more: false } };
	}

	async list(
		name: EndpointName,
		options: CallOptions & { wanted?: number; ahead?: number } = {},
	): Promise<Walk> {
		const { wanted, ahead, ...rest } = options;
		return await walkPages(
			async ({ offset, limit }) => {
				const { data, pagination } = await this.page(name, { ...rest, offset, limit });
				return { records: data, limit: pagination.limit, hasMore: pagination.has_more };
			},
			{ wanted, ahead },
		);
	}

	private async send(request: RawRequest): Promise<{ body: unknown; requestId?: string }> {
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
		for (let attempt = 1; ; attempt += 1) {
			const seen = await this.attempt(request, http);
			if (seen.kind === 'success') return { body: seen.body, requestId: seen.requestId };
			leftOpen ||= !read && leavesOpen(seen.outcome);
			const delay = retryDelay({ read, keyed, attempt, waitedMs }, seen.outcome, {
				policy,
				random: this.random,
			});
			if (delay === undefined) {
				throw new ApiFailure({
					...seen.facts,
					endpoint: name,
					agency: options.account?.kind === 'client',
					retryable: isPassing(seen.outcome),
					attempts: attempt,
					uncertain: leftOpen,
					keyed,
				});
			}
			await this.wait(delay);
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
		throwIfCanceled(this.signal);
		const sent = await this.transmit(request.name, http).then(
			(response) => ({ response }),
			(error: unknown) => ({ error }),
		);
		if ('response' in sent) return this.read(request, http, sent.response);
		// Such errors of the HTTP helper carry the whole request, the key included: none goes on.
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

	private read(request: RawRequest, http: IHttpRequestOptions, response: unknown): Seen {
		const { statusCode, headers, body: raw } = fullResponse(response);
		const body = parse(raw);
		const clean = (text: string) => scrubText(text, this.connection.secrets);
		const id = requestIdOf(body.value, headers);
		const requestId = id === undefined || clean(id) !== id ? undefined : id;
		const facts = { status: statusCode, requestId };
		if (statusCode >= 300 && statusCode < 400) {
			return {
				kind: 'failure',
				outcome: { kind: 'status', status: statusCode },
				facts: { ...facts, kind: 'redirected' },
			};
		}
		if (statusCode >= 200 && statusCode < 300) {
			// 204 says itself that there is nothing to read.
			if (statusCode === 204) return { kind: 'success', body: undefined, requestId };
			const readable = request.list ? readList(body.value) : readSuccess(body.value);
			if (readable !== undefined) return { kind: 'success', body: body.value, requestId };
			if (http.method === 'DELETE' && tellsDeletion(raw, body.value))
				return { kind: 'success', body: undefined, requestId };
			const unshown = unshownData(request.name, body.value);
			if (unshown !== undefined) return { kind: 'success', body: { data: unshown }, requestId };
			if (isPlainMetadata(request.name, body.value)) {
				return { kind: 'success', body: { data: body.value }, requestId };
			}
			return {
				kind: 'failure',
				outcome: { kind: 'unreadable', cutOff: body.cutOff },
				facts: {
					...facts,
					kind: 'unreadable',
					seen: body.seen ?? wrongEnvelope(body.value, request.list),
				},
			};
		}
		const retryAfterMs = readRetryAfter(headers['retry-after'], this.now());
		const envelope = readError(body.value);
		const outcome: Outcome = { kind: 'status', status: statusCode, retryAfterMs };
		if (envelope === undefined) {
			// A proxy's page with an error status: the status still tells most of it.
			return {
				kind: 'failure',
				outcome,
				facts: {
					...facts,
					kind: statusCode >= 500 || statusCode === 429 ? 'answered' : 'unreadable',
					code: codeOfStatus(statusCode),
					seen: body.seen ?? 'no error envelope',
					retryAfterMs,
				},
			};
		}
		const { message, details } = envelope.error;
		const code = clean(envelope.error.code);
		const reason = typeof details?.reason === 'string' ? clean(details.reason) : undefined;
		return {
			kind: 'failure',
			// Throttled is throttled, whatever the number says.
			outcome: { ...outcome, reason, ...(code === 'rate_limited' ? { status: 429 } : {}) },
			facts: {
				...facts,
				kind: 'answered',
				code,
				reason,
				serviceMessage: clean(message),
				serviceDetails:
					details === undefined ? undefined : scrubDetails(details, this.connection.secrets),
				retryAfterMs,
			},
		};
	}
}

type Seen =
	| { kind: 'success'; body: unknown; requestId?: string }
	| {
			kind: 'failure';
			outcome: Outcome;
			facts: Omit<
				FailureFacts,
				'endpoint' | 'agency' | 'retryable' | 'attempts' | 'uncertain' | 'keyed'
			>;
	  };

/** The document does not show what the base answers: an object without an envelope is fine, too. */
const isPlainMetadata = (name: EndpointName, value: unknown): boolean =>
	endpoint(name).scope === 'none' &&
	isRecord(value) &&
	Object.keys(value).length > 0 &&
	!('data' in value) &&
	!('error' in value);

/** The document does not show what these answer, so "data" may be a list, or nothing. */
const UNSHOWN: ReadonlySet<EndpointName> = new Set<EndpointName>([
	'leadMagnet.getAnalytics',
	'networkOrganization.refresh',
	'post.getEngagement',
	'post.startFastResponse',
	'post.stopFastResponse',
	'socialAction.create',
]);

function unshownData(name: EndpointName, value: unknown): JsonRecord | undefined {
	if (!UNSHOWN.has(name) || !isRecord(value) || 'error' in value) return undefined;
	if (Array.isArray(value.data)) return { items: value.data };
	return value.data === null ? {} : undefined;
}

/** After these answers a write may have been carried out all the same. */
function leavesOpen(outcome: Outcome): boolean {
	if (outcome.kind === 'unreachable') return outcome.neverSent !== true;
	if (outcome.kind === 'unreadable' || OPEN_REASONS.has(outcome.reason ?? '')) return true;
	return outcome.status === 408 || (outcome.status >= 500 && outcome.status !== 501);
}

/** By these the service says itself that the change may have been carried out. */
const OPEN_REASONS = new Set(['provider_ambiguous', 'provider_attachment_mismatch']);

/** The document does not show what a deletion answers: any 2xx that holds no error will do. */
const tellsDeletion = (raw: unknown, value: unknown): boolean =>
	raw === undefined ||
	raw === null ||
	(typeof raw === 'string' && raw.trim() === '') ||
	(isRecord(value) && !('error' in value));

function fullResponse(
	response: unknown,
): Pick<IN8nHttpFullResponse, 'statusCode' | 'headers'> & { body: unknown } {
	if (!isRecord(response)) return { statusCode: 0, headers: {}, body: response };
	return {
		statusCode: typeof response.statusCode === 'number' ? response.statusCode : 0,
		headers: isRecord(response.headers) ? (response.headers as IDataObject) : {},
		body: response.body,
	};
}

function parse(raw: unknown): { value: unknown; seen?: string; cutOff: boolean } {
	const text = Buffer.isBuffer(raw) ? raw.toString('utf8') : raw;
	if (typeof text !== 'string') {
		return text === undefined || text === null
			? { value: undefined, seen: 'an empty answer', cutOff: true }
			: { value: text, cutOff: false };
	}
	const trimmed = text.trim();
	if (trimmed === '') return { value: undefined, seen: 'an empty answer', cutOff: true };
	try {
		return { value: JSON.parse(trimmed) as unknown, cutOff: false };
	} catch {
		if (/^</.test(trimmed)) return { value: undefined, seen: 'a web page (HTML)', cutOff: false };
		if (/^[{[]/.test(trimmed))
			return { value: undefined, seen: 'JSON that is cut off or damaged', cutOff: true };
		return { value: undefined, seen: 'text that is not JSON', cutOff: false };
	}
}

function wrongEnvelope(value: unknown, list: boolean): string {
	if (!isRecord(value)) return 'JSON, but not an object';
	if (!('data' in value)) return 'JSON without "data"';
	if (list && !Array.isArray(value.data)) return 'JSON whose "data" is not a list';
	if (list) return 'a list without valid "pagination", or with entries that are not objects';
	return 'JSON whose "data" is not an object';
}

function requestIdOf(body: unknown, headers: IDataObject): string | undefined {
	const id = isRecord(body)
		? (body.request_id ?? headers['x-request-id'])
		: headers['x-request-id'];
	return typeof id === 'string' && /^[A-Za-z0-9._:-]{1,128}$/.test(id) ? id : undefined;
}

const NETWORK_WORDS: Readonly<Record<string, string>> = {
	ECONNREFUSED: 'connection refused',
	ECONNRESET: 'connection reset',
	ECONNABORTED: 'timed out',
	ETIMEDOUT: 'timed out',
	ENOTFOUND: 'host name not found',
	EAI_AGAIN: 'host name not resolved',
	EPIPE: 'connection closed',
	EHOSTUNREACH: 'host not reachable',
	ENETUNREACH: 'network not reachable',
	ERR_NETWORK: 'network error',
	ERR_BAD_RESPONSE: 'damaged answer',
	ERR_CANCELED: 'timed out',
	EPROTO: 'no TLS at this address',
};

const NEVER_SENT = new Set([
	NETWORK_WORDS.ECONNREFUSED,
	NETWORK_WORDS.ENOTFOUND,
	NETWORK_WORDS.EAI_AGAIN,
]);

/** n8n knows a canceled execution by this word in the message. */
export function throwIfCanceled(signal: AbortSignal | undefined): void {
	if (signal?.aborted) throw new Error('The execution was canceled');
}

/** An error without its request: only the words of it, scrubbed. */
export const unknownError = (error: unknown, secrets: readonly string[]): Error =>
	new Error(scrubText(error instanceof Error ? error.message : 'Unknown error', secrets));

/** The words for a failed connection; undefined when the error is something else. */
export function networkCode(error: unknown): string | undefined {
	for (
		let cause: unknown = error, depth = 0;
		isRecord(cause) && depth < 5;
		cause = cause.cause, depth += 1
	) {
		const { code } = cause;
		if (typeof code !== 'string') continue;
		const words = NETWORK_WORDS[code];
		if (words !== undefined) return words;
		if (/CERT|SSL|TLS|SELF_SIGNED|UNABLE_TO_VERIFY/.test(code))
			return 'the TLS certificate was not accepted';
		if (/^(HPE_|UND_)/.test(code)) return 'damaged answer';
	}
	const message = error instanceof Error ? error.message : '';
	if (/socket hang up|aborted|timeout|connection was aborted|network/i.test(message))
		return 'connection lost';
	return undefined;
}
