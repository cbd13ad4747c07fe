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
	{ body, batches, method = 'POST' }: { body?: string; batches?: Batches; method?: string } = {},
): Step {
	const sending = { sendBody: true, contentType: 'json', specifyBody: 'json', jsonBody: body };
	const batch = { batchSize: batches?.size, batchInterval: batches?.interval };
	return httpRequest(
		'Request',
		{ method: body === undefined ? 'GET' : method, url, ...(body !== undefined && sending) },
		batches ? { batching: { batch } } : {},
	);
}

/**
 * The rows of a sheet against the posts of an account: Get Many, Merge by the notes, If the text differs,
 * and an update of each of those. `wanted` is the text of a row.
 */
export const updateWhereDifferent = (url: string): Step[] => [
	{ ...everyPage(url), once: true },
	{
		name: 'Each',
		node: 'SplitOut',
		parameters: { fieldToSplitOut: 'data' },
		to: [['Merge#1']],
	},
	{
		name: 'Merge',
		node: 'Merge',
		parameters: {
			mode: 'combine',
			combineBy: 'combineByFields',
			fieldsToMatchString: 'notes',
			joinMode: 'keepMatches',
			options: {},
		},
	},
	{
		name: 'If',
		node: 'If',
		parameters: {
			conditions: {
				options: { caseSensitive: true, leftValue: '', typeValidation: 'strict', version: 2 },
				conditions: [
					{
						id: 'differs',
						leftValue: '={{ $json.wanted }}',
						rightValue: '={{ $json.text }}',
						operator: { type: 'string', operation: 'notEquals' },
					},
				],
				combinator: 'and',
			},
			options: {},
		},
		to: [['Loop']],
	},
	...looped(
		request(`=${url}/{{ $json.id }}`, {
			method: 'PATCH',
			body: '={{ JSON.stringify({ text: $json.wanted }) }}',
		}),
		1,
	),
];

/** Loop Over Items around a step: each round waits for the one before. */
export const looped = (step: Step, batchSize: number): Step[] => [
	{
		...{ name: 'Loop', node: 'SplitInBatches', parameters: { batchSize, options: {} } },
		to: [[], [step.name]],
	},
	{ ...step, to: [['Loop']] },
];
