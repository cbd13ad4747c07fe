import fc from 'fast-check';

import { encode, EncodedHashes } from '../../../nodes/LeadGenPublishing/watch/store/eliasFano';
import { hash53 } from '../../../nodes/LeadGenPublishing/watch/store/hash';
import { SeenSet } from '../../../nodes/LeadGenPublishing/watch/store/seen';
import { openList, sealList } from '../../../nodes/LeadGenPublishing/watch/store/listState';

import { Chance } from '../random';
import { scannedState, uuids } from '../pollHelpers';

const setOf = (ids: readonly string[], width = 0): SeenSet =>
	SeenSet.empty(width).with(new Map(ids.map((id, index) => [hash53(id), width && index])));

const characters = (ids: readonly string[]): number => JSON.stringify(scannedState(ids)).length;

describe('the memory of what was seen', () => {
	it.each([0, 1, 2, 3, 31, 32, 33, 1_000, 20_000])('finds again all of %i records', (size) => {
		const ids = uuids(size);
		const stored = new SeenSet(
			JSON.parse(JSON.stringify(setOf(ids).toText())) as ReturnType<SeenSet['toText']>,
		);
		expect(ids.every((id) => stored.get(hash53(id)) === 0)).toBe(true);
		expect(uuids(1_000, 77).filter((id) => stored.get(hash53(id)) !== undefined)).toEqual([]);
	});

	it('keeps a value beside each record, and replaces it', () => {
		const ids = uuids(5_000);
		const changed = new Map(ids.slice(0, 100).map((id) => [hash53(id), 2 ** 28 - 1]));
		const set = setOf(ids, 28).with(changed);
		expect(set.size).toBe(5_000);
		expect(ids.map((id) => set.get(hash53(id)))).toEqual(
			ids.map((_, index) => (index < 100 ? 2 ** 28 - 1 : index)),
		);
	});

	it.each([1, 7, 8, 23, 24, 25, 47, 48, 49, 52])('keeps values of %i bits', (width) => {
		const values = uuids(500).map((id, index): [number, number] => [
			hash53(id),
			index % 2 === 0 ? 2 ** width - 1 - index : hash53(id, 5) % 2 ** width,
		]);
		const kept = values.map(([hash, value]): [number, number] => [hash, Math.max(0, value)]);
		const set = SeenSet.empty(width).with(new Map(kept)).clearMarks(true);
		expect(kept.map(([hash]) => set.get(hash))).toEqual(kept.map(([, value]) => value));
	});

	it('grows step by step into what it would be if built at once', () => {
		const ids = uuids(3_000);
		let grown = SeenSet.empty(0);
		for (let from = 0; from < ids.length; from += 700) {
			grown = grown.with(new Map(ids.slice(from, from + 700).map((id) => [hash53(id), 0])));
		}
		expect(grown.toText()).toEqual(setOf(ids).toText());
	});

	it('changes a stored set into what encoding all of it anew would give', () => {
		const hashes = fc.oneof(
			fc.integer({ min: 0, max: 2 ** 53 - 1 }),
			fc.integer({ min: 0, max: 40 }),
			fc.integer({ min: 2 ** 53 - 40, max: 2 ** 53 - 1 }),
		);
		const entries = (width: number, maxLength: number) =>
			fc.uniqueArray(fc.tuple(hashes, fc.integer({ min: 0, max: 2 ** width - 1 })), {
				selector: ([hash]) => hash,
				minLength: 1,
				maxLength,
			});
		const cases = fc
			.tuple(fc.constantFrom(0, 1, 28, 52), fc.boolean())
			.chain(([width, marked]) =>
				fc.tuple(fc.constant({ width, marked }), entries(width, 150), entries(width, 30)),
			);
		fc.assert(
			fc.property(cases, fc.nat(), ([{ width, marked }, before, more], chosen) => {
				const empty = SeenSet.empty(width).with(new Map(before));
				// Marks of each kind: missed, found, both, and none.
				const set = marked
					? empty
							.markFound((hash) => hash % 2 === 0)
							.withoutTwiceMissed()
							.markFound((hash) => hash % 3 === 0)
					: empty;
				const [known = 0] = before[chosen % before.length] ?? [];
				const changes = new Map([...more, [known, 2 ** width - 1]]);

				const old = new EncodedHashes(set.toText()).decode();
				const all = new Map<number, { value: number; mark: number }>();
				for (const [index, hash] of old.hashes.entries())
					all.set(hash, { value: old.values[index] ?? 0, mark: old.marks[index] ?? 0 });
				for (const [hash, value] of changes) all.set(hash, { value, mark: 1 });
				const sorted = [...all].sort(([left], [right]) => left - right);
				const contents = {
					hashes: Float64Array.from(sorted, ([hash]) => hash),
					values: Float64Array.from(sorted, ([, { value }]) => value),
					marks: Uint8Array.from(sorted, ([, { mark }]) => mark),
					size: sorted.length,
				};
				expect(set.with(changes).toText()).toEqual(encode(contents, { width, marked }));
			}),
			{ numRuns: 500 },
		);
	});

	it('reads its text once, however many records are looked up', () => {
		const ids = uuids(50);
		const stored = new SeenSet(setOf(ids).toText());
		const read = jest.spyOn(Buffer, 'from');
		try {
			for (const id of ids) expect(stored.get(hash53(id))).toBe(0);
			expect(read).toHaveBeenCalledTimes(1);
		} finally {
			read.mockRestore();
		}
	});

	it('without changes is the same one', () => {
		const set = setOf(uuids(20));
		expect(set.with(new Map())).toBe(set);
		expect(set.clearMarks(false)).toBe(set);
	});

	it('holds nothing of what was taken out, and its values and marks of all else', () => {
		const ids = uuids(20);
		const marked = setOf(ids, 28).markFound((hash) => hash === hash53(ids[3] ?? ''));
		const set = marked.without(new Set(ids.slice(10).map((id) => hash53(id))));
		expect([set.size, set.width, set.marked]).toEqual([10, 28, true]);
		expect(ids.map((id) => set.get(hash53(id)))).toEqual(
			ids.map((_, index) => (index < 10 ? index : undefined)),
		);
		expect(set.without(new Set()).toText()).toEqual(set.toText());
		expect(foundIn(set)).toEqual([hash53(ids[3] ?? '')]);
	});

	it('holds the ends of the range of hashes', () => {
		const edges = [0, 1, 2 ** 32, 2 ** 53 - 2, 2 ** 53 - 1];
		const set = SeenSet.empty(0).with(new Map(edges.map((hash) => [hash, 0])));
		expect(edges.every((hash) => set.get(hash) === 0)).toBe(true);
		expect(set.get(2)).toBeUndefined();
	});

	it.each([10_000, 100_000])('takes at most 7 characters per record at %i', (size) => {
		const ids = uuids(size);
		const perRecord = setOf(ids).toText().set.length / size;
		expect(perRecord).toBeLessThanOrEqual(7);
		expect(characters(ids) - setOf(ids).toText().set.length).toBeLessThanOrEqual(1_500);
	});

	it.each([10_000, 100_000])('takes at most 12 with a fingerprint at %i', (size) => {
		expect(setOf(uuids(size), 28).toText().set.length / size).toBeLessThanOrEqual(12);
	});

	it('spreads similar ids as chance would: as many collisions of 36 bits as expected', () => {
		const size = 400_000;
		const short = new Set<number>();
		for (let index = 0; index < size; index++) {
			const tail = index.toString(16).padStart(12, '0');
			const hash = hash53(`00000000-0000-4000-8000-${tail}`);
			short.add(Math.floor(hash / 2 ** 17));
		}
		const expected = size ** 2 / 2 / 2 ** 36;
		expect(size - short.size).toBeLessThan(expected + 8);
	});

	it('mistakes a new record for a known one less than once in a million lives', () => {
		// Each of 100,000 records, when new, is compared with those before it.
		const pairs = (100_000 * 99_999) / 2;
		expect(pairs / 2 ** 53).toBeLessThan(1e-6);
	});
});

