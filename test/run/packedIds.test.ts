/** Which items are done, and with which IDs, in as little text as possible: nothing is mixed up. */
import * as fc from 'fast-check';

import {
	addId,
	addItem,
	canPack,
	hasItem,
	idOf,
	type Range,
	type Segment,
} from '../../nodes/LeadGenPublishing/run/writeOnce/packedIds';

/** Items roughly in order, as retries bring them. */
const items = fc
	.uniqueArray(fc.nat(60), { maxLength: 40 })
	.chain((all) =>
		fc.boolean().map((inOrder) => (inOrder ? [...all].sort((one, other) => one - other) : all)),
	);
const stored = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;
/** Items that follow each other directly are one. */
const runsIn = (list: readonly number[]) =>
	list.filter((item, index) => index === 0 || list[index - 1] !== item - 1).length;

it('every item has its own ID again, and no other item has one', () => {
	const ids = fc.array(fc.uuid(), { minLength: 61, maxLength: 61 });
	fc.assert(
		fc.property(items, ids, (list, uuids) => {
			const segments: Segment[] = [];
			for (const item of list) addId(segments, item, uuids[item] ?? '');
			const again = stored(segments);
			for (let item = -1; item <= 61; item += 1)
				expect([item, idOf(again, item)]).toEqual([
					item,
					list.includes(item) ? uuids[item] : undefined,
				]);
			expect(segments).toHaveLength(runsIn(list));
			const characters = segments.reduce((sum, [, packed]) => sum + packed.length, 0);
			expect(characters).toBe(list.length * 22);
		}),
	);
});

it('every item that was added is there, and no other', () => {
	fc.assert(
		fc.property(items, (list) => {
			const ranges: Range[] = [];
			for (const item of list) addItem(ranges, item);
			const again = stored(ranges);
			for (let item = -1; item <= 61; item += 1)
				expect([item, hasItem(again, item)]).toEqual([item, list.includes(item)]);
			expect(ranges).toHaveLength(runsIn(list));
		}),
	);
});

it('packs only what comes out as it went in', () => {
	fc.assert(
		fc.property(
			fc.oneof(
				fc.uuid(),
				fc.uuid().map((id) => id.toUpperCase()),
				fc.string(),
				fc.anything(),
			),
			(id) => {
				if (!canPack(id)) return;
				const segments: Segment[] = [];
				addId(segments, 0, id);
				expect(idOf(segments, 0)).toBe(id);
			},
		),
	);
	const id = '6f1c2f0e-7d4b-4a53-9d53-0c1f0a6c1b11';
	expect([id, `${id}0`, `0${id}`, id.toUpperCase(), id.replace('-', ''), 7].map(canPack)).toEqual([
		true,
		...Array<boolean>(5).fill(false),
	]);
});
