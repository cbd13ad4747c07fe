/**
 * Undoing the last delivery of another process, so that it is repeated: which records come again, which
 * stay marked, and what their list remembers then.
 */
import { hash53 } from '../../../nodes/LeadGenPublishing/feed/list/hash';
import { inHurry } from '../../../nodes/LeadGenPublishing/feed/list/scan';
import type { ListState } from '../../../nodes/LeadGenPublishing/feed/list/state';
import {
	againFirst,
	CONFIRMED_AFTER_MS,
	markDelivered,
	resumeLastBatch,
} from '../../../nodes/LeadGenPublishing/feed/memory/redelivery';
import type { Mark } from '../../../nodes/LeadGenPublishing/feed/memory/state';
import { DAY, knownList, NOW } from '../list/lists';

type Marked = Mark['records'][string][number];

const HASH = hash53('a');
const KEY = `own ${HASH}`;
const FAST: Partial<ListState> = { scan: inHurry(knownList([]), NOW).scan };

/** A mark of one process, met by another one, or by the same. */
function resume(
	records: Marked[],
	{ process = 'other', list = knownList(['a', 'b']) }: { process?: string; list?: ListState } = {},
) {
	const lists = new Map([['own', { list, readAt: NOW }]]);
	const mark = { process: 'this', records: { 'not watched': records, own: records } };
	const resumed = resumeLastBatch(mark, { lists, process, now: NOW });
	return { ...resumed, list: lists.get('own')?.list, before: list };
}

describe('the mark of another process', () => {
	it.each([1, 2])('takes a record back that was delivered %i times', (times) => {
		const one: Marked = [HASH, null, times, NOW - DAY];
		const { again, marked, list } = resume([one]);
		expect([...again]).toEqual([[KEY, times]]);
		expect(marked).toEqual({ own: [one] });
		expect(list?.seen.get(HASH)).toBeUndefined();
		expect(list?.seen.get(hash53('b'))).toBeDefined();
		// It may be anywhere in the list by now.
		expect(list).toMatchObject({ scan: { pace: 'fast' }, tailNewsAt: NOW });
	});

	it('leaves a record that was delivered three times', () => {
		const { again, marked, list, before } = resume([[HASH, null, 3, NOW]]);
		expect([[...again], marked]).toEqual([[], {}]);
		expect(list).toBe(before);
	});

	it('of two deliveries of a record restores what was known before the first', () => {
		const { list } = resume([
			[HASH, null, 1, NOW],
			[HASH, 'once', 1, NOW],
		]);
		expect(list?.seen.get(HASH)).toBeUndefined();
	});
});

describe('the own mark', () => {
	const mine = { process: 'this' };

	it.each<[string, number, boolean]>([
		['until n8n has confirmed it', NOW, true],
		['until the last moment', NOW - CONFIRMED_AFTER_MS + 1, true],
		['no longer than that', NOW - CONFIRMED_AFTER_MS, false],
		['no longer after the clock was set back', NOW + CONFIRMED_AFTER_MS, false],
	])('stays %s, and nothing comes again', (_, at, stays) => {
		const one: Marked = [HASH, null, 1, at];
		const { again, marked, list, before } = resume([one], mine);
		expect([[...again], marked]).toEqual([[], stays ? { own: [one] } : {}]);
		expect(list).toBe(before);
	});

	it.each<[string, ListState, string | null, boolean]>([
		['it was taken back and not met since', knownList(['b'], FAST), null, true],
		['it has been met since', knownList(['a'], FAST), null, false],
		['nobody looks for it any more', knownList(['b']), null, false],
		['its earlier version is still the known one', knownList(['a'], FAST), '', true],
	])('of an earlier poll: %s', (_, list, known, comesAgain) => {
		const one: Marked = [HASH, known, 2, NOW - DAY];
		const { again, marked, ...after } = resume([one], { ...mine, list });
		expect([...again]).toEqual(comesAgain ? [[KEY, 2]] : []);
		expect(marked).toEqual(comesAgain ? { own: [one] } : {});
		expect(after.list).toBe(list);
	});
});

it('nothing is taken back without a mark', () => {
	const lists = new Map([['own', { list: knownList(['a']), readAt: NOW }]]);
	const resumed = resumeLastBatch(undefined, { lists, process: 'this', now: NOW });
	expect(resumed).toEqual({ again: new Map(), marked: {} });
});

describe('what is delivered', () => {
	const found = (name: string, previousValue?: string) => ({
		...{ account: 'own', hash: hash53(name), record: { id: name }, value: '', previousValue },
	});
	const resumed = {
		again: new Map([[KEY, 2]]),
		marked: { own: [[HASH, 'known', 2, 5] satisfies Marked, [7, null, 1, 5] satisfies Marked] },
	};

	it('is marked with how often it was delivered, and what was known before', () => {
		const delivered = [found('a', 'known'), found('b')];
		expect(markDelivered(delivered, resumed, { process: 'this', now: NOW })).toEqual({
			process: 'this',
			records: {
				own: [
					[7, null, 1, 5],
					[HASH, 'known', 3, NOW],
					[hash53('b'), null, 1, NOW],
				],
			},
		});
	});

	it('begins with what comes again', () => {
		const all = [found('b'), found('a'), found('c')];
		const ids = againFirst(all, resumed).map(({ record }) => record.id);
		expect(ids).toEqual(['a', 'b', 'c']);
	});
});
