/** A client whose service is played by a script, and whose time passes only where it waits. */
import type { IHttpRequestOptions } from 'n8n-workflow';

import { Client, type ClientSettings } from '../../nodes/LeadGenPublishing/api/client';
import { ApiFailure } from '../../nodes/LeadGenPublishing/api/failure';
import { hostOf, type HttpFunctions } from '../../nodes/LeadGenPublishing/n8n/host';
import { asReceived, lost, ok, type Reply } from '../support/replies';
import { fieldsOf, type ReturnedFacts } from '../support/facts';

/** What n8n's helper gives, where a test says it to the letter. */
interface Received {
	readonly statusCode: number;
	readonly body?: unknown;
	readonly headers?: object;
}
type Answering = (http: IHttpRequestOptions) => Reply | Received | Promise<Reply | Received>;

export interface Script {
	/** What comes in turn, the last one again and again; or a service that looks at the request. */
	readonly answers?: ReadonlyArray<Reply | Received | Error> | Answering;
	readonly credential?: Record<string, unknown>;
	/** A list search has none, nor an execution. */
	readonly context?: Partial<Record<string, object>>;
	readonly executionId?: string;
	readonly settings?: ClientSettings;
	/** How long each request takes. */
	readonly takesMs?: number;
}

export type Asking = (client: Client) => Promise<unknown>;
/** With the key, and without it. */
export const read: Asking = async (client) => await client.call('account.getSubject');
export const readInfo: Asking = async (client) => await client.call('account.getApiInfo');
export const write: Asking = async (client) => await client.call('post.create', { body: {} });

/** No answer, until nobody waits for it any more: as with n8n, that ends the request. */
export const untilItEnds = async ({ abortSignal }: IHttpRequestOptions): Promise<never> =>
	await new Promise((_, reject) => {
		(abortSignal as AbortSignal).addEventListener('abort', () => reject(lost('ERR_CANCELED')));
	});

interface Sent extends IHttpRequestOptions {
	readonly withKey: boolean;
}

export async function scriptedClient({
	answers = [ok()],
	credential = {},
	context,
	executionId,
	settings = {},
	takesMs = 0,
}: Script = {}) {
	const sent: Sent[] = [];
	const waits: number[] = [];
	let now = 1_000;
	const answer = async (http: IHttpRequestOptions): Promise<unknown> => {
		now += takesMs;
		if (typeof answers === 'function') return await answers(http);
		const next = answers[Math.min(sent.length, answers.length) - 1];
		if (next instanceof Error) throw next;
		return next;
	};
	const helper = async (http: IHttpRequestOptions, withKey: boolean): Promise<unknown> => {
		sent.push({ ...http, withKey });
		const given = (await answer(http)) as object;
		const isReply = 'body' in given && !('statusCode' in given);
		return { headers: {}, body: '', ...(isReply ? asReceived(given) : given) };
	};
	const functions = {
		getCredentials: async () =>
			await Promise.resolve({
				...{ baseUrl: 'https://api.example.com/v1', apiKey: 'acme_live_1' },
				...credential,
			}),
		getExecutionCancelSignal: () => settings.signal,
		...(context === undefined ? {} : { getContext: (type: string) => context[type] ?? {} }),
		...(executionId === undefined ? {} : { getExecutionId: () => executionId }),
		helpers: {
			async httpRequestWithAuthentication(
				this: HttpFunctions,
				credentialType: string,
				http: IHttpRequestOptions,
			) {
				expect([credentialType, Object.getPrototypeOf(this)]).toEqual([
					...['leadGenPublishingApi', functions],
				]);
				// As n8n does.
				return await helper({ ...http, abortSignal: this.getExecutionCancelSignal?.() }, true);
			},
			httpRequest: async (http: IHttpRequestOptions) => await helper(http, false),
		},
	};
	const client = await Client.connect(hostOf(functions as unknown as HttpFunctions), {
		...{ now: () => now, random: () => 0 },
		wait: async (ms) => {
			waits.push(ms);
			now += ms;
			await Promise.resolve();
		},
		...settings,
	});
	return { client, sent, waits, clock: () => now };
}

/** The facts of a failure; all else that is thrown fails the test. */
export async function factsOf(called: Promise<unknown>): Promise<ReturnedFacts> {
	const outcome = await called.then(
		() => new Error('It did not fail'),
		(error: unknown) => error,
	);
	if (!(outcome instanceof ApiFailure)) throw outcome;
	return fieldsOf(outcome.facts);
}
