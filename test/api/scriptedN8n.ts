/** n8n's functions as a client needs them, where a script stands for the service. */
import type { IHttpRequestOptions } from 'n8n-workflow';

import type { HttpFunctions } from '../../nodes/LeadGenPublishing/api/transport';

export interface Answer {
	readonly statusCode: number;
	readonly body?: unknown;
	readonly headers?: object;
}

export interface Script {
	/** A list search has none, nor an execution. */
	readonly context?: Partial<Record<string, object>>;
	readonly executionId?: string;
	readonly apiKey?: string;
	readonly baseUrl: string;
	readonly answer: (http: IHttpRequestOptions) => Answer | Promise<Answer>;
}

export function scriptedN8n({
	context,
	executionId,
	apiKey = 'acme_live_1',
	baseUrl,
	answer,
}: Script) {
	const sent: IHttpRequestOptions[] = [];
	const functions = {
		getCredentials: async () => await Promise.resolve({ baseUrl, apiKey }),
		...(context === undefined ? {} : { getContext: (type: string) => context[type] ?? {} }),
		...(executionId === undefined ? {} : { getExecutionId: () => executionId }),
		helpers: {
			httpRequestWithAuthentication: async (_: string, http: IHttpRequestOptions) => {
				sent.push(http);
				return { headers: {}, body: '', ...(await answer(http)) };
			},
		},
	};
	return { functions: functions as unknown as HttpFunctions, sent };
}
