/** The two bits that a state keeps of a lead's intent: the next release must read them as this one. */
import { leadFingerprint } from '../../../nodes/LeadGenPublishing/watch/store/fingerprint';

/** Above those of the qualification status. */
const INTENT_AT = 2 ** 6;

it.each<[unknown, number]>([
	[null, 0],
	[undefined, 0],
	[true, 1],
	[false, 2],
	['maybe', 3],
])('of %p are %i', (has_intent, bits) => {
	const fingerprint = leadFingerprint.of({ id: 'a', has_intent });
	expect(Math.floor(fingerprint / INTENT_AT) % 4).toBe(bits);
});
