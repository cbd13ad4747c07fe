/** Converts failures into n8n's errors. */
import {
	NodeApiError,
	NodeOperationError,
	type INode,
	type NodeApiError as NodeApiErrorType,
} from 'n8n-workflow';

import { withoutControlCharacters } from '../api/controlCharacters';
import { InputError } from '../words/inputError';
import { ApiFailure, type FailureFacts } from '../api/failure';
import { askedToWaitMs, isThrottled, mayPass, responseStatus } from '../api/policy';
import { codeOf } from '../words/errorDetails';
import { explain } from '../words/explain';
import { clip, messageOf, withRequestId } from '../words/message';
import { panelFor } from '../words/panel';

type Failure = NonNullable<NodeApiErrorType['failure']>;

function causeOf(facts: FailureFacts): Failure {
	const retryAfterMs = askedToWaitMs(facts);
	if (isThrottled(facts)) return { cause: 'rate-limited', retryAfterMs };
	if (responseStatus(facts) === 401) return { cause: 'credential-invalid' };
	return mayPass(facts)
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
		const panel = panelFor(error);
		return apiError(node, {
			message: messageOf(facts, panel),
			description: withRequestId(explain(facts, panel).next, facts),
			httpCode: responseStatus(facts)?.toString() ?? codeOf(facts),
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
