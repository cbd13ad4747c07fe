/** Builds a request to the service, sends it once, and reads the answer. */
import type { IDataObject } from 'n8n-workflow';

import { readAnswer, type ParsedAnswer } from './answer';
import type { Connection } from './connection';
import { endpoint, type EndpointName } from './endpoints';
import { readNoAnswer } from './networkFailure';
import { newRequestId, REQUEST_ID_HEADER } from './identifiers';
import { OWN_ACCOUNT, routeOf, type Account, type Route } from './route';
import type { JsonRecord } from './schemas';
import { transmit, type HttpFunctions, type HttpRequest, type SendLimits } from './transport';
import type { VendorWords } from './vendorWords';
import { IDEMPOTENCY_HEADER } from './wire';

export interface Outgoing {
	readonly name: EndpointName;
	readonly account?: Account;
	/** Path parameters. */
	readonly params?: Record<string, string>;
	readonly query?: JsonRecord;
	readonly body?: JsonRecord;
	/** The version of the published post that this change applies to. */
	readonly etag?: string;
	/** Sent if the endpoint takes one. */
	readonly idempotencyKey?: string;
	/** Whether the answer must be a list. */
	readonly list: boolean;
	/** The input item that the request is for. */
	readonly item?: number;
}

/** A request without what every request has, such as the key. */
export interface PlannedRequest extends Route, Pick<Outgoing, 'body' | 'etag' | 'idempotencyKey'> {}

export class ServiceRequests {
	constructor(
		private readonly functions: HttpFunctions,
		private readonly connection: Connection,
		private readonly settings: {
			readonly now: () => number;
			readonly signal?: AbortSignal;
			/** The sender, as the first part of each request ID. */
			readonly origin: string;
		},
	) {}

	get words(): VendorWords {
		return this.connection.words;
	}

	/** Sends once. Throws only errors that are neither an answer nor a network failure. */
	async send(request: Outgoing, { timeoutMs, givenUp }: SendLimits): Promise<ParsedAnswer> {
		const { signal, now, origin } = this.settings;
		const { name, list, item } = request;
		const { secrets } = this.connection;
		const requestId = newRequestId(origin, item);
		const http = this.httpOptions(request, requestId);
		const used = this.words.usedIn(request);
		const sent = await transmit(this.functions, http, {
			withKey: endpoint(name).scope !== 'none',
			...{ timeoutMs, signal, givenUp, secrets },
		});
		if ('response' in sent) {
			const asked = { name, method: http.method, list, secrets, now: now(), requestId };
			const seen = readAnswer(asked, sent.response);
			return seen.kind === 'success' ? seen : { ...seen, facts: { ...seen.facts, ...used } };
		}
		const { outcome, facts } = readNoAnswer(sent);
		return { kind: 'failure', outcome, facts: { ...facts, requestId } };
	}

	/** What would be sent. */
	plan({
		name,
		account = OWN_ACCOUNT,
		params,
		body,
		etag,
		idempotencyKey,
	}: Outgoing): PlannedRequest {
		const { pathParams } = this.words.names;
		const { method, path } = routeOf(name, { account, params: { ...params, ...pathParams } });
		return {
			...{ method, path, body, etag },
			idempotencyKey: endpoint(name).keyed ? idempotencyKey : undefined,
		};
	}

	private httpOptions(request: Outgoing, requestId: string): HttpRequest {
		const { query: given = {}, body, etag } = request;
		const { postEtagHeader } = this.words.names;
		const { method, path, idempotencyKey } = this.plan(request);
		const query = Object.entries(given).filter(
			([, value]) => value !== undefined && value !== null,
		);
		const { allowedDomains } = this.connection;
		return {
			method,
			url: this.connection.baseUrl + path,
			headers: {
				Accept: 'application/json',
				[REQUEST_ID_HEADER]: requestId,
				...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
				...(idempotencyKey === undefined ? {} : { [IDEMPOTENCY_HEADER]: idempotencyKey }),
				...(etag === undefined ? {} : { [postEtagHeader]: etag }),
			},
			...(query.length > 0 ? { qs: Object.fromEntries(query) as IDataObject } : {}),
			// As text: an empty object would not be sent at all, and a repeated request must be
			// identical byte for byte.
			...(body === undefined ? {} : { body: JSON.stringify(body) }),
			arrayFormat: 'repeat',
			...(allowedDomains === undefined ? {} : { allowedDomains }),
		};
	}
}
