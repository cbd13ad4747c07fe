/** Which records that a poll has read are delivered, and which stay unknown. */
import { hash53, spell } from '../../../nodes/LeadGenPublishing/feed/list/hash';
import type { ListRules } from '../../../nodes/LeadGenPublishing/feed/list/rules';

import type { Overlap } from '../../../nodes/LeadGenPublishing/feed/list/overlap';
import { HASH_LENGTH } from '../../../nodes/LeadGenPublishing/feed/list/seen';
import type { ListState } from '../../../nodes/LeadGenPublishing/feed/list/state';
import {
	check,
	DAY,
	knownList,
	MINUTE,
	newList,
	newRecords,
	NOW,
	numbered,
	pageOf,
	pollList,
} from './lists';

const KNOWN = numbered(450);
const isKnown = ({ seen }: ReturnType<typeof knownList>, id: string): boolean =>
	seen.get(hash53(id)) !== undefined;

const lastRecordOf = (id: string): string => spell(hash53(id), HASH_LENGTH);
const searched = { above: 15, below: 24, asked: 'above', pages: 1 } as const;

it('what does not fit into the batch stays unknown, and its place is kept', async () => {
	const added = ['a', 'b', 'c', 'd'];
	const polled = await pollList(knownList(KNOWN), [...added, ...KNOWN], { quota: 3 });
	expect(polled.ids).toEqual(['a', 'b', 'c']);
	expect(added.map((id) => isKnown(polled.list, id))).toEqual([true, true, true, false]);
	expect(polled.list.gaps).toEqual([3]);
	const next = await pollList(polled.list, [...added, ...KNOWN], { now: NOW + MINUTE });
	expect(next.ids).toEqual(['d']);
});

it('each end has its share of the batch, so a burst at one end hides nothing at the other', async () => {
	const list = knownList(KNOWN, { tailNewsAt: NOW });
	const records = [...numbered(80, 1_000), ...KNOWN, 'x', 'y'];
	const { ids } = await pollList(list, records, { quota: 10, maxItems: 200 });
	expect(ids).toHaveLength(10);
	expect(ids).toEqual(expect.arrayContaining(['x', 'y']));
});

it('if no more records can be remembered, only changes are delivered, and nothing new', async () => {
	const rules: ListRules = {
		...newRecords,
		kind: 'change',
		compare: (record, known) =>
			known === undefined
				? { value: '', meaning: { kind: 'unknown', counts: true } }
				: { value: '', meaning: { kind: record.id === '7' ? 'news' : 'same' } },
	};
	const records = ['a', 'b', ...KNOWN];
	const one = await pollList(knownList(KNOWN), records, { room: 1, rules });
	expect(one.ids).toEqual(['a', '7']);
	expect(['a', 'b'].map((id) => isKnown(one.list, id))).toEqual([true, false]);
	const none = await pollList(one.list, records, { room: 0, rules, now: NOW + MINUTE });
	expect(none.ids).toEqual(['7']);
	expect(none.list.seen.size).toBe(451);
});

it('delivered records are remembered before those that were only read', async () => {
	const rules: ListRules = {
		...newRecords,
		compare: ({ id }, known) =>
			known === undefined
				? { value: '', meaning: { kind: 'unknown', counts: id !== 'a' } }
				: { value: known, meaning: { kind: 'same' } },
	};
	const records = ['a', 'b', ...KNOWN];
	const one = await pollList(knownList(KNOWN), records, { room: 1, rules });
	expect(one.ids).toEqual(['b']);
	expect(['a', 'b'].map((id) => isKnown(one.list, id))).toEqual([false, true]);
	const next = await pollList(one.list, records, { room: 0, rules, now: NOW + MINUTE });
	expect(next.ids).toEqual([]);
});

it('if a page failed, the next poll begins with the head, not with what was due', async () => {
	const list = knownList(KNOWN, { tailNewsAt: NOW });
	const failed = await pollList(list, () => {
		throw new Error('503');
	});
	const next = await pollList(failed.list, ['a', ...KNOWN], { quota: 1, now: NOW + MINUTE });
	expect([next.asked[0], next.ids]).toEqual([0, ['a']]);
});

it('a check that read records that it left for later has not ended', async () => {
	const few = numbered(50);
	const polled = await pollList(knownList(few), ['a', 'b', ...few], { quota: 1 });
	expect(polled.checkedSince).toBeUndefined();
	const next = await pollList(polled.list, ['a', 'b', ...few], { now: NOW + MINUTE });
	expect(next.checkedSince).toBe(NOW + MINUTE);
});

