/**
 * What a failure means, and what may be done next. Every decision about a failure is made here,
 * from kinds, codes and numbers alone. Other code asks a question by its name. The sentences for
 * people are in `words/`, and no code reads them. Pure.
 */
import { isWrite } from './endpoints';
import type { Answered, ApiFailure, Failed, FailedRequest, FailureFacts, Cause } from './failure';
import {
	CLASSES,
	classOfCode,
	knownReason,
	policyOfReason,
	type FailureClass,
	type KnownReason,
	type NextAttempt,
} from './policyTables';
import { isDamaged } from './problems';

/** What one attempt shows, and of which request. A request without an endpoint downloads a file. */
type Seen = Cause & Partial<Pick<FailedRequest, 'endpoint' | 'idempotencyKey'>>;

/** The meaning of a status alone. */
export function classOfStatus(status: number): FailureClass {
	if (status === 429) return 'throttled';
	if (status === 501) return 'refused';
	if (status >= 500 || status === 408) return 'transient';
	// A server answers "See other" after it has completed a POST.
	if (status < 300 || status === 303) return 'uncertain';
	return 'refused';
}

export function classOf(seen: Seen): FailureClass {
	switch (seen.kind) {
		case 'prevented':
			return 'prevented';
		case 'heldBack':
			return 'throttled';
		case 'outOfTime':
			return 'neverSent';
		case 'unreachable':
			if (seen.neverSent === true) return 'neverSent';
			return seen.problem === 'tooLarge' ? 'uncertain' : 'transient';
		case 'unusableUrl':
			return 'refused';
		case 'notDeleted':
			return 'uncertain';
		case 'redirected':
			return classOfStatus(seen.status);
		case 'answered':
		case 'unreadable':
			return classOfResponse(seen);
	}
}

function classOfResponse(seen: Seen & { kind: 'answered' | 'unreadable' }): FailureClass {
	const ofCode = classOfCode(seen.code);
	if (ofCode === 'throttled') return 'throttled';
	const ofReason = policyOfReason(reasonOf(seen)).class;
	const ofStatus = classOfStatus(seen.status);
	// The service itself does not know what it did. The status says whether to ask again.
	if (ofReason === 'uncertain') return ofStatus === 'transient' ? 'transient' : 'uncertain';
	if (ofReason === 'throttled') return 'throttled';
	// The other reasons are about changes.
	if (ofReason !== undefined && changesSomething(seen)) return ofReason;
	if (ofCode !== undefined) return ofCode;
	if (isReasonLost(seen)) return 'uncertain';
	return ofStatus === 'uncertain' && isDamaged(seen.problem) ? 'transient' : ofStatus;
}

/** The service's reason, if it gave one. */
export const reasonOf = (seen: Cause): string | undefined =>
	seen.kind === 'answered' ? seen.reason : undefined;

/** The status of the response, if one came. */
export const responseStatus = (seen: Cause): number | undefined =>
	'status' in seen ? seen.status : undefined;

/** How long the response asked to wait, if it did. */
export const askedToWaitMs = (seen: Cause): number | undefined =>
	'retryAfterMs' in seen ? seen.retryAfterMs : undefined;

/**
 * After a 409, a keyed write may have been accepted. Its reason would say so, but this body is
 * unreadable.
 */
const isReasonLost = (seen: Seen): boolean =>
	seen.idempotencyKey !== undefined &&
	(seen.kind === 'answered' || seen.kind === 'unreadable') &&
	seen.status === 409 &&
	seen.problem !== undefined;

const changesSomething = ({ endpoint: name }: Pick<Seen, 'endpoint'>): boolean =>
	name === 'media.upload' || (name !== undefined && isWrite(name));

/** The only rule for "throttled": somebody asked for fewer requests, whatever the status is. */
export const isThrottled = (seen: Seen): boolean => classOf(seen) === 'throttled';

/** Whether the same request might succeed later. */
export const mayPass = (seen: Seen): boolean => CLASSES[classOf(seen)].mayPass;

/** Whether a write may have had an effect in spite of this failure. */
export const mayHaveSucceeded = (seen: Seen): boolean =>
	changesSomething(seen) && CLASSES[classOf(seen)].carriedOut === 'perhaps';

/** Whether to send nothing for a while. */
export const asksToWait = (seen: Seen): boolean =>
	isThrottled(seen) || (askedToWaitMs(seen) !== undefined && mayPass(seen));

export function nextAttemptAfter(facts: FailureFacts): NextAttempt {
	const { endpoint: name, uncertain, idempotencyKey } = facts;
	// The storage is not part of the service: its response is about one upload URL, and each attempt
	// requests a new one.
	if (name === 'media.upload') return 'again';
	const byReason = isReasonLost(facts) ? 'checkOnly' : policyOfReason(reasonOf(facts)).next;
	const next = byReason ?? CLASSES[classOf(facts)].next;
	if (next === 'never') return 'never';
	const keyed = idempotencyKey !== undefined;
	// An earlier attempt may have had an effect, so another one needs the same key.
	if (uncertain) return !keyed ? 'checkOnly' : next === 'again' ? 'sameRequest' : next;
	// By now it is certain that no attempt had an effect.
	if (next === 'again') return 'again';
	if (next === 'sameRequest' && keyed) return 'sameRequest';
	return next === 'sameRequest' && mayPass(facts) ? 'again' : 'never';
}

