/** Converts a failed attempt to a stored record and back, without storing any value twice. */
import type { FailureFacts } from '../../api/failure';
import { isRecord, type JsonRecord } from '../../api/schemas';
import type { FailedAttempt } from './entries';

/** Stored if the reported key is that of the request. */
const SAME_KEY = true;

export function recordOf({ facts, request, ...attempt }: FailedAttempt): JsonRecord {
	const { idempotencyKey, requestId, ...others } = facts;
	const isSame = idempotencyKey !== undefined && idempotencyKey === request?.key;
	// Values that differ between items come first: identical values at the end take no space.
	return {
		...(request === undefined ? {} : { request }),
		...(requestId === undefined ? {} : { requestId }),
		...(idempotencyKey === undefined ? {} : { reported: isSame ? SAME_KEY : idempotencyKey }),
		...attempt,
		facts: others,
	};
}

export function failureFrom({ reported, requestId, ...record }: JsonRecord): FailedAttempt {
	// Only records made by `recordOf` are stored.
	const attempt = record as unknown as FailedAttempt;
	const key = reported === SAME_KEY ? attempt.request?.key : reported;
	const facts: FailureFacts = {
		...attempt.facts,
		...(typeof requestId === 'string' ? { requestId } : {}),
		...(typeof key === 'string' ? { idempotencyKey: key } : {}),
	};
	return { ...attempt, facts };
}

const MAX_TEXT_LENGTH = 300;
const MAX_VALUE_LENGTH = 40;

/** Keeps only short values of the service's details, and truncates its message. */
export function shortened(attempt: FailedAttempt): FailedAttempt {
	const { serviceDetails, serviceMessage, found, ...facts } = attempt.facts;
	const kept: FailureFacts = {
		...facts,
		...(serviceMessage === undefined ? {} : { serviceMessage: truncate(serviceMessage) }),
		...(isRecord(serviceDetails) ? { serviceDetails: shortValues(serviceDetails) } : {}),
	};
	return { ...attempt, facts: kept };
}

const truncate = (text: string): string =>
	text.length <= MAX_TEXT_LENGTH ? text : `${text.slice(0, MAX_TEXT_LENGTH)}…`;

const shortValues = (details: JsonRecord): JsonRecord => ({
	...Object.fromEntries(
		Object.entries(details).filter(
			([, value]) =>
				typeof value === 'boolean' ||
				(typeof value === 'string' && value.length <= MAX_VALUE_LENGTH),
		),
	),
	shortened: true,
});
