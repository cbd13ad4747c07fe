/** What a stored set is changed into without being decoded. */
import {
	encode,
	EncodedHashes,
	type SeenText,
} from '../../../nodes/LeadGenPublishing/watch/store/eliasFano';
import { hash53 } from '../../../nodes/LeadGenPublishing/watch/store/hash';
import { withChanges } from '../../../nodes/LeadGenPublishing/watch/store/insertion';
import { uuids } from '../pollHelpers';

type Entry = readonly [hash: number, value: number];

const WIDTH = 28;
const entries = uuids(200).map((id, index): Entry => [hash53(id), index + 1]);

/** Encoded as a whole; `marks` in the order of the entries. */
function textOf(given: readonly Entry[], width = WIDTH, marks?: readonly number[]): SeenText {
	const sorted = given
		.map(([hash, value], index) => ({ hash, value, mark: marks?.[index] ?? 0 }))
		.sort((left, right) => left.hash - right.hash);
	return encode(
		{
			hashes: Float64Array.from(sorted, ({ hash }) => hash),
			values: Float64Array.from(sorted, ({ value }) => value),
			marks: Uint8Array.from(sorted, ({ mark }) => mark),
			size: sorted.length,
		},
		{ width, marked: marks !== undefined },
	);
}
const changed = (text: SeenText, changes: readonly Entry[], mark = 1) =>
	withChanges(new EncodedHashes(text), new Map(changes), mark);

it('is encoded anew only where one more record changes the layout', () => {
	const anew = entries
		.slice(0, 40)
		.flatMap((entry, size) =>
			changed(textOf(entries.slice(0, size)), [entry]) === undefined ? [size] : [],
		);
	expect(anew).toEqual([2, 4, 8, 16, 32]);
});

it.each([0, 1, WIDTH, 52])('holds records and values of %i bits as if encoded anew', (width) => {
	const most = Math.min(width, 1);
	const before = entries.slice(0, 150).map(([hash, value]): Entry => [hash, value % (most + 1)]);
	const after = entries.slice(100).map(([hash]): Entry => [hash, most]);
	expect(changed(textOf(before, width), after)).toEqual(
		textOf([...before.slice(0, 100), ...after], width),
	);
	expect(changed(textOf(before, width), [])).toEqual(textOf(before, width));
});

it('marks what is changed or added, and leaves the other marks', () => {
	const before = entries.slice(0, 150);
	const marks = before.map((_, index) => index % 4);
	const after = entries.slice(140).map(([hash]): Entry => [hash, 7]);
	expect(changed(textOf(before, WIDTH, marks), after, 2)).toEqual(
		textOf([...before.slice(0, 140), ...after], WIDTH, [
			...marks.slice(0, 140),
			...after.map(() => 2),
		]),
	);
});

it('an empty set takes in its first record', () => {
	const [first = [0, 0] as Entry] = entries;
	for (const hash of [0, first[0], 2 ** 53 - 1])
		expect(changed(textOf([]), [[hash, 5]])).toEqual(textOf([[hash, 5]]));
});
