/** A failed attempt as a record and back. What is there twice is stored once. */
import type { FailureFacts } from '../../api/failure';
import { isRecord, type JsonRecord } from '../../api/schemas';
import type { FailedAttempt } from './ledger';

/** Stands for the key of the request itself. */
const SAME_KEY = true;

export function recordOf({ facts, request, ...attempt }: FailedAttempt): JsonRecord {
	const { idempotencyKey, requestId, ...others } = facts;
	const isSame = idempotencyKey !== undefined && idempotencyKey === request?.key;
	// What is another one for each item stands first: what is the same behind it takes no space.
	return {
		...(request === undefined ? {} : { request }),
		...(requestId === undefined ? {} : { requestId }),
		...(idempotencyKey === undefined ? {} : { reported: isSame ? SAME_KEY : idempotencyKey }),
		...attempt,
		facts: others,
	};
}

export function failureFrom({ reported, requestId, ...record }: JsonRecord): FailedAttempt {
	// Nothing but what `recordOf` has made is stored.
	const attempt = record as unknown as FailedAttempt;
	const key = reported === SAME_KEY ? attempt.request?.key : reported;
	const facts: FailureFacts = {
		...attempt.facts,
		...(typeof requestId === 'string' ? { requestId } : {}),
		...(typeof key === 'string' ? { idempotencyKey: key } : {}),
	};
	return { ...attempt, facts };
}

const LONGEST_TEXT = 300;
const LONGEST_VALUE = 40;

/** Without the service's details but for short values, and with sentences cut short. */
export function shortened(attempt: FailedAttempt): FailedAttempt {
	const { serviceDetails, serviceMessage, found, ...facts } = attempt.facts;
	const kept: FailureFacts = {
		...facts,
		...(serviceMessage === undefined ? {} : { serviceMessage: cut(serviceMessage) }),
		...(isRecord(serviceDetails) ? { serviceDetails: shortDetails(serviceDetails) } : {}),
	};
	return { ...attempt, facts: kept };
}

const cut = (text: string): string =>
	text.length <= LONGEST_TEXT ? text : `${text.slice(0, LONGEST_TEXT)}…`;

const shortDetails = (details: JsonRecord): JsonRecord => ({
	...Object.fromEntries(
		Object.entries(details).filter(
			([, value]) =>
				typeof value === 'boolean' || (typeof value === 'string' && value.length <= LONGEST_VALUE),
		),
	),
	shortened: true,
});
