// What one would use instead of this package: n8n's HTTP Request node as an able user sets it up (the
// largest page, the end told by `has_more`, the answer known to be JSON).

import type { Step } from './nodes';

const PAGE = 100;
const AUTHENTICATION = {
	authentication: 'genericCredentialType',
	genericAuthType: 'httpBearerAuth',
};
const JSON_ANSWER = { response: { response: { responseFormat: 'json' } } };

interface Batches {
	size: number;
	interval: number;
}

/** Every page of a list, one after another: n8n's pagination knows no other way. */
export const everyPage = (url: string): Step => ({
	name: 'Read',
	node: 'HttpRequest',
	parameters: {
		...AUTHENTICATION,
		method: 'GET',
		url,
		sendQuery: true,
		queryParameters: { parameters: [{ name: 'limit', value: String(PAGE) }] },
		options: {
			...JSON_ANSWER,
			pagination: {
				pagination: {
					paginationMode: 'updateAParameterInEachRequest',
					parameters: {
						parameters: [{ type: 'qs', name: 'offset', value: `={{ $pageCount * ${PAGE} }}` }],
					},
					paginationCompleteWhen: 'other',
					completeExpression: '={{ !$response.body.pagination.has_more }}',
					limitPagesFetched: false,
					requestInterval: 0,
				},
			},
		},
	},
});

/** One request for each item; `body` is an expression. */
export const request = (url: string, more: { body?: string; batches?: Batches } = {}): Step => {
	const { body, batches } = more;
	const sending = { sendBody: true, contentType: 'json', specifyBody: 'json', jsonBody: body };
	const batching = { batch: { batchSize: batches?.size, batchInterval: batches?.interval } };
	return {
		name: 'Request',
		node: 'HttpRequest',
		parameters: {
			...AUTHENTICATION,
			...{ method: body === undefined ? 'GET' : 'POST', url },
			...(body === undefined ? {} : sending),
			options: { ...JSON_ANSWER, ...(batches && { batching }) },
		},
	};
};

/** Loop Over Items around a step: each round waits for the one before. */
export const looped = (step: Step, batchSize: number): Step[] => [
	{
		name: 'Loop',
		node: 'SplitInBatches',
		parameters: { batchSize, options: {} },
		to: [[], [step.name]],
	},
	{ ...step, to: [['Loop']] },
];
