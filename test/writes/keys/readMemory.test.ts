/** What a process keeps of the records that it has read one by one. */
import { POSTS } from '../../../nodes/LeadGenPublishing/writes/posts/posts';
import {
	holdsHidden,
	readingOf,
	ReadMemory,
	stillHolds,
} from '../../../nodes/LeadGenPublishing/writes/keys/readMemory';

const MINUTE = 60_000;
const idsOf = (count: number) => new Set(Array.from({ length: count }, (_, index) => `p${index}`));

const READ = readingOf(POSTS, { listed: {}, record: {}, now: 0 });

/** Reads so many records of the account. */
function fill(before: ReadMemory, account: string, count: number): void {
	const ids = idsOf(count);
	const known = before.ofAccount(account, ids);
	for (const id of ids) known.set(id, READ);
}
const countOf = (before: ReadMemory, account: string): number =>
	before.ofAccount(account, idsOf(200_000)).size;

it('forgets the accounts that were used longest ago once there are 100,000 records', () => {
	const before = new ReadMemory();
	fill(before, 'a', 40_000);
	fill(before, 'b', 40_000);
	expect(countOf(before, 'a')).toBe(40_000);
	fill(before, 'c', 40_000);
	// The next reading looks at what all of them hold.
	expect(countOf(before, 'c')).toBe(40_000);
	expect(countOf(before, 'a')).toBe(40_000);
	expect(countOf(before, 'b')).toBe(0);
});

it('forgets several accounts at once if one new account needs their room', () => {
	const before = new ReadMemory();
	for (const account of ['a', 'b', 'c']) fill(before, account, 30_000);
	fill(before, 'd', 70_000);
	expect(countOf(before, 'd')).toBe(70_000);
	expect(['a', 'b', 'c'].map((account) => countOf(before, account))).toEqual([0, 0, 30_000]);
});

it('keeps all accounts as long as they hold no more together', () => {
	const before = new ReadMemory();
	fill(before, 'a', 50_000);
	fill(before, 'b', 50_000);
	expect([countOf(before, 'a'), countOf(before, 'b')]).toEqual([50_000, 50_000]);
});

it('keeps a single account, whatever it holds', () => {
	const before = new ReadMemory();
	fill(before, 'a', 100_001);
	expect(countOf(before, 'a')).toBe(100_001);
});

it('forgets what the list of the account does not name any more', () => {
	const before = new ReadMemory();
	fill(before, 'a', 3);
	expect([...before.ofAccount('a', new Set(['p1', 'new'])).keys()]).toEqual(['p1']);
});

const HOUR = 60 * MINUTE;
const LISTED = {
	id: 'p',
	text: 'Hello',
	status: 'published',
	published_at: '2030-01-01T09:00:00Z',
	metrics: { likes: 1, since: 'Monday' },
	comments: 3,
};
const reading = readingOf(POSTS, { listed: LISTED, record: { ...LISTED, notes: 'Mine' }, now: 0 });

it.each<[string, object, number, boolean]>([
	['for a day', {}, 24 * HOUR - 1, true],
	['no longer than a day', {}, 24 * HOUR, false],
	['not before it was read', {}, -1, false],
	['whatever its counters say', { metrics: { likes: 9, since: 'Friday' }, comments: 8 }, 0, true],
	['not with another text', { text: 'Hi' }, 0, false],
	['not with another status', { status: 'publishing' }, 0, false],
	['not with another time', { published_at: null }, 0, false],
	['not with a further field', { custom: true }, 0, false],
])('what was read still holds: %s', (_, more, now, expected) => {
	expect(stillHolds(reading, { listed: { ...LISTED, ...more }, now })).toBe(expected);
	expect(stillHolds(undefined, { listed: LISTED, now })).toBe(false);
});

it('hidden fields hold for an hour', () => {
	expect([HOUR - 1, HOUR, -1].map((now) => holdsHidden(reading, now))).toEqual([
		true,
		false,
		false,
	]);
});

it('keeps what the list does not show, of a record with a key', () => {
	const record = { ...LISTED, text: 'Hello', notes: '[unique-key: a]', images: ['a'] };
	const { keys, more } = readingOf(POSTS, { listed: LISTED, record, now: 0 });
	expect([keys, more]).toEqual([['a'], { notes: '[unique-key: a]', images: ['a'] }]);
	expect(reading).toMatchObject({ keys: [], more: {} });
	const long = { ...record, images: ['x'.repeat(30_000)] };
	expect(readingOf(POSTS, { listed: LISTED, record: long, now: 0 }).more).toEqual({});
});
