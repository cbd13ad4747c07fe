/** Responses that may hide records, when a poll is too slow to look a second time. */
import type { ListPage } from '../../../nodes/LeadGenPublishing/feed/list/page';
import type { PageRequest } from '../../../nodes/LeadGenPublishing/api/pages';
import type { ListState, ListProblem } from '../../../nodes/LeadGenPublishing/feed/list/state';
import { check, knownList, MINUTE, newList, NOW, numbered, pageOf, pollList } from './lists';

const EMPTY = { records: [], limit: 100, offset: 0 };
const slow = { isSpent: () => true };

describe('a poll that has time for one page only', () => {
	it.each<[string, ListPage]>([
		['blank', { ...EMPTY, hasMore: true }],
		['misplaced', { records: [{ id: '7' }], limit: 100, offset: 100, hasMore: false }],
		['emptied', { ...EMPTY, hasMore: false }],
	])(
		'counts the first look, so the fifth such poll knows a lasting problem: %s',
		async (kind, page) => {
			let list = knownList(['1']);
			const polls: unknown[] = [];
			for (let poll = 1; poll <= 5; poll++) {
				const polled = await pollList(list, () => page, { ...slow, now: NOW + poll * MINUTE });
				list = polled.list;
				polls.push([list.problem.kind, 'polls' in list.problem && list.problem.polls]);
				expect(polled.asked).toEqual([0]);
			}
			expect(polls).toEqual([1, 2, 3, 4, 5].map((count) => [kind, count]));
		},
	);

	it('then accepts an empty list as empty, so that its complete check ends', async () => {
		let list = knownList(['1']);
		const ended: number[] = [];
		for (let poll = 1; poll <= 10; poll++) {
			const polled = await pollList(list, [], { ...slow, now: NOW + poll * MINUTE });
			list = polled.list;
			if (polled.checkedSince !== undefined) ended.push(poll);
		}
		// Not before the fifth poll. The parts of the list take turns in such a poll.
		expect(ended.length).toBeGreaterThan(0);
		expect(Math.min(...ended)).toBeGreaterThan(5);
	});

	it('forgets the doubt when the list shows records again', async () => {
		const doubtful = await pollList(knownList(['1']), [], slow);
		expect(doubtful.list.problem.kind).toBe('emptied');
		const { list, ids } = await pollList(doubtful.list, ['2', '1'], slow);
		expect([list.problem.kind, ids]).toEqual(['none', ['2']]);
	});
});

describe('a service that refuses everything from the 180th record on', () => {
	const problem = { kind: 'refused', at: 180 } as const;
	const refusing = (ids: readonly string[]) => (request: { offset: number; limit: number }) =>
		request.offset >= 180 ? ({ kind: 'refused' } as const) : pageOf(ids, request);
	const added = numbered(170, 1_000);

	it('is asked for all before it, and for nothing from there on: at the head', async () => {
		const many = numbered(270, 1_000);
		const serve = refusing([...many, ...numbered(100)]);
		const { asked, ids, list } = await pollList(knownList(numbered(100), { problem }), serve);
		expect([asked, ids]).toEqual([[0, 90], many.slice(0, 190)]);
		expect(list.problem).toEqual(problem);
	});

	it('at a gap', async () => {
		const list = knownList(numbered(120), { problem, gaps: [120] });
		const { asked, ids } = await pollList(list, refusing([...numbered(120), ...added]));
		expect([asked, ids]).toEqual([[0, 110], added.slice(0, 90)]);
	});

	it('has no tail to read', async () => {
		const list = knownList(numbered(120), { problem, tailNewsAt: NOW });
		const { asked } = await pollList(list, refusing([...numbered(120), ...added]));
		expect(asked).toEqual([0]);
	});

	it('is tried by a first reading, which then knows where the service ends the list', async () => {
		const { asked, list } = await pollList(newList(), refusing(numbered(400)));
		expect(asked).toEqual([0, 90, 180]);
		expect(list.problem).toEqual(problem);
	});
});

