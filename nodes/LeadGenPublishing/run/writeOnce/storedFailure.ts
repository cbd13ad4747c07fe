/** Converts a failed attempt to a stored record and back, without storing any value twice. */
import type { FailureFacts } from '../../api/failure';
import { isRecord, type JsonRecord } from '../../api/schemas';
import type { FailedAttempt } from './entries';

/** Stored if the reported key is that of the request. */
const SAME_KEY = true;

interface StoredFailure extends FailedAttempt {
	readonly requestId?: string;
	/** The idempotency key that was reported to the user. */
	readonly reported?: typeof SAME_KEY | string;
}

export function recordOf({ facts, request, ...attempt }: FailedAttempt): JsonRecord {
	const { idempotencyKey, requestId, ...others } = facts;
	const isSame = idempotencyKey !== undefined && idempotencyKey === request?.key;
	const reported = isSame ? SAME_KEY : idempotencyKey;
	// Values that differ between items come first: identical values at the end take no space.
	return { request, requestId, reported, ...attempt, facts: others };
}

/** Only records made by `recordOf` are stored. */
export function failureFrom(record: JsonRecord): FailedAttempt {
	const { reported, requestId, ...attempt } = record as unknown as StoredFailure;
	const idempotencyKey = reported === SAME_KEY ? attempt.request?.key : reported;
	return { ...attempt, facts: { ...attempt.facts, requestId, idempotencyKey } };
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
