/** Classifies failures of lists: their kind and cause, and whether they may pass. */
import { ApiFailure, type FailureFacts } from '../api/failure';
import { canonical } from '../api/identifiers';
import {
	askedToWaitMs,
	isKeyRefused,
	isPlaceOutOfReach,
	isThrottled,
	mayPass,
} from '../api/policy';
import type { JsonRecord } from '../api/schemas';
import { digestOf } from '../feed/list/hash';
import type { ClassifiedFailure } from '../feed/reports/listFailure';
import { codeOf } from '../words/errorDetails';
import { messageOf } from '../words/message';

export function classify(error: unknown): ClassifiedFailure {
	if (!(error instanceof ApiFailure)) {
		const message = error instanceof Error ? error.message : String(error);
		return { kind: 'failed', message, cause: 'node', lasting: true };
	}
	const { facts } = error;
	return {
		kind: isThrottled(facts) ? RATE_LIMITED : codeOf(facts),
		message: messageOf(withoutWait(facts)),
		cause: causeOf(facts),
		retryAfterMs: askedToWaitMs(facts),
		lasting: !mayPass(facts),
	};
}

/** The trigger itself waits, and says how long. */
function withoutWait(facts: FailureFacts): FailureFacts {
	const quiet = { ...facts };
	if ('retryAfterMs' in quiet && quiet.kind !== 'heldBack') delete quiet.retryAfterMs;
	return quiet;
}

const RATE_LIMITED = 'rate-limited';

/** Status, code, reason and route, as a short name. The text may differ each time. */
function causeOf(facts: FailureFacts): string {
	const { kind, status, code, reason, problem, endpoint, agency }: JsonRecord = { ...facts };
	return digestOf(canonical([status ?? kind, code, reason, problem, endpoint, agency]), 6);
}

/** @doubt offsetDepth */
export const refusesOffset = (error: unknown): boolean =>
	error instanceof ApiFailure && isPlaceOutOfReach(error.facts);

/**
 * Whether the next request will fail, too: a wrong key or URL, a missing grant, a request that n8n
 * blocks.
 */
export const isRefusal = (error: unknown): boolean =>
	error instanceof ApiFailure && !mayPass(error.facts);

/** Whether the service itself says that this key may not read the list. */
export const isCertain = (error: unknown): boolean =>
	error instanceof ApiFailure && isKeyRefused(error.facts);
