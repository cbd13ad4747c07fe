// The HTTP Request node as an able user sets it up for this service: the largest page that the
// document allows, the end told by `has_more`, the answer known to be JSON.

const AUTHENTICATION = {
	authentication: 'genericCredentialType',
	genericAuthType: 'httpBearerAuth',
};
const JSON_ANSWER = { response: { response: { responseFormat: 'json' } } };
const PAGE = 100;

/** Every page of a list, one after another: n8n's pagination knows no other way. */
export const everyPage = (url: string): Record<string, unknown> => ({
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
});

/** One request per item. */
export const readOne = (
	url: string,
	batch?: { size: number; interval: number },
): Record<string, unknown> => ({
	...AUTHENTICATION,
	method: 'GET',
	url,
	options: { ...JSON_ANSWER, ...batching(batch) },
});

export const createOne = (
	url: string,
	jsonBody: string,
	batch?: { size: number; interval: number },
): Record<string, unknown> => ({
	...AUTHENTICATION,
	method: 'POST',
	url,
	sendBody: true,
	contentType: 'json',
	specifyBody: 'json',
	jsonBody,
	options: { ...JSON_ANSWER, ...batching(batch) },
});

/** The file in the item's field "data", as it is, to an address that needs no key of ours. */
export const putFile = (url: string): Record<string, unknown> => ({
	authentication: 'none',
	method: 'PUT',
	url,
	sendBody: true,
	contentType: 'binaryData',
	inputDataFieldName: 'data',
	options: {},
});

const batching = (batch?: { size: number; interval: number }): Record<string, unknown> =>
	batch === undefined
		? {}
		: { batching: { batch: { batchSize: batch.size, batchInterval: batch.interval } } };
