/** The `details` of an item on the error output. Our fields take precedence over the service's. */
import { InputError } from './inputError';
import { ApiFailure, type FailureFacts } from '../api/failure';
import { givenIn, without, type JsonRecord } from '../api/schemas';
import { askedToWaitMs, mayPass, reasonOf, responseStatus } from '../api/policy';
import { explain } from './explain';
import { leftFilesDetails } from './leftFiles';
import { panelFor } from './panel';

export function detailsOf(error: unknown): JsonRecord {
	if (error instanceof InputError)
		return { ...withoutResponse('invalid_input'), next: error.remedy, ...error.details };
	// For example, n8n could not read an expression or a credential. The service is not involved.
	if (!(error instanceof ApiFailure)) return withoutResponse('n8n_error');
	const { facts } = error;
	const { uncertain } = facts;
	const retryAfterMs = askedToWaitMs(facts);
	const ifKnown = givenIn({
		outcome: uncertain ? 'unknown' : undefined,
		idempotency_key: uncertain ? facts.idempotencyKey : undefined,
		retry_after_seconds: retryAfterMs && Math.ceil(retryAfterMs / 1000),
		not_before: facts.kind === 'heldBack' ? facts.notBefore : undefined,
	});
	const serviceDetails = (facts.kind === 'answered' && facts.serviceDetails) || {};
	return {
		// Only we may set `outcome`, because it says that the outcome is unknown.
		...without(serviceDetails, 'outcome'),
		...facts.details,
		...leftFilesDetails(facts.leftFiles),
		http_status: responseStatus(facts) ?? null,
		code: codeOf(facts),
		reason: reasonOf(facts) ?? null,
		request_id: facts.requestId ?? null,
		retryable: mayPass(facts) && (!uncertain || facts.recognisable === true),
		...ifKnown,
		next: explain(facts, panelFor(error)).next,
	};
}

/** The codes of failures that have none from the service. */
const CODE_OF_KIND: Readonly<Record<FailureFacts['kind'], string>> = {
	answered: 'answered',
	heldBack: 'rate_limited',
	notDeleted: 'not_deleted',
	outOfTime: 'timed_out',
	prevented: 'not_sent',
	redirected: 'redirected',
	unreachable: 'unreachable',
	unreadable: 'unreadable',
	unusableUrl: 'unusable_upload_url',
};

export const codeOf = (facts: FailureFacts): string =>
	('code' in facts ? facts.code : undefined) ?? CODE_OF_KIND[facts.kind];

const withoutResponse = (code: string): JsonRecord => ({
	http_status: null,
	code,
	reason: null,
	request_id: null,
	retryable: false,
});
