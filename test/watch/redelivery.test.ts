/**
 * Undoing the last delivery of another process, so that it is repeated: cases that `delivery.test.ts`
 * cannot produce with polls.
 */
import { hash53 } from '../../nodes/LeadGenPublishing/listdiff/hash';
import { resumeLastBatch } from '../../nodes/LeadGenPublishing/watch/redelivery';
import { knownList, NOW } from '../listdiff/lists';

it('a record that was delivered twice is known again as it was before the first time', () => {
	const hash = hash53('a');
	const lists = new Map([['own', { list: knownList(['a']), readAt: NOW }]]);
	const mark = {
		process: 'before',
		records: {
			own: [
				[hash, null, 1, NOW],
				[hash, 'once', 1, NOW],
			] satisfies Array<[number, string | null, number, number]>,
		},
	};
	resumeLastBatch(mark, { lists, process: 'now', now: NOW });
	expect(lists.get('own')?.list.seen.get(hash)).toBeUndefined();
});