describe('a page that is blank although more is announced, behind the first one', () => {
	const blankFrom = (at: number, ids: readonly string[]) => (request: PageRequest) =>
		request.offset >= at
			? { records: [], limit: 100, offset: request.offset, hasMore: true }
			: pageOf(ids, request);
	const added = numbered(150, 1_000);

	it.each<[string, Partial<ListState>, readonly string[]]>([
		['at the head', {}, [...added, ...numbered(250)]],
		['at the tail', { tailNewsAt: NOW }, [...numbered(250), 'new']],
		['at a gap', { gaps: [110] }, [...numbered(110), ...added]],
	])('%s is the end after fifty more, and then costs little', async (_, more, ids) => {
		let list = knownList(numbered(250), more);
		const asked: number[] = [];
		for (let poll = 1; poll <= 90; poll++) {
			const polled = await pollList(list, blankFrom(90, ids), { now: NOW + poll * MINUTE });
			({ list } = polled);
			asked.push(polled.asked.length);
		}
		expect(list.problem).toMatchObject({ kind: 'endless' });
		expect(Math.max(...asked)).toBeLessThanOrEqual(16);
		expect(Math.min(...asked.slice(-20))).toBeLessThanOrEqual(3);
	});
});

describe('two pages that are in doubt for a moment, in one poll', () => {
	it('are each asked for twice, and leave no problem', async () => {
		const ids = [...numbered(250), 'new'];
		const seen = new Set<number>();
		const {
			asked,
			list,
			ids: delivered,
		} = await pollList(knownList(numbered(250), { tailNewsAt: NOW }), (request) => {
			const isFirst = !seen.has(request.offset);
			seen.add(request.offset);
			return isFirst ? { ...EMPTY, hasMore: true } : pageOf(ids, request);
		});
		expect(asked).toEqual([0, 0, 240, 240]);
		expect([list.problem.kind, delivered]).toEqual(['none', ['new']]);
	});
});

it('a first page that always says that it is another one is believed after five polls', async () => {
	let list = knownList(['1']);
	const polls: unknown[] = [];
	for (let poll = 1; poll <= 7; poll++) {
		const { asked, ids, ...polled } = await pollList(
			list,
			(request) => ({ ...pageOf(['new', '1'], request), offset: 100 }),
			{ now: NOW + poll * MINUTE },
		);
		list = polled.list;
		polls.push([asked.length, ids.length, list.problem.kind]);
	}
	expect(polls).toEqual([
		...Array.from({ length: 5 }, () => [2, 0, 'misplaced']),
		[1, 1, 'misplaced'],
		[1, 0, 'misplaced'],
	]);
});

it('pages that were blank before are read again where records came above them', async () => {
	const problem = { kind: 'blank', at: 90, polls: 3, readingSince: 0 } as const;
	const added = numbered(150, 1_000);
	const { ids } = await pollList(knownList(numbered(100), { problem }), [
		...added,
		...numbered(100),
	]);
	expect(ids).toEqual(added);
});

describe('a problem at the 90th record', () => {
	const blank = { kind: 'blank', at: 90, polls: 3, readingSince: 0 } as const;
	const repeating = { kind: 'repeating', at: 90, polls: 3, readingSince: 0 } as const;
	const misplaced = { kind: 'misplaced', at: 0, polls: 3, readingSince: 0 } as const;
	const refused = { kind: 'refused', at: 90 } as const;
	/** What is left of it after the page at this offset. */
	const leftAfter = async (at: number, problem: ListProblem) => {
		const overlap = { kind: 'unchecked', lastRecords: '', repeats: 0 } as const;
		const scan = check({ at, overlap }, 'fast');
		const ids = numbered(300);
		const state = knownList(ids, { problem, scan, first: 'scan' });
		const { list, asked } = await pollList(state, ids, slow);
		expect(asked).toEqual([at]);
		return list.problem.kind;
	};

	it.each<[string, number, ListProblem, ListProblem['kind']]>([
		['goes on after a page before it', 80, blank, 'blank'],
		['is over once its page shows records', 90, blank, 'none'],
		['goes on after a later page, which says nothing of this one', 130, blank, 'blank'],
		['is over once its page is not refused', 90, refused, 'none'],
		['goes on after a page before what is refused', 80, refused, 'refused'],
		['goes on if it is that pages repeat', 130, repeating, 'repeating'],
		['goes on if it is that of the first page', 130, misplaced, 'misplaced'],
		['is over once the first page says that it is the first', 0, misplaced, 'none'],
	])('%s', async (_, offset, problem, expected) => {
		expect(await leftAfter(offset, problem)).toBe(expected);
	});
});
