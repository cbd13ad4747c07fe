/**
 * Whether further requests are worthwhile. Both steps need to know. A service that is absent or
 * rejects the key responds to every other request in the same way. Pure.
 */
import type { Asked } from './facts';

export type Life =
	/** The service is there and accepts the key. */
	| 'alive'
	/** Nothing at the Base URL responds like this API. */
	| 'absent'
	/** The service does not accept the key. */
	| 'locked'
	/** The service is there and fails, or asks to wait. */
	| 'failing';

/** The service itself has responded, in one of its envelopes, and not with 404. */
const isSpoken = ({ outcome }: Asked): boolean =>
	outcome.kind === 'success' ||
	(outcome.kind === 'refused' && outcome.hasEnvelope && outcome.status !== 404);

const isTransient = ({ outcome }: Asked): boolean =>
	(outcome.kind === 'refused' && outcome.meaning !== 'refused') ||
	(outcome.kind === 'unsent' && outcome.why === 'throttled');

/**
 * Rejected without the envelope of this API, so by a proxy, a firewall or a login page in front of
 * it.
 */
export const isGuarded = ({ outcome }: Asked): boolean =>
	outcome.kind === 'refused' && !outcome.hasEnvelope && [401, 403, 407].includes(outcome.status);

/** `further` is a request that was sent only because the first two were inconclusive. */
export function lifeOf(base: Asked, subject: Asked, further?: Asked): Life {
	if (subject.outcome.kind === 'success') return 'alive';
	const isLocked = subject.outcome.kind === 'refused' && subject.outcome.status === 401;
	// The base needs no key.
	if (isLocked && !(isGuarded(subject) && isGuarded(base))) return 'locked';
	if (further !== undefined && isSpoken(further)) return 'alive';
	if (isTransient(subject)) return 'failing';
	const isOther = subject.outcome.kind === 'unsent' || subject.outcome.kind === 'noResponse';
	if (isOther && isTransient(base)) return 'failing';
	return isSpoken(base) || isSpoken(subject) ? 'alive' : 'absent';
}

/** Whether the first two leave open that the API's paths exist. */
export const isDoubtful = (base: Asked, subject: Asked): boolean =>
	lifeOf(base, subject) === 'absent' && subject.outcome.kind === 'refused';
