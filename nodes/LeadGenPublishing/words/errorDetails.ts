/** The `details` of an item on the error output. Our fields take precedence over the service's. */
import { ApiFailure, InputError, type FailureFacts } from '../api/failure';
import { givenIn, without, type JsonRecord } from '../api/schemas';
import { explain } from './explain';
import { leftFilesDetails } from './leftFiles';

export function detailsOf(error: unknown): JsonRecord {
	if (error instanceof InputError)
		return { ...withoutResponse('invalid_input'), next: error.remedy, ...error.details };
	// For example, n8n could not read an expression or a credential. The service is not involved.
	if (!(error instanceof ApiFailure)) return withoutResponse('n8n_error');
	const { facts } = error;
	const { uncertain, retryAfterMs } = facts;
	const ifKnown = givenIn({
		outcome: uncertain ? 'unknown' : undefined,
		idempotency_key: uncertain ? facts.idempotencyKey : undefined,
		retry_after_seconds: retryAfterMs && Math.ceil(retryAfterMs / 1000),
		not_before: facts.notBefore,
	});
	return {
		// Only we may set `outcome`, because it says that the outcome is unknown.
		...without(facts.serviceDetails ?? {}, 'outcome'),
		...leftFilesDetails(facts.leftFiles),
		http_status: facts.status ?? null,
		code: codeOf(facts),
		reason: facts.reason ?? null,
		request_id: facts.requestId ?? null,
		retryable: facts.retryable && (!uncertain || facts.recognisable === true),
		...ifKnown,
		next: explain(facts).next,
	};
}

export const codeOf = ({ code, kind }: FailureFacts): string => code ?? kind;

const withoutResponse = (code: string): JsonRecord => ({
	http_status: null,
	code,
	reason: null,
	request_id: null,
	retryable: false,
});
