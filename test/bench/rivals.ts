// What one would use instead of this package: n8n's HTTP Request node as an able user sets it up (the
// largest page, the end told by `has_more`, the answer known to be JSON).

import type { Step } from './nodes';

const PAGE = 100;

interface Batches {
	size: number;
	interval: number;
}

const httpRequest = (name: string, parameters: object, options: object): Step => ({
	...{ name, node: 'HttpRequest' },
	parameters: {
		...{ authentication: 'genericCredentialType', genericAuthType: 'httpBearerAuth' },
		...parameters,
		options: { response: { response: { responseFormat: 'json' } }, ...options },
	},
});

/** Every page of a list, one after another: n8n's pagination knows no other way. */
export function everyPage(url: string): Step {
	const offset = { type: 'qs', name: 'offset', value: `={{ $pageCount * ${PAGE} }}` };
	const pagination = {
		...{ paginationMode: 'updateAParameterInEachRequest', parameters: { parameters: [offset] } },
		paginationCompleteWhen: 'other',
		completeExpression: '={{ !$response.body.pagination.has_more }}',
		...{ limitPagesFetched: false, requestInterval: 0 },
	};
	const query = { parameters: [{ name: 'limit', value: String(PAGE) }] };
	return httpRequest(
		'Read',
		{ method: 'GET', url, sendQuery: true, queryParameters: query },
		{ pagination: { pagination } },
	);
}

/** One request for each item; `body` is an expression. */
export function request(
	url: string,
	{ body, batches }: { body?: string; batches?: Batches } = {},
): Step {
	const sending = { sendBody: true, contentType: 'json', specifyBody: 'json', jsonBody: body };
	const batch = { batchSize: batches?.size, batchInterval: batches?.interval };
	return httpRequest(
		'Request',
		{ method: body === undefined ? 'GET' : 'POST', url, ...(body !== undefined && sending) },
		batches ? { batching: { batch } } : {},
	);
}

/** Loop Over Items around a step: each round waits for the one before. */
export const looped = (step: Step, batchSize: number): Step[] => [
	{
		...{ name: 'Loop', node: 'SplitInBatches', parameters: { batchSize, options: {} } },
		to: [[], [step.name]],
	},
	{ ...step, to: [['Loop']] },
];
