/**
 * The state of an item after an attempt that failed, and the error for the user. Pure.
 *
 * | the attempt ended with              | an earlier one is open | state           | error                 |
 * | ----------------------------------- | ---------------------- | --------------- | --------------------- |
 * | "was not sent again"                | yes                    | as before       | the same              |
 * | done, but may be done again         | –                      | doneWithError   | the same              |
 * | bad input                           | no                     | as before       | the same              |
 * | bad input                           | yes                    | as before       | still unknown         |
 * | an interruption, nothing sent       | –                      | as before       | the same              |
 * | an interruption after sending       | no                     | unknown         | the same              |
 * | an interruption after sending       | yes                    | as before       | the same              |
 * | an unknown outcome                  | –                      | unknown         | the same              |
 * | an unknown outcome, only checked    | yes, without a key     | unknown         | "was not sent again"  |
 * | a final rejection                   | yes                    | unknown, final  | still unknown         |
 * | another certain failure             | yes                    | as before       | still unknown         |
 * | a final rejection                   | no                     | refused         | the same              |
 * | another certain failure             | no                     | notDone if sent | the same              |
 */
import { notSentAgain } from '../../words/notSentAgain';
import { DoneError, InputError, OpenWriteError } from '../../words/inputError';
import { ApiFailure, requestIdOf, type FailureFacts } from '../../api/failure';
import type { Found } from '../../api/found';
import { keepsItsKey, nextAttemptAfter, reasonOf, responseStatus } from '../../api/policy';
import type { JsonRecord } from '../../api/schemas';
import type { SentRequest } from '../../item/itemCall';
import type { ItemState, NotDone, Unknown } from './itemState';

export interface FailedAttempt {
	readonly error: unknown;
	/** The state in which the attempt began, if it had to know of it. */
	readonly before: NotDone | Unknown | undefined;
	/** Whether reads have shown the outcome of the earlier attempt. */
	readonly isSettled: boolean;
	/** The last write that was sent. */
	readonly sent: SentRequest | undefined;
	/** How often the item was finally rejected. */
	readonly refusals: number;
	readonly execution: string;
	/** A hash of the parameters that decide what is sent, and for whom. */
	readonly parameters: string;
	readonly clientId: string | undefined;
}

export interface AfterFailure {
	/** Undefined if the state stays as it was. */
	readonly state?: Exclude<ItemState, { kind: 'untouched' | 'done' }>;
	/** For the user. */
	readonly error: unknown;
}

export function afterFailure(failed: FailedAttempt): AfterFailure {
	const { error, before, isSettled } = failed;
	const open = before?.kind === 'unknown' && !isSettled ? before : undefined;
	if (error instanceof OpenWriteError) return { error };
	if (error instanceof DoneError) {
		const { message: problem, remedy, details } = error;
		return { state: { kind: 'doneWithError', problem, remedy, details }, error };
	}
	if (error instanceof InputError)
		return { error: open === undefined ? error : notRepeated(open, error) };
	if (!(error instanceof ApiFailure)) return afterInterruption(failed, open);
	const { facts } = error;
	if (facts.uncertain) return afterUnknownOutcome(error, failed, open);
	// A read has shown that no attempt had an effect.
	if (open !== undefined && facts.notCarriedOut !== true)
		return afterFailureOfOpen(error, failed, open);
	return afterCertainFailure(error, failed);
}

function afterInterruption(failed: FailedAttempt, open: Unknown | undefined): AfterFailure {
	const { error, sent } = failed;
	if (sent === undefined || open !== undefined) return { error };
	return { state: unknown(failed, { request: sent, facts: interrupted(sent, error) }), error };
}

function afterUnknownOutcome(
	error: ApiFailure,
	failed: FailedAttempt,
	open: Unknown | undefined,
): AfterFailure {
	const { facts } = error;
	const request = failed.sent ?? failed.before?.request;
	if (request === undefined) return { error };
	// Nothing was sent, so the items after it run nevertheless.
	const wasOnlyChecked =
		open !== undefined && open.request.key === undefined && failed.sent === undefined;
	return {
		state: unknown(failed, { request, facts }),
		error: wasOnlyChecked ? notSentAgain(facts) : error,
	};
}

