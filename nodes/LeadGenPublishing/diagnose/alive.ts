/**
 * Whether it is worth asking further: both steps need to know. A service that is not there, or lets
 * nobody in, answers every other request in the same way. Pure.
 */
import type { Asked } from './facts';

export type Life =
	/** The service is there and accepts the key. */
	| 'alive'
	/** This API does not respond at the Base URL. */
	| 'absent'
	/** The service does not accept the key. */
	| 'locked'
	/** The service is there and fails, or asks to wait. */
	| 'failing';

/** The service itself has spoken: in one of its envelopes, and not of a path that does not exist. */
const isSpoken = ({ outcome }: Asked): boolean =>
	outcome.kind === 'success' ||
	(outcome.kind === 'refused' && outcome.hasEnvelope && outcome.status !== 404);

const isTransient = ({ outcome }: Asked): boolean =>
	(outcome.kind === 'refused' && outcome.meaning !== 'refused') ||
	(outcome.kind === 'unsent' && outcome.why === 'throttled');

/** Refused without the envelope of this API: by a proxy, a firewall or a login page in front of it. */
export const isGuarded = ({ outcome }: Asked): boolean =>
	outcome.kind === 'refused' && !outcome.hasEnvelope && [401, 403, 407].includes(outcome.status);

/** `further`: a request that was sent only because the first two did not tell. */
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

/** The first two do not tell whether the paths exist. */
export const isDoubtful = (base: Asked, subject: Asked): boolean =>
	lifeOf(base, subject) === 'absent' && subject.outcome.kind === 'refused';