it('a check that has passed records that the tail left goes back to them', async () => {
	const known = numbered(20);
	const fast = knownList(known, {
		polls: 4,
		tailNewsAt: NOW,
		size: 5,
		scan: check({ at: 18, overlap: { kind: 'unchecked', lastRecords: '', repeats: 0 } }, 'fast'),
	});
	const records = [...known, ...numbered(60, 21)];
	const { ids, list, reading } = await pollList(fast, (request) => pageOf(records, request, 5), {
		quota: 5,
	});
	const first = records.findIndex((id, at) => at >= known.length && !ids.includes(id));
	expect(reading.progress.list.scan.reading.at).toBeGreaterThan(first);
	expect(list.scan.reading.at).toBeLessThanOrEqual(first);
	expect(list.scan.reading.overlap.kind).toBe('known');
});

const SEARCHING: Overlap = { kind: 'search', ...searched, lastRecords: lastRecordOf('gone') };
const JOINED: Overlap = { kind: 'joined', from: 15, repeats: 0, lastRecords: lastRecordOf('20') };

it.each([
	['has lost its place', 'may have', SEARCHING, 1, true],
	// Records that it read while searching are known, so a known record does not show that it
	// continues there.
	['has found its place again', 'may have', JOINED, 2, true],
	['reads on', 'has not', JOINED, 0, false],
] as const)(
	'a first reading that %s and leaves a record over %s left out others',
	async (...given) => {
		const [, , overlap, pagesElsewhere, isUnchecked] = given;
		const begun = newList(NOW);
		const list: ListState = {
			...knownList(numbered(30), { size: 5, first: 'scan' }),
			scan: { ...begun.scan, reading: { ...begun.scan.reading, at: 19, overlap, pagesElsewhere } },
		};
		const young = ['a', 'b'].map((id) => ({ id, created_at: NOW + 1 }));
		const records = [...numbered(20), ...young, ...numbered(10, 21)];
		const polled = await pollList(list, (request) => pageOf(records, request, 5), {
			...{ quota: 1, isSpent: () => true },
		});
		expect(polled.ids).toEqual(['a']);
		expect(polled.list.scan.reading).toMatchObject({
			at: 21,
			overlap: { kind: 'known' },
			isUnchecked,
		});
	},
);

describe('n8n should keep', () => {
	it.each([
		['not what a quiet poll has learned', KNOWN, false],
		['a new record', ['a', ...KNOWN], true],
	])('%s', async (_, records, expected) => {
		const polled = await pollList(knownList(KNOWN), records, { quota: 5 });
		expect(polled.hasLearned).toBe(expected);
	});

	it('a first reading', async () => {
		expect((await pollList(newList(), KNOWN)).hasLearned).toBe(true);
	});

	const of = (day: number) => ({ day: { number: day, since: NOW } });
	const aDayAgo = { day: { number: 0, since: NOW - DAY } };
	it.each<[string, ListState, boolean]>([
		['the end of a first reading that has read nothing', emitting(), true],
		[
			'the end of a problem',
			knownList([], { problem: { kind: 'emptied', at: 0, polls: 5, readingSince: 0 } }),
			true,
		],
		['a new day, although no record shows it', knownList([], aDayAgo), true],
		['not an empty list that stays empty', knownList([], of(3)), false],
	])('%s', async (_, list, expected) => {
		expect((await pollList(list, [])).hasLearned).toBe(expected);
	});

	function emitting(): ListState {
		const list = newList();
		return list.scan.kind === 'first' ? { ...list, scan: { ...list.scan, emits: 'all' } } : list;
	}
});

describe('the part that comes first in the next poll', () => {
	it('is the next one for which there was no time, not the gaps, of which one was begun', async () => {
		const records = [...KNOWN.slice(0, 200), ...numbered(150, 1_000), ...KNOWN.slice(200)];
		const list = knownList(KNOWN, { gaps: [200], tailNewsAt: NOW });
		const { list: after } = await pollList(list, records, { isSpent: () => true });
		expect([after.gaps, after.first]).toEqual([[200], 'tail']);
	});
});

it('a counted day lasts 24 hours, and a record that is read has the latest one', async () => {
	const few = ['a', 'b'];
	let list = knownList(few);
	for (const day of [1, 2, 3]) {
		({ list } = await pollList(list, ['a'], { now: NOW + day * DAY }));
		({ list } = await pollList(list, ['a'], { now: NOW + day * DAY + MINUTE }));
	}
	expect(list.day.number).toBe(3);
	expect([list.seen.get(hash53('a')), list.seen.get(hash53('b'))]).toEqual([
		{ value: '', day: 3, isDelivered: false },
		{ value: '', day: 0, isDelivered: false },
	]);
});

it('a record that was missing for thirty days of checks is forgotten, but not one that was not checked', async () => {
	let list = knownList(['a', 'b']);
	for (let day = 1; day <= 32; day++)
		({ list } = await pollList(list, ['a'], { now: NOW + day * DAY }));
	expect(['a', 'b'].map((id) => isKnown(list, id))).toEqual([true, false]);
	// A pause of a year counts as one day.
	const quiet = await pollList(knownList(['a', 'b']), ['a'], { now: NOW + 365 * DAY });
	expect(['a', 'b'].map((id) => isKnown(quiet.list, id))).toEqual([true, true]);
});