const entriesOf = (set: SeenSet) => new EncodedHashes(set.toText()).decode();
const foundIn = (set: SeenSet): number[] => {
	const { hashes, marks } = entriesOf(set);
	return [...hashes].filter((_, index) => ((marks[index] ?? 0) & 1) === 1);
};

describe('what is tracked of which records are still in the list', () => {
	const set = SeenSet.empty(3).with(new Map([10, 20, 30, 40].map((hash) => [hash, hash % 8])));
	const isFound =
		(...found: number[]) =>
		(hash: number): boolean =>
			found.includes(hash);

	it('are those that were found, which each page adds to', () => {
		const first = set.markFound(isFound(20));
		const second = first.markFound(isFound(40, 50));
		expect([set.marked, first.marked, second.marked]).toEqual([false, true, true]);
		expect([foundIn(first), foundIn(second)]).toEqual([[20], [20, 40]]);
		expect(second.entries()).toEqual(set.entries());
	});

	it('is the same where a page shows nothing else', () => {
		const marked = set.markFound(isFound(20));
		expect(marked.markFound(isFound(20))).toBe(marked);
		expect(marked.markFound(isFound())).toBe(marked);
		// It begins although nothing was found.
		expect(set.markFound(isFound()).marked).toBe(true);
	});

	it('drops what two checks in a row have not found, and nothing else', () => {
		const first = set.markFound(isFound(10, 20)).withoutTwiceMissed();
		expect([first.entries(), foundIn(first)]).toEqual([set.entries(), []]);
		const second = first.markFound(isFound(10, 30)).withoutTwiceMissed();
		// 20 was missed for the first time, 30 was found again, and 40 was missed twice.
		expect(second.entries()).toEqual([10, 20, 30].map((hash) => [hash, hash % 8]));
		const third = second.markFound(isFound(30)).withoutTwiceMissed();
		expect(third.entries().map(([hash]) => hash)).toEqual([10, 30]);
		expect(third.marked).toBe(true);
	});

	it('is cleared, or no longer stored', () => {
		const missed = set.markFound(isFound(10)).withoutTwiceMissed().markFound(isFound(20));
		const cleared = missed.clearMarks(true);
		expect([cleared.marked, cleared.entries()]).toEqual([true, set.entries()]);
		expect([...entriesOf(cleared).marks]).toEqual([0, 0, 0, 0]);
		expect(missed.clearMarks(false).toText()).toEqual(set.toText());
		expect(set.clearMarks(true).toText()).toEqual(cleared.toText());
	});

	it('counts a record that is added or replaced as found', () => {
		const grown = set.clearMarks(true).with(
			new Map([
				[20, 7],
				[25, 1],
			]),
		);
		expect(foundIn(grown)).toEqual([20, 25]);
		expect([grown.get(20), grown.get(25)]).toEqual([7, 1]);
	});
});

