/** The end of a list, and what appears there. */
import type { ListRules } from '../../../nodes/LeadGenPublishing/feed/list/rules';
import type { ListState, ListProblem } from '../../../nodes/LeadGenPublishing/feed/list/state';
import { isTailDue } from '../../../nodes/LeadGenPublishing/feed/list/tail';

import {
	DAY,
	knownList,
	MINUTE,
	newList,
	newRecords,
	NOW,
	numbered,
	pollList,
	pageOf,
} from './lists';

const KNOWN = numbered(450);
/** The next poll reads the tail: it is the fifth, or records just appeared there. */
const fifth = (ids = KNOWN, more: Partial<ListState> = {}) => knownList(ids, { polls: 4, ...more });
const grows = (ids = KNOWN) => knownList(ids, { tailNewsAt: NOW });

it('is read in every fifth poll', async () => {
	let list = knownList(KNOWN);
	const asked: number[] = [];
	for (let poll = 0; poll < 10; poll++) {
		const polled = await pollList(list, KNOWN);
		({ list } = polled);
		asked.push(polled.asked.length);
	}
	expect(asked).toEqual([1, 1, 1, 1, 2, 1, 1, 1, 1, 2]);
});

it('is read in each poll for a day after records appeared there', async () => {
	const records = [...KNOWN, 'new'];
	const found = await pollList(fifth(), records);
	expect(found.ids).toEqual(['new']);
	expect(found.list.tailNewsAt).toBe(NOW);
	const next = await pollList(found.list, [...records, 'newer'], { now: NOW + MINUTE });
	expect(next.ids).toEqual(['newer']);
	// That ends after a day without any.
	const { list } = next;
	const idle = { ...list, polls: 0 };
	const later = await pollList(idle, [...records, 'newer'], { now: NOW + MINUTE + DAY });
	expect(later.asked.filter((offset) => offset > 400)).toEqual([]);
	const before = await pollList(idle, [...records, 'newer'], { now: NOW + DAY });
	expect(before.asked.filter((offset) => offset > 400)).toHaveLength(1);
});

it('takes nothing from the head: records that appear there after an import come with the next poll', async () => {
	const records = [...KNOWN, ...numbered(30, 1_000)];
	let { ids, list } = await pollList(fifth(), records);
	expect(ids).toHaveLength(30);
	for (let poll = 1; poll <= 12; poll++) {
		records.unshift(`head ${poll}`);
		({ ids, list } = await pollList(list, records, { now: NOW + poll * MINUTE }));
		expect(ids).toEqual([`head ${poll}`]);
	}
});

it.each([
	[1, 2],
	[80, 2],
	[90, 2],
	[91, 3],
	[400, 6],
])('with %i new records takes %i requests in all', async (count, most) => {
	const added = numbered(count, 1_000);
	const { ids, asked } = await pollList(grows(), [...KNOWN, ...added]);
	expect(ids).toEqual(added);
	expect(asked.length).toBeLessThanOrEqual(most + 1);
});

it('delivers one batch per poll, and the next poll continues where it ended', async () => {
	const added = numbered(250, 1_000);
	let list = grows();
	const found: unknown[] = [];
	for (let poll = 0; poll < 4; poll++) {
		const polled = await pollList(list, [...KNOWN, ...added], {
			quota: 100,
			now: NOW + poll * MINUTE,
		});
		({ list } = polled);
		found.push(...polled.ids);
		expect(polled.ids).toHaveLength([100, 100, 50, 0][poll] ?? 0);
	}
	expect(found).toEqual(added);
});

it.each([1, 30, 200, 449])('is found again where %i records have gone', async (gone) => {
	const records = [...KNOWN.slice(gone), 'new'];
	const { ids, list } = await pollList(grows(), records);
	expect(ids).toEqual(['new']);
	expect(list.end).toBe(records.length);
});

it('is found far below if a list has grown among its known records', async () => {
	const more = numbered(3_000, 10_000);
	const list = { ...grows([...KNOWN, ...more]), end: 450 };
	const { ids, asked } = await pollList(list, [...KNOWN, ...more, 'new']);
	expect(ids).toEqual(['new']);
	expect(asked.length).toBeLessThanOrEqual(15);
});

