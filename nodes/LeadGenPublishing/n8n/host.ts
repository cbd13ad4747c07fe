/** n8n, as the API client needs it. The only file that calls n8n's HTTP helper. */
import { sleep, type IHttpRequestOptions } from 'n8n-workflow';

import { Client, type ClientSettings } from '../api/client';
import { CredentialError } from '../api/credentialError';
import type { Host, HowToSend, HttpRequest } from '../api/host';
import type { JsonRecord } from '../api/schemas';
import { credentialInputError } from '../words/credentialWords';

export const CREDENTIAL = 'leadGenPublishingApi';

/** The n8n functions we need; execute, poll and list-search functions all have them. */
export interface HttpFunctions {
	getCredentials<T extends object>(type: string): Promise<T>;
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

/** A client for this execution. A credential that cannot be used is an error in words for the user. */
export async function connect(
	functions: HttpFunctions,
	settings?: ClientSettings,
): Promise<Client> {
	return await Client.connect(hostOf(functions), settings).catch((error: unknown) => {
		throw error instanceof CredentialError ? credentialInputError(error) : error;
	});
}

export const hostOf = (functions: HttpFunctions): Host => ({
	credential: async () => await functions.getCredentials<JsonRecord>(CREDENTIAL),
	// Bound: each request would otherwise pass one function more.
	request: requestThroughN8n.bind(undefined, functions),
	sleep,
	canceled: functions.getExecutionCancelSignal?.(),
	executionId: functions.getExecutionId?.(),
	memory: functions.getContext?.('flow'),
});

async function requestThroughN8n(
	functions: HttpFunctions,
	{ query, ...request }: HttpRequest,
	{ withKey, timeoutMs, signal }: HowToSend,
): Promise<unknown> {
	const { helpers } = functions;
	const http = {
		...request,
		arrayFormat: 'repeat',
		encoding: 'stream',
		json: false,
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		// With redirects, the HTTP helper would also keep a whole file in memory to send it again.
		disableFollowRedirect: true,
		timeout: timeoutMs,
		abortSignal: signal,
	} as IHttpRequestOptions;
	if (query !== undefined) http.qs = query as IHttpRequestOptions['qs'];
	if (!withKey) return await helpers.httpRequest(http);
	const context = withSignal(functions, signal);
	return await helpers.httpRequestWithAuthentication.call(context, CREDENTIAL, http);
}

/**
 * On a request with a key, n8n replaces our signal with the execution's own. A request that has
 * timed out would then stay open.
 */
const withSignal = (functions: HttpFunctions, signal: AbortSignal): HttpFunctions =>
	'getExecutionCancelSignal' in functions
		? (Object.create(functions, {
				getExecutionCancelSignal: { value: () => signal },
			}) as HttpFunctions)
		: functions;
