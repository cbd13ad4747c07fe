/** How the items of one poll are divided among the lists. */
import type { SeenRecord } from '../../../nodes/LeadGenPublishing/feed/list/progress';
import { quotasOf } from '../../../nodes/LeadGenPublishing/feed/lists/quotas';
import type { ReadList } from '../../../nodes/LeadGenPublishing/feed/lists/readLists';
import { MAX_RECORDS } from '../../../nodes/LeadGenPublishing/feed/memory/state';

/** A list with so many new and changed records to deliver, and one that is only read. */
function listOf(account: string, fresh: number, { changed = 0, seen = 0 } = {}): ReadList {
	const recordsRead = new Map<number, Partial<SeenRecord>>([[-1, { known: '' }]]);
	for (let at = 0; at < fresh; at++) recordsRead.set(at, { wanted: { id: at } });
	for (let at = 0; at < changed; at++)
		recordsRead.set(fresh + at, { known: '', wanted: { id: at } });
	return {
		account,
		reading: { recordsRead },
		remembered: { list: { seen: { size: seen } } },
	} as unknown as ReadList;
}

const quotas = (lists: readonly ReadList[], maxItems: number, pollNumber = 0) =>
	Object.fromEntries(
		[...quotasOf(lists, { maxItems, pollNumber })].map(([{ account }, quota]) => [account, quota]),
	);

it.each<[string, Array<[account: string, fresh: number]>, number, Record<string, number>]>([
	[
		'all, if there is room',
		[
			['a', 3],
			['b', 4],
		],
		10,
		{ a: 3, b: 4 },
	],
	[
		'equal shares',
		[
			['a', 9],
			['b', 9],
		],
		10,
		{ a: 5, b: 5 },
	],
	[
		'the rest of what others do not need',
		[
			['a', 9],
			['b', 2],
			['c', 9],
		],
		11,
		{ b: 2, a: 5, c: 4 },
	],
	[
		'nothing to a list without any',
		[
			['a', 0],
			['b', 9],
		],
		4,
		{ b: 4 },
	],
	['nothing where there is nothing', [['a', 0]], 4, {}],
])('gives %s', (_, lists, maxItems, expected) => {
	expect(
		quotas(
			lists.map(([account, fresh]) => listOf(account, fresh)),
			maxItems,
		),
	).toEqual(expected);
});

it('lists take turns if there are fewer items than lists, whatever their order', () => {
	const lists = ['c', 'a', 'b'].map((account) => listOf(account, 9));
	const first = (pollNumber: number, maxItems: number) =>
		Object.entries(quotas(lists, maxItems, pollNumber)).flatMap(([account, quota]) =>
			quota > 0 ? [account] : [],
		);
	expect([0, 1, 2, 3].map((pollNumber) => first(pollNumber, 1))).toEqual([
		['a'],
		['b'],
		['c'],
		['a'],
	]);
	expect(first(2, 2)).toEqual(['c', 'a']);
});

it('as many items as lists are one for each, in any order', () => {
	const lists = [listOf('a', 1), listOf('b', 9)];
	expect([0, 1].map((pollNumber) => quotas(lists, 2, pollNumber))).toEqual([
		{ a: 1, b: 1 },
		{ a: 1, b: 1 },
	]);
});

it('a full list has room for changes alone', () => {
	const nearly = listOf('a', 5, { changed: 2, seen: MAX_RECORDS - 3 });
	const full = listOf('b', 5, { changed: 2, seen: MAX_RECORDS });
	const above = listOf('c', 5, { changed: 2, seen: MAX_RECORDS + 3 });
	expect(quotas([nearly, full, above], 100)).toEqual({ a: 5, b: 2, c: 2 });
});
