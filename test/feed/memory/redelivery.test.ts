/**
 * Undoing the last delivery of another process, so that it is repeated: which records come again, which
 * stay staying, and what their list remembers then.
 */
import { hash53 } from '../../../nodes/LeadGenPublishing/feed/list/hash';
import { inHurry } from '../../../nodes/LeadGenPublishing/feed/list/scan';
import { Seen } from '../../../nodes/LeadGenPublishing/feed/list/seen';
import type { ListState } from '../../../nodes/LeadGenPublishing/feed/list/state';
import {
	againFirst,
	CONFIRMED_AFTER_MS,
	lastBatchAfter,
	resumeLastBatch,
} from '../../../nodes/LeadGenPublishing/feed/memory/redelivery';
import type { LastBatch } from '../../../nodes/LeadGenPublishing/feed/memory/state';
import { DAY, knownList, NOW } from '../list/lists';

type BatchRecord = LastBatch['records'][string][number];

const HASH = hash53('a');
const KEY = `own ${HASH}`;
const FAST: Partial<ListState> = { scan: inHurry(knownList([]), NOW).scan };

/** The last batch of one process, found by another one, or by the same. */
function resume(
	records: BatchRecord[],
	{ process = 'other', list = knownList(['a', 'b']) }: { process?: string; list?: ListState } = {},
) {
	const lists = new Map([['own', { list, readAt: NOW }]]);
	const lastBatch = { process: 'this', records: { 'not watched': records, own: records } };
	const resumed = resumeLastBatch(lastBatch, { lists, process, now: NOW });
	return { ...resumed, list: lists.get('own')?.list, before: list };
}

describe('the last batch of another process', () => {
	it.each([1, 2])('takes a record back that was delivered %i times', (times) => {
		const one: BatchRecord = [HASH, null, times, NOW - DAY];
		const { again, staying, list } = resume([one]);
		expect([...again]).toEqual([[KEY, times]]);
		expect(staying).toEqual({ own: [one] });
		expect(list?.seen.get(HASH)).toBeUndefined();
		expect(list?.seen.get(hash53('b'))).toBeDefined();
		// It may be anywhere in the list by now.
		expect(list).toMatchObject({ scan: { pace: 'fast' }, tailNewsAt: NOW });
	});

	it('leaves a record that was delivered three times', () => {
		const { again, staying, list, before } = resume([[HASH, null, 3, NOW]]);
		expect([[...again], staying]).toEqual([[], {}]);
		expect(list).toBe(before);
	});

	it('counts as not delivered, and is remembered as it was before', () => {
		const delivered = { value: '1', day: 0, isDelivered: true };
		const seen = new Seen('', 1).with(
			new Map(['a', 'b', 'c'].map((id) => [hash53(id), delivered] as const)),
		);
		const batch: BatchRecord[] = [
			[HASH, '0', 1, NOW],
			[hash53('b'), '1', 2, NOW],
		];
		const { list } = resume(batch, { list: knownList([], { seen }) });
		expect(['a', 'b', 'c'].map((id) => list?.seen.get(hash53(id)))).toEqual([
			{ ...delivered, value: '0', isDelivered: false },
			{ ...delivered, isDelivered: false },
			delivered,
		]);
	});

	it('of two deliveries of a record restores what was known before the first', () => {
		const { list } = resume([
			[HASH, null, 1, NOW],
			[HASH, 'once', 1, NOW],
		]);
		expect(list?.seen.get(HASH)).toBeUndefined();
	});
});

describe('the own last batch', () => {
	const mine = { process: 'this' };

	it.each<[string, number, boolean]>([
		['until n8n has confirmed it', NOW, true],
		['until the last moment', NOW - CONFIRMED_AFTER_MS + 1, true],
		['no longer than that', NOW - CONFIRMED_AFTER_MS, false],
		['no longer after the clock was set back', NOW + CONFIRMED_AFTER_MS, false],
	])('stays %s, and nothing comes again', (_, at, stays) => {
		const one: BatchRecord = [HASH, null, 1, at];
		const { again, staying, list, before } = resume([one], mine);
		expect([[...again], staying]).toEqual([[], stays ? { own: [one] } : {}]);
		expect(list).toBe(before);
	});

	it.each<[string, ListState, string | null, boolean]>([
		['it was taken back and not read since', knownList(['b'], FAST), null, true],
		['it has been read since', knownList(['a'], FAST), null, false],
		['nobody looks for it any more', knownList(['b']), null, false],
		['its earlier version is still the known one', knownList(['a'], FAST), '', true],
	])('of an earlier poll: %s', (_, list, known, comesAgain) => {
		const one: BatchRecord = [HASH, known, 2, NOW - DAY];
		const { again, staying, ...after } = resume([one], { ...mine, list });
		expect([...again]).toEqual(comesAgain ? [[KEY, 2]] : []);
		expect(staying).toEqual(comesAgain ? { own: [one] } : {});
		expect(after.list).toBe(list);
	});
});

it('nothing is taken back without a last batch', () => {
	const lists = new Map([['own', { list: knownList(['a']), readAt: NOW }]]);
	const resumed = resumeLastBatch(undefined, { lists, process: 'this', now: NOW });
	expect(resumed).toEqual({ again: new Map(), staying: {} });
});

describe('what is delivered', () => {
	const found = (name: string, previousValue?: string) => ({
		...{ account: 'own', hash: hash53(name), record: { id: name }, value: '', previousValue },
	});
	const resumed = {
		again: new Map([[KEY, 2]]),
		staying: {
			own: [[HASH, 'known', 2, 5] satisfies BatchRecord, [7, null, 1, 5] satisfies BatchRecord],
		},
	};

	it('is staying with how often it was delivered, and what was known before', () => {
		const delivered = [found('a', 'known'), found('b')];
		expect(lastBatchAfter(delivered, resumed, { process: 'this', now: NOW })).toEqual({
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