/** This attempt certainly failed, but the outcome of an earlier one remains unknown. */
function afterFailureOfOpen(
	{ facts }: ApiFailure,
	{ execution }: FailedAttempt,
	open: Unknown,
): AfterFailure {
	const error = stillUnknown(
		{
			...facts,
			idempotencyKey: open.facts.idempotencyKey,
		},
		{ kind: 'earlierAttempt', ended: nameOf(open.facts) },
	);
	if (nextAttemptAfter(facts) !== 'never') return { state: open, error };
	return { state: { ...open, execution, facts: kept(error.facts), next: 'never' }, error };
}

function afterCertainFailure(error: ApiFailure, failed: FailedAttempt): AfterFailure {
	const { facts } = error;
	const { execution, before, sent } = failed;
	if (nextAttemptAfter(facts) === 'never') {
		const needsNewKey = facts.idempotencyKey !== undefined && !keepsItsKey(facts);
		const refusals = failed.refusals + (needsNewKey ? 1 : 0);
		return { state: { kind: 'refused', execution, facts: kept(facts), refusals }, error };
	}
	const request = sent ?? before?.request;
	if (request === undefined) return { error };
	const { refusals } = failed;
	return { state: { kind: 'notDone', execution, request, refusals }, error };
}

function unknown(
	{ execution, clientId, refusals, sent, before, parameters }: FailedAttempt,
	{ request, facts }: { request: SentRequest; facts: FailureFacts },
): Unknown {
	const isOfBefore = sent === undefined && before?.kind === 'unknown';
	return {
		kind: 'unknown',
		execution,
		request,
		facts: kept(facts),
		next: nextAttemptAfter(facts),
		parameters: isOfBefore ? before.parameters : parameters,
		clientId,
		refusals,
	};
}

const MAX_KEPT_TEXT = 300;
const MAX_KEPT_DETAILS = 1_000;

/** What a later attempt needs to know of a failure. It is shortened, so that a row stays small. */
function kept(given: FailureFacts): FailureFacts {
	const facts = { ...given, details: ifSmall(given.details) };
	if (facts.kind !== 'answered' && facts.kind !== 'unreadable') return facts;
	const short = { ...facts, serviceMessage: facts.serviceMessage?.slice(0, MAX_KEPT_TEXT) };
	return short.kind === 'answered'
		? { ...short, serviceDetails: ifSmall(short.serviceDetails) }
		: short;
}

const ifSmall = (details: JsonRecord | undefined): JsonRecord | undefined =>
	details !== undefined && JSON.stringify(details).length <= MAX_KEPT_DETAILS ? details : undefined;

const MAX_CAUSE = 150;

/** Cancelled or crashed after the request was sent. */
const interrupted = ({ name, key }: SentRequest, error: unknown): FailureFacts => ({
	kind: 'unreachable',
	endpoint: name,
	agency: false,
	// The next attempt shows this one's error as the cause.
	seen: `the attempt was interrupted: ${error instanceof Error ? error.message.slice(0, MAX_CAUSE) : 'unknown error'}`,
	requestId: requestIdOf(error),
	attempts: 1,
	uncertain: true,
	idempotencyKey: key,
});

/** The request could not be repeated, so the outcome of the earlier attempt remains unknown. */
const notRepeated = ({ facts }: Unknown, { problem }: InputError): ApiFailure =>
	stillUnknown(facts, { kind: 'notRepeated', problem });

const stillUnknown = (facts: FailureFacts, found: Found): ApiFailure =>
	new ApiFailure({ ...facts, uncertain: true, found: [...(facts.found ?? []), found] });

function nameOf(facts: FailureFacts): string {
	const status = responseStatus(facts);
	return [status === undefined ? facts.kind : `HTTP ${status}`, reasonOf(facts)]
		.filter(Boolean)
		.join(', ');
}