it('is read page by page from where unknown records begin, however far below', async () => {
	const added = numbered(250, 1_000);
	const records = [...KNOWN.slice(0, 350), ...added, ...KNOWN.slice(350)];
	const { ids } = await pollList(fifth(KNOWN, { end: 100 }), records);
	expect(ids).toEqual(added);
});

it('is no reason to read on if the service always announces more', async () => {
	const { asked } = await pollList(grows(), (request) => ({
		...pageOf(KNOWN, request),
		hasMore: true,
	}));
	expect(asked.length).toBeLessThanOrEqual(20);
});

it.each<[string, ListProblem]>([
	['refused', { kind: 'refused', at: 200 }],
	['repeated', { kind: 'repeating', at: 90, polls: 5, readingSince: 0 }],
])('is not looked for where pages are %s', async (_, problem) => {
	const { asked } = await pollList(fifth(KNOWN, { problem }), KNOWN);
	expect(asked.filter((offset) => offset > 300)).toEqual([]);
});

it.each([1, 40, 300])(
	'is found again where %i records have gone and the service refuses what is behind the end',
	async (gone) => {
		const records = [...KNOWN.slice(gone), 'new'];
		const { ids, list } = await pollList(grows(), (request) =>
			request.offset >= records.length ? { kind: 'refused' } : pageOf(records, request),
		);
		expect(ids).toEqual(['new']);
		expect(list.end).toBe(records.length);
		expect(list.problem.kind).toBe('none');
	},
);

it('is found from above if only new records are in the place of the last known ones', async () => {
	const added = numbered(150, 1_000);
	const { ids } = await pollList(grows(), [...KNOWN.slice(0, 330), ...added]);
	expect(ids).toEqual(added);
});

it('is found in growing steps if it has moved far down past known records, and no further', async () => {
	const records = numbered(1_000);
	const { asked, list } = await pollList(
		knownList(records, { end: 100, tailNewsAt: NOW }),
		records,
	);
	expect(asked).toEqual([0, 90, 180, 360, 720, 1_440, 1_080, 900]);
	expect(list.end).toBe(1_000);
});

it('is read from its first new record if it has moved far down', async () => {
	const [known, added] = [numbered(850), numbered(150, 1_000)];
	const { ids } = await pollList(knownList(known, { end: 100, tailNewsAt: NOW }), [
		...known,
		...added,
	]);
	expect(new Set(ids)).toEqual(new Set(added));
});

describe('the tail is due', () => {
	const quiet = { polls: 1, tailNewsAt: NOW - DAY } as const;

	it.each<[string, Partial<ListState>, boolean]>([
		['not without news for a day', quiet, false],
		['for a day after its last news', { ...quiet, tailNewsAt: NOW - DAY + 1 }, true],
		['not after news from the future', { ...quiet, tailNewsAt: NOW + DAY }, false],
		['in one of five polls', { ...quiet, polls: 0 }, true],
		['if the last poll had no time for it', { ...quiet, first: 'tail' }, true],
		['not in a first reading', { polls: 0, scan: newList().scan }, false],
		[
			'not if the service rejects later offsets',
			{ polls: 0, problem: { kind: 'refused', at: 90 } },
			false,
		],
		[
			'not if all offsets show the same',
			{ polls: 0, problem: { kind: 'repeating', at: 90, polls: 1, readingSince: 0 } },
			false,
		],
		[
			'if a page was blank',
			{ polls: 0, problem: { kind: 'blank', at: 90, polls: 1, readingSince: 0 } },
			true,
		],
	])('%s', (_, state, expected) => {
		expect(isTailDue(knownList(['a'], state), NOW)).toBe(expected);
	});
});

it('delivers one batch of changes per poll, also if the last record has not changed', async () => {
	const changed = new Set(numbered(9, 440));
	const rules: ListRules = {
		...{ ...newRecords, kind: 'change', width: 1 },
		compare: ({ id }, known) => {
			const value = changed.has(String(id)) ? '1' : '0';
			return { value, meaning: { kind: known === value ? 'same' : 'news' } };
		},
	};
	const known = fifth();
	let list = { ...known, seen: known.seen.valued(1, () => '0') };
	const counts: number[] = [];
	for (let poll = 0; poll < 4; poll++) {
		const polled = await pollList(list, KNOWN, {
			...{ rules, quota: 4 },
			now: NOW + poll * MINUTE,
		});
		({ list } = polled);
		counts.push(polled.ids.length);
	}
	expect(counts).toEqual([4, 4, 1, 0]);
});
