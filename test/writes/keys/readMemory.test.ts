/** What a process keeps of the records that it has read one by one. */
import { ReadMemory, stillHolds } from '../../../nodes/LeadGenPublishing/writes/keys/readMemory';

const MINUTE = 60_000;
const idsOf = (count: number) => new Set(Array.from({ length: count }, (_, index) => `p${index}`));

/** Reads so many records of the account. */
function fill(before: ReadMemory, account: string, count: number): void {
	const ids = idsOf(count);
	const known = before.ofAccount(account, ids);
	for (const id of ids) known.set(id, { look: '', keys: [], shown: 'whole' as const, at: 0 });
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

it.each<[string, string[], { look?: string; now?: number }, boolean]>([
	['with a key', ['row'], { now: 600_000 * MINUTE }, true],
	['with a key, if it looks different', ['row'], { look: 'other' }, false],
	['without a key', [], { now: 10 * MINUTE - 1 }, true],
	['without a key, ten minutes later', [], { now: 10 * MINUTE }, false],
	['without a key, before it was read', [], { now: -1 }, false],
])('what was read still holds: %s', (_, keys, { look = 'same', now = 0 }, expected) => {
	const read = { look: 'same', keys, shown: 'whole' as const, at: 0 };
	expect(stillHolds(read, { look, now })).toBe(expected);
	expect(stillHolds(undefined, { look, now })).toBe(false);
});
