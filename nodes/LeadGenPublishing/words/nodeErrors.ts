/** Converts failures into n8n's errors. */
import {
	NodeApiError,
	NodeOperationError,
	type INode,
	type NodeApiError as NodeApiErrorType,
} from 'n8n-workflow';

import { withoutControlCharacters } from '../api/controlCharacters';
import { ApiFailure, InputError, type FailureFacts } from '../api/failure';
import { isThrottled } from '../api/policy';
import { codeOf } from './errorDetails';
import { explain } from './explain';
import { clip, messageOf } from './message';

/** Adds the request ID, because the support of the service may ask for it. */
export const withRequestId = (
	next: string,
	{ requestId, serviceMessage = '' }: FailureFacts,
): string =>
	requestId === undefined || serviceMessage.includes(requestId)
		? next
		: `${next} Request ID: ${requestId}.`;

type Failure = NonNullable<NodeApiErrorType['failure']>;

function causeOf(facts: FailureFacts): Failure {
	const { status, retryable, retryAfterMs } = facts;
	if (isThrottled(facts)) return { cause: 'rate-limited', retryAfterMs };
	if (status === 401) return { cause: 'credential-invalid' };
	return retryable
		? { cause: 'temporarily-unavailable', retryAfterMs }
		: { cause: 'configuration-invalid' };
}

/** Sets the message again, because n8n replaces messages that contain a known status text. */
export function apiError(
	node: INode,
	options: { message: string } & NonNullable<ConstructorParameters<typeof NodeApiError>[2]>,
): NodeApiErrorType {
	const message = withoutControlCharacters(options.message);
	const error = new NodeApiError(node, { message }, options);
	error.message = message;
	return error;
}

export function toNodeError(
	node: INode,
	error: unknown,
	{ itemIndex }: { itemIndex?: number } = {},
): NodeApiError | NodeOperationError {
	if (error instanceof ApiFailure) {
		const { facts } = error;
		return apiError(node, {
			message: messageOf(facts),
			description: withRequestId(explain(facts).next, facts),
			httpCode: facts.status?.toString() ?? codeOf(facts),
			itemIndex,
			failure: causeOf(facts),
		});
	}
	if (error instanceof NodeApiError || error instanceof NodeOperationError) {
		error.context.itemIndex ??= itemIndex;
		return error;
	}
	if (error instanceof InputError) {
		return new NodeOperationError(node, clip(error.message), {
			description: error.remedy,
			itemIndex,
		});
	}
	const given = error instanceof Error ? error : new Error(String(error));
	return new NodeOperationError(node, given, { message: clip(given.message), itemIndex });
}
