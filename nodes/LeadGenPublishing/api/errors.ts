/** Converts failures into n8n errors, and into the details of an item on the error output. */
import {
	NodeApiError,
	NodeOperationError,
	type INode,
	type JsonObject,
	type NodeApiError as NodeApiErrorType,
} from 'n8n-workflow';

import { writeDescriptionOf } from './writeDescriptions';
import { explain } from './explain';
import { ApiFailure, InputError, type FailureFacts } from './failure';
import type { JsonRecord } from './schemas';

/** The message must be complete: it is all that an AI agent or an error workflow sees. */
export function messageOf(facts: FailureFacts): string {
	const { what, saysUnknown } = explain(facts);
	const serviceText = sentenceOf(facts.serviceMessage);
	const reason = facts.reason ? ` (${facts.reason})` : '';
	const wait =
		facts.retryAfterMs === undefined || facts.uncertain || !facts.retryable
			? ''
			: ` Retry after ${Math.ceil(facts.retryAfterMs / 1000)} s.`;
	const found = facts.found === undefined ? '' : ` ${facts.found}`;
	// Without this, an AI model would simply try again.
	const outcome =
		facts.uncertain && saysUnknown !== true
			? ` It is not known whether ${writeDescriptionOf(facts.endpoint)?.done ?? 'it was done'}.`
			: '';
	const { requestId } = facts;
	const id = requestId && !serviceText.includes(requestId) ? ` [${requestId}]` : '';
	return `${what}${reason}${serviceText === '' ? '.' : `: ${serviceText}`}${outcome}${found}${wait}${id}`;
}

/** The service's message with exactly one punctuation mark at its end. */
function sentenceOf(text = ''): string {
	const trimmed = text.trim().replace(/[\s.,;:]+$/, '');
	return trimmed === '' || /[!?]$/.test(trimmed) ? trimmed : `${trimmed}.`;
}

/** The `details` of an item on the error output. Our fields take precedence over the service's. */
export function detailsOf(error: unknown): JsonRecord {
	if (error instanceof InputError) {
		return {
			http_status: null,
			code: 'invalid_input',
			reason: null,
			request_id: null,
			retryable: false,
			next: error.remedy,
			...error.details,
		};
	}
	if (!(error instanceof ApiFailure)) return BY_N8N;
	const { facts } = error;
	return {
		...facts.serviceDetails,
		http_status: facts.status ?? null,
		code: facts.code ?? facts.kind,
		reason: facts.reason ?? null,
		request_id: facts.requestId ?? null,
		retryable: facts.retryable && (!facts.uncertain || facts.recognisable === true),
		...(facts.uncertain ? { outcome: 'unknown' } : {}),
		...(facts.uncertain && facts.idempotencyKey !== undefined
			? { idempotency_key: facts.idempotencyKey }
			: {}),
		...(facts.retryAfterMs === undefined
			? {}
			: { retry_after_seconds: Math.ceil(facts.retryAfterMs / 1000) }),
		...(facts.notBefore === undefined ? {} : { not_before: facts.notBefore }),
		next: explain(facts).next,
	};
}

/** An expression or a credential that n8n could not read, say: the service knows nothing of it. */
const BY_N8N = {
	http_status: null,
	code: 'n8n_error',
	reason: null,
	request_id: null,
	retryable: false,
};

type Failure = NonNullable<NodeApiErrorType['failure']>;

function causeOf(facts: FailureFacts): Failure {
	if (facts.status === 429 || facts.code === 'rate_limited')
		return { cause: 'rate-limited', retryAfterMs: facts.retryAfterMs };
	if (facts.status === 401) return { cause: 'credential-invalid' };
	if (facts.retryable)
		return { cause: 'temporarily-unavailable', retryAfterMs: facts.retryAfterMs };
	return { cause: 'configuration-invalid' };
}

export function toNodeError(
	node: INode,
	error: unknown,
	{ itemIndex }: { itemIndex?: number } = {},
): NodeApiError | NodeOperationError {
	if (error instanceof ApiFailure) {
		const { facts } = error;
		const message = messageOf(facts);
		const response: JsonObject = { message, code: facts.code ?? facts.kind };
		const nodeError = new NodeApiError(node, response, {
			message,
			description: explain(facts).next,
			httpCode: facts.status === undefined ? undefined : String(facts.status),
			itemIndex,
			failure: causeOf(facts),
		});
		// n8n replaces messages that contain a status text it knows; ours says more.
		nodeError.message = message;
		return nodeError;
	}
	if (error instanceof NodeApiError || error instanceof NodeOperationError) {
		error.context.itemIndex ??= itemIndex;
		return error;
	}
	if (error instanceof InputError) {
		return new NodeOperationError(node, error.message, { description: error.remedy, itemIndex });
	}
	return new NodeOperationError(node, error instanceof Error ? error : String(error), {
		itemIndex,
	});
}
