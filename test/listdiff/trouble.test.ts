/** Answers that may hide records, where a poll is too slow to look a second time. */
import type { ListPage } from '../../nodes/LeadGenPublishing/listdiff/page';
import { knownList, MINUTE, NOW, pollList } from './lists';

const EMPTY = { records: [], limit: 100, offset: 0 };
const slow = { isSpent: () => true };

describe('a poll that has time for one page only', () => {
	it.each<[string, ListPage]>([
		['blank', { ...EMPTY, hasMore: true }],
		['misplaced', { records: [{ id: '7' }], limit: 100, offset: 100, hasMore: false }],
		['emptied', { ...EMPTY, hasMore: false }],
	])(
		'counts the first look, so the fifth such poll knows a lasting trouble: %s',
		async (kind, page) => {
			let list = knownList(['1']);
			const polls: unknown[] = [];
			for (let poll = 1; poll <= 5; poll++) {
				const polled = await pollList(list, () => page, { ...slow, now: NOW + poll * MINUTE });
				list = polled.list;
				polls.push([list.trouble.kind, 'polls' in list.trouble && list.trouble.polls]);
				expect(polled.asked).toEqual([0]);
			}
			expect(polls).toEqual([1, 2, 3, 4, 5].map((count) => [kind, count]));
		},
	);

	it('then takes an empty list for empty, so that its complete check ends', async () => {
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
		expect(doubtful.list.trouble.kind).toBe('emptied');
		const { list, ids } = await pollList(doubtful.list, ['2', '1'], slow);
		expect([list.trouble.kind, ids]).toEqual(['none', ['2']]);
	});
});
