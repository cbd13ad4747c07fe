/** The version of the last seen version of a record. */
import {
	firstVersion,
	isOlder,
	nextVersion,
	readVersion,
	spellVersion,
	VERSION_WIDTH,
} from '../../../nodes/LeadGenPublishing/feed/events/version';

const NOON = Date.UTC(2030, 0, 1, 12);

it.each([0, 1, 63, 64, 100_000, NOON, Date.UTC(2099, 11, 31)])(
	'%i is written in seven characters and read back',
	(version) => {
		expect(spellVersion(version)).toHaveLength(VERSION_WIDTH);
		expect(readVersion(spellVersion(version))).toBe(version);
	},
);

it.each<[string, number | undefined, number, boolean]>([
	['updated before', NOON - 64, NOON, true],
	['updated before, with a count', NOON - 64, NOON + 5, true],
	['updated at the same time as several others', NOON, NOON + 63, false],
	['updated at the same time', NOON, NOON, false],
	['updated later', NOON + 1, NOON, false],
	['without a time', undefined, NOON, false],
	['of which only changes were counted so far', NOON, 3, false],
	['at an impossible time, of which only changes were counted', 0, 1_000, false],
])('a version %s: whether it is older', (_, updated, last, expected) => {
	expect(isOlder(updated, last)).toBe(expected);
});

it('a change gets its time as its version, or the next number', () => {
	expect([firstVersion(undefined), firstVersion(NOON)]).toEqual([0, NOON]);
	expect(nextVersion(NOON, 3)).toBe(NOON);
	expect([nextVersion(undefined, 0), nextVersion(undefined, 1)]).toEqual([1, 2]);
	// Records that no longer show their time.
	expect(nextVersion(undefined, NOON)).toBe(NOON + 1);
});

it('changes that show the same time have different versions, and none of them counts as older', () => {
	const versions = [firstVersion(NOON)];
	for (let change = 1; change < 64; change++) {
		const last = versions.at(-1) ?? 0;
		expect(isOlder(NOON, last)).toBe(false);
		versions.push(nextVersion(NOON, last));
	}
	expect(new Set(versions).size).toBe(64);
	// After the last count, the first one comes again, so that no change is ever ignored.
	expect(nextVersion(NOON, versions.at(-1) ?? 0)).toBe(NOON);
	expect(nextVersion(NOON + 1_000, NOON + 63)).toBeGreaterThan(NOON + 63);
});