/** See `keepsKey` in the table of reasons. */
export const keepsItsKey = (facts: FailureFacts): boolean =>
	policyOfReason(reasonOf(facts)).keepsKey === true;

/** Whether the service gave this reason. */
export const isReason = <One extends Cause>(
	seen: One,
	reason: KnownReason,
): seen is One & Answered => knownReason(reasonOf(seen)) === reason;

/** The service itself has answered so. A page of a proxy says nothing about a record or a key. */
export const isSaidByService = (facts: FailureFacts): facts is Failed<Answered> =>
	facts.kind === 'answered' && facts.problem === undefined;

export const isNotFound = ({ facts }: ApiFailure): boolean =>
	isSaidByService(facts) && facts.status === 404;

/** The key may not do this. */
export const isForbidden = (facts: FailureFacts): boolean =>
	isSaidByService(facts) && (facts.status === 403 || facts.code === 'forbidden');

/** The service says that this key may not do this, whenever it is asked. */
export const isKeyRefused = (facts: FailureFacts): boolean =>
	isSaidByService(facts) &&
	(facts.status === 401 || (facts.status === 403 && facts.code === 'forbidden'));

/** A client that is not there, or whose account this key may not reach. */
export const isClientOutOfReach = (facts: FailureFacts): boolean =>
	isSaidByService(facts) && (facts.status === 403 || facts.status === 404);

/** Responses to an offset that the service does not show. */
const OUT_OF_REACH: ReadonlySet<number> = new Set([400, 404, 413, 416, 422]);

/** The service may not show a list up to here. */
export const isPlaceOutOfReach = (facts: FailureFacts): boolean =>
	facts.kind === 'answered' && OUT_OF_REACH.has(facts.status);

/** A change that the service rejected without a reason: the record may be in another state. */
export const mayBeOfOtherState = (facts: FailureFacts): boolean =>
	!facts.uncertain &&
	facts.kind === 'answered' &&
	facts.reason === undefined &&
	(facts.status === 400 || facts.status === 409);

/**
 * Part 7.1: a field is missing, or the service does not support the shape of the request. It has done
 * nothing.
 */
export const rejectsShape = (facts: FailureFacts): boolean =>
	isSaidByService(facts) &&
	!facts.uncertain &&
	facts.status === 400 &&
	facts.code === 'bad_request' &&
	facts.reason === undefined;

/** The path does not exist, so nothing was changed. An unknown organization has its own reason. */
export const isUnknownPath = (facts: FailureFacts): boolean =>
	facts.networkWord !== undefined &&
	reasonOf(facts) === undefined &&
	(responseStatus(facts) === 404 ||
		('code' in facts && (facts.code === 'not_found' || facts.code === 'method_not_allowed')));

/**
 * The storage is another host, which knows neither the key nor the API's envelopes, and storages
 * differ. For an expired URL, S3 and Azure answer 403, Google 400, others 401, 404 or 410. 409 means
 * that the path is taken.
 */
const ABOUT_THE_UPLOAD_URL: ReadonlySet<number> = new Set([400, 401, 403, 404, 409, 410]);

/**
 * Rejected, perhaps only because of the URL: a new one may work, and nothing was stored.
 *
 * @doubt storageRules
 */
export const mayNeedNewUploadUrl = (facts: FailureFacts): boolean =>
	facts.endpoint === 'media.upload' &&
	facts.kind === 'answered' &&
	ABOUT_THE_UPLOAD_URL.has(facts.status);

/** The storage does not accept a file of this size. */
export const isTooLargeForStorage = (facts: FailureFacts): boolean =>
	facts.endpoint === 'media.upload' && responseStatus(facts) === 413;

/** The client has already waited if the service throttles, but not if the storage does. */
export const mayPassWithoutWaiting = (facts: FailureFacts): boolean =>
	mayPass(facts) &&
	facts.kind !== 'heldBack' &&
	facts.kind !== 'outOfTime' &&
	!(isThrottled(facts) && facts.endpoint !== 'media.upload');

/**
 * What to do about a reason of part 7.2. Other failures are reported, after a read if they are
 * uncertain.
 */
const STEPS = {
	provider_state_refreshed: 'showRefreshed',
	stale_provider_version: 'freshEtag',
	mutation_in_progress: 'watch',
	provider_ambiguous: 'watch',
	idempotency_conflict: 'stop',
	team_boost_spacing_conflict: 'stop',
	provider_attachment_identity_unavailable: 'stop',
} as const;

type StepOfChange = (typeof STEPS)[keyof typeof STEPS];

/** The next step of a change of a published post that failed. */
export const stepFor = ({ facts }: ApiFailure): StepOfChange | undefined => {
	const reason = reasonOf(facts) ?? '';
	return Object.hasOwn(STEPS, reason) ? STEPS[reason as keyof typeof STEPS] : undefined;
};
