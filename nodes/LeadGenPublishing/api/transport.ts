/**
 * The only file that sends anything: through n8n's own HTTP helper, which adds the key where one is
 * to be sent. Whether to send again is decided elsewhere.
 */
import { sleep, type IDataObject, type IHttpRequestOptions, type INode } from 'n8n-workflow';

import {
	networkCode,
	preventedBy,
	throwIfCanceled,
	throwIfGivenUp,
	unknownError,
	type NoAnswer,
} from './networkFailure';
import { anyOf } from './signals';

export const CREDENTIAL = 'leadGenPublishingApi';

/** The n8n functions we need; execute, poll and list-search functions all have them. */
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

export interface SendLimits {
	readonly timeoutMs: number;
	/** Aborts the request. */
	readonly givenUp?: AbortSignal;
}

interface Transmission extends SendLimits {
	/** Whether n8n adds the key of the credential. */
	readonly withKey: boolean;
	/** The execution's cancel signal. */
	readonly signal?: AbortSignal;
	/** Texts that no error may contain. */
	readonly secrets: readonly string[];
}

/** The helper's own timeout fires first, but not while an answer trickles in. */
const GRACE_MS = 250;

export type HttpRequest = Pick<
	IHttpRequestOptions,
	'method' | 'url' | 'headers' | 'qs' | 'body' | 'arrayFormat' | 'allowedDomains'
>;

/** Sends once. Returns an answer of any status; `network` says in words why there is none. */
export async function transmit(
	functions: HttpFunctions,
	request: HttpRequest,
	{ withKey, timeoutMs, signal, givenUp, secrets }: Transmission,
): Promise<{ response: unknown } | NoAnswer> {
	throwIfCanceled(signal);
	const abortSignal = anyOf(signal, givenUp);
	const http: IHttpRequestOptions = {
		...request,
		encoding: 'text',
		json: false,
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		// With redirects, the HTTP helper would also keep a whole file in memory to send it again.
		disableFollowRedirect: true,
		timeout: timeoutMs,
		...(abortSignal === undefined ? {} : { abortSignal }),
	};
	const { helpers } = functions;
	const sending = withKey
		? helpers.httpRequestWithAuthentication.call(functions, CREDENTIAL, http)
		: helpers.httpRequest(http);
	const sent = await within(
		timeoutMs + GRACE_MS,
		sending.then(
			(response) => ({ response }),
			(error: unknown) => ({ error }),
		),
	);
	if ('response' in sent) return sent;
	throwIfCanceled(signal);
	throwIfGivenUp(givenUp);
	const preventing = preventedBy(sent.error, secrets);
	if (preventing !== undefined) return { network: preventing, prevented: true };
	const network = networkCode(sent.error);
	if (network === undefined) throw unknownError(sent.error, secrets);
	return { network };
}

async function within<T>(ms: number, sent: Promise<T>): Promise<T | { error: Error }> {
	const answered = new AbortController();
	const late = sleep(ms, answered.signal).then(() => ({
		error: Object.assign(new Error('No complete answer in time'), { code: 'ETIMEDOUT' }),
	}));
	return await Promise.race([sent, late]).finally(() => answered.abort());
}
