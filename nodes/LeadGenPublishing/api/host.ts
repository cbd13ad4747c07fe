/** What the client needs of the program that it runs in. For n8n, that is `n8n/host.ts`. */
import type { Method } from './endpoints';
import type { JsonRecord } from './schemas';

export interface HttpRequest {
	readonly method: Method | 'PUT';
	readonly url: string;
	readonly headers?: JsonRecord;
	/** Several values of one name are repeated. */
	readonly query?: JsonRecord;
	/** Text, bytes or a stream. */
	readonly body?: string | object;
	/** A request with the key only goes to these domains, if any are given. */
	readonly allowedDomains?: string;
}

export interface HowToSend {
	/** Whether the key of the credential is added. */
	readonly withKey: boolean;
	readonly timeoutMs: number;
	/** Ends the request. */
	readonly signal: AbortSignal;
}

export interface Host {
	/** The fields of the credential, as the user has entered them. */
	readonly credential: () => Promise<JsonRecord>;
	/**
	 * Sends once, and never follows a redirect. Resolves with a response of any status, whose body is a
	 * stream. Rejects if no response comes.
	 */
	readonly request: (request: HttpRequest, how: HowToSend) => Promise<unknown>;
	/** Rejects as soon as the signal is aborted. */
	readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
	/** Is aborted when the user stops the execution. */
	readonly canceled?: AbortSignal;
	readonly executionId?: string;
	/** Lives as long as the execution, and all tries of Retry On Fail share it. */
	readonly memory?: object;
}