describe('a damaged memory', () => {
	const list = Object.values(scannedState(uuids(500)).lists)[0];
	if (list === undefined) throw new Error('no list');

	it('is believed when nothing happened to it', () => {
		expect(openList(list, 0).kind).toBe('ok');
		expect(openList(undefined, 0).kind).toBe('none');
	});

	it('is refused whatever single character of it has changed', () => {
		const chance = new Chance(3);
		for (let tries = 0; tries < 300; tries++) {
			const at = chance.below(list.set.length);
			const other = list.set[at] === 'A' ? 'B' : 'A';
			const set = list.set.slice(0, at) + other + list.set.slice(at + 1);
			expect(openList({ ...list, set }, 0).kind).toBe('damaged');
		}
	});

	it('is refused when its number, version, width or place has changed', () => {
		const { progress } = list;
		expect(openList({ ...list, n: 499 }, 0).kind).toBe('damaged');
		expect(openList({ ...list, v: 1 }, 0).kind).toBe('damaged');
		expect(openList(list, 28).kind).toBe('damaged');
		const moved = { ...list, progress: { ...progress, end: 3 } };
		expect(openList(moved, 0).kind).toBe('damaged');
		const text = JSON.parse(JSON.stringify(list)) as typeof list;
		expect(openList(text, 0).kind).toBe('ok');
		expect(sealList(new SeenSet(text), text.progress)).toEqual(list);
	});
});
