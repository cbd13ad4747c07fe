/**
 * Sends one request to the service through n8n's own HTTP helper, with the key added by n8n, and
 * reads what comes of it. Whether to send again is decided elsewhere.
 */
import { sleep, type IDataObject, type IHttpRequestOptions, type INode } from 'n8n-workflow';

import { allowedDomainsFor } from './allowedDomains';
import { readAnswer, type Seen } from './answer';
import { normaliseBaseUrl } from './baseUrl';
import {
	networkCode,
	NEVER_SENT,
	throwIfCanceled,
	throwIfGivenUp,
	unknownError,
} from './connection';
import { endpoint, type EndpointName } from './endpoints';
import { newRequestId, REQUEST_ID_HEADER } from './requestId';
import { OWN_ACCOUNT, routeOf, type Account } from './route';
import type { JsonRecord } from './schemas';
import { anyOf } from './signals';
import { VendorWords } from './vendorWords';
import { IDEMPOTENCY_HEADER } from './wire';

export const CREDENTIAL = 'leadGenPublishingApi';

/** What is needed of n8n: execute, poll and list-search functions all have it. */
export interface HttpFunctions {
	getNode(): INode;
	getCredentials<T extends object = IDataObject>(type: string, itemIndex?: number): Promise<T>;
	getExecutionCancelSignal?(): AbortSignal | undefined;
	getExecutionId?(): string | undefined;
	getContext?(type: 'flow'): object;
	helpers: {
		httpRequest(options: IHttpRequestOptions): Promise<unknown>;
		httpRequestWithAuthentication(
			this: unknown,
			credential: string,
			options: IHttpRequestOptions,
		): Promise<unknown>;
	};
}

/** What the credential says about where and how to send. */
export interface Connection {
	readonly baseUrl: string;
	readonly allowedDomains?: string;
	/** What no error may show. */
	readonly secrets: readonly string[];
	readonly words: VendorWords;
}

export interface Outgoing {
	readonly name: EndpointName;
	readonly account?: Account;
	/** Path parameters. */
	readonly params?: Record<string, string>;
	readonly query?: JsonRecord;
	readonly body?: JsonRecord;
	/** The version of a published post that this change is for. */
	readonly etag?: string;
	/** Sent where the endpoint takes one. */
	readonly idempotencyKey?: string;
	/** Whether the answer has to be a list. */
	readonly list: boolean;
	/** The input item that it is sent for. */
	readonly item?: number;
}

export interface SendLimits {
	readonly timeoutMs: number;
	/** Ends the request. */
	readonly givenUp?: AbortSignal;
}

/** The helper's own timeout comes first; it does not end an answer that drips. */
const GRACE_MS = 250;

export async function readConnection(functions: HttpFunctions): Promise<Connection> {
	const credential = await functions.getCredentials<JsonRecord>(CREDENTIAL);
	const key = typeof credential.apiKey === 'string' ? credential.apiKey.trim() : '';
	const baseUrl = normaliseBaseUrl(credential.baseUrl);
	return {
		baseUrl,
		allowedDomains: allowedDomainsFor(baseUrl, credential),
		secrets: key === '' ? [] : [key],
		words: VendorWords.of(credential, { baseUrl, key }),
	};
}

export class Transport {
	constructor(
		private readonly functions: HttpFunctions,
		private readonly connection: Connection,
		private readonly settings: {
			readonly now: () => number;
			readonly signal?: AbortSignal;
			/** Who sends, as the first part of each request ID. */
			readonly origin: string;
		},
	) {}

	get words(): VendorWords {
		return this.connection.words;
	}

	/** Once. Throws only what is no answer of the service and no failure of the network. */
	async send(request: Outgoing, { timeoutMs, givenUp }: SendLimits): Promise<Seen> {
		const { signal, now, origin } = this.settings;
		const { name, list, item } = request;
		const { secrets } = this.connection;
		throwIfCanceled(signal);
		const requestId = newRequestId(origin, item);
		const http = this.httpOptions(request, { timeoutMs, givenUp, requestId });
		const used = this.words.usedIn(request);
		const sent = await within(
			timeoutMs + GRACE_MS,
			this.transmit(name, http).then(
				(response) => ({ response }),
				(error: unknown) => ({ error }),
			),
		);
		if ('response' in sent) {
			const asked = { name, method: http.method, list, secrets, now: now(), requestId };
			const seen = readAnswer(asked, sent.response);
			return seen.kind === 'success' ? seen : { ...seen, facts: { ...seen.facts, ...used } };
		}
		throwIfCanceled(signal);
		throwIfGivenUp(givenUp);
		const network = networkCode(sent.error);
		if (network === undefined) throw unknownError(sent.error, secrets);
		return {
			kind: 'failure',
			outcome: { kind: 'unreachable', neverSent: NEVER_SENT.has(network) },
			facts: { kind: 'unreachable', seen: network, requestId },
		};
	}

	private httpOptions(
		request: Outgoing,
		{ timeoutMs, givenUp, requestId }: SendLimits & { requestId: string },
	): IHttpRequestOptions {
		const { name, query: given = {}, body, etag, idempotencyKey } = request;
		const { postEtagHeader, pathParams } = this.words.names;
		const { method, path } = routeOf(name, {
			account: request.account ?? OWN_ACCOUNT,
			params: { ...request.params, ...pathParams },
		});
		const query = Object.entries(given).filter(
			([, value]) => value !== undefined && value !== null,
		);
		const { allowedDomains } = this.connection;
		const signal = anyOf(this.settings.signal, givenUp);
		return {
			method,
			url: this.connection.baseUrl + path,
			headers: {
				Accept: 'application/json',
				[REQUEST_ID_HEADER]: requestId,
				...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
				...(idempotencyKey !== undefined && endpoint(name).keyed
					? { [IDEMPOTENCY_HEADER]: idempotencyKey }
					: {}),
				...(etag === undefined ? {} : { [postEtagHeader]: etag }),
			},
			...(query.length > 0 ? { qs: Object.fromEntries(query) as IDataObject } : {}),
			// As text: an empty object would otherwise not be sent at all, and a repeated request is
			// the same to the byte.
			...(body === undefined ? {} : { body: JSON.stringify(body) }),
			encoding: 'text',
			json: false,
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			disableFollowRedirect: true,
			arrayFormat: 'repeat',
			timeout: timeoutMs,
			...(allowedDomains === undefined ? {} : { allowedDomains }),
			...(signal === undefined ? {} : { abortSignal: signal }),
		};
	}

	private async transmit(name: EndpointName, http: IHttpRequestOptions): Promise<unknown> {
		const { helpers } = this.functions;
		return endpoint(name).scope === 'none'
			? await helpers.httpRequest(http)
			: await helpers.httpRequestWithAuthentication.call(this.functions, CREDENTIAL, http);
	}
}

async function within<T>(ms: number, sent: Promise<T>): Promise<T | { error: Error }> {
	const answered = new AbortController();
	const late = sleep(ms, answered.signal).then(() => ({
		error: Object.assign(new Error('No complete answer in time'), { code: 'ETIMEDOUT' }),
	}));
	return await Promise.race([sent, late]).finally(() => answered.abort());
}
