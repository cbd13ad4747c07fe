/** Which version of a record was seen last. */
import {
	isOlder,
	nextStamp,
	readStamp,
	spellStamp,
	STAMP_WIDTH,
} from '../../nodes/LeadGenPublishing/watch/stamp';

const NOON = Date.UTC(2030, 0, 1, 12);

it.each([0, 1, 63, 64, 100_000, NOON, Date.UTC(2099, 11, 31)])(
	'%i is read as it was written, in seven characters',
	(stamp) => {
		expect(spellStamp(stamp)).toHaveLength(STAMP_WIDTH);
		expect(readStamp(spellStamp(stamp))).toBe(stamp);
	},
);

it.each<[string, number | undefined, number, boolean]>([
	['updated before', NOON - 1, NOON, true],
	['updated at the same time', NOON, NOON, false],
	['updated later', NOON + 1, NOON, false],
	['without a time', undefined, NOON, false],
	['of which only changes were counted so far', NOON, 3, false],
])('a version %s: whether it is older', (_, updated, last, expected) => {
	expect(isOlder(updated, last)).toBe(expected);
});

it('a change is stamped with its time, or with the next number', () => {
	expect(nextStamp(NOON, 3)).toBe(NOON);
	expect([nextStamp(undefined, 0), nextStamp(undefined, 1)]).toEqual([1, 2]);
	// Records that do not show their time any more.
	expect(nextStamp(undefined, NOON)).toBe(NOON + 1);
});
