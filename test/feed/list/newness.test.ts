/** Whether a record that was never seen before is new. */
import type { JsonRecord } from '../../../nodes/LeadGenPublishing/api/schemas';
import { isNewRecord } from '../../../nodes/LeadGenPublishing/feed/list/newness';
import {
	beginWholeReading,
	type Emits,
	type ExistingRecords,
	type Scan,
} from '../../../nodes/LeadGenPublishing/feed/list/state';

import { HOUR, NOW } from './lists';

const OLD = { id: 'a', created_at: NOW - HOUR };
const YOUNG = { id: 'a', created_at: NOW + HOUR };
const UNDATED = { id: 'a' };

const first = (after: number | 'unset', emits: Emits = 'nothing'): Scan => ({
	kind: 'first',
	reading: beginWholeReading(NOW),
	after,
	emits,
	firstReadAt: undefined,
	tries: 0,
	isStopped: false,
});
const check = (existing: ExistingRecords): Scan => ({
	kind: 'check',
	reading: beginWholeReading(NOW),
	pace: 'usual',
	existing,
	emits: 'nothing',
});
const holding = (readTo: number | 'end') =>
	check({ kind: 'firstDay', after: NOW, since: NOW, isDoubtful: false, checks: 1, readTo });
const HOLDING = holding('end');
const TRUSTING = check({ kind: 'none' });

const here = { position: 150, isAboveKnown: false, entersLate: false };

it.each<[string, Scan, { old: boolean; young: boolean; undated: boolean }]>([
	['in a first reading', first(NOW), { old: false, young: true, undated: false }],
	['in one that knows no time yet', first('unset'), { old: false, young: false, undated: false }],
	['where all is delivered', first(NOW, 'all'), { old: true, young: true, undated: true }],
	[
		'where all since a time is delivered',
		first(NOW, NOW - 2 * HOUR),
		{ old: true, young: true, undated: false },
	],
	['on the first day', HOLDING, { old: false, young: true, undated: true }],
	['afterwards', TRUSTING, { old: true, young: true, undated: true }],
])('%s', (_, scan, { old, young, undated }) => {
	const isNew = (record: JsonRecord) => isNewRecord(scan, record, here);
	const records: JsonRecord[] = [OLD, YOUNG, UNDATED];
	expect(records.map(isNew)).toEqual([old, young, undated]);
});

it('a record that was created at exactly that time is not new', () => {
	const record = { id: 'a', created_at: NOW };
	expect(isNewRecord(HOLDING, record, here)).toBe(false);
	expect(isNewRecord(first(NOW), record, here)).toBe(false);
});

it('if records enter the list late, their creation time holds back only in a first reading', () => {
	const late = { ...here, entersLate: true };
	expect(isNewRecord(HOLDING, OLD, late)).toBe(true);
	expect(isNewRecord(first(NOW), OLD, late)).toBe(false);
});

describe('if later pages fail again and again, a first reading', () => {
	const aboveKnown = { ...here, isAboveKnown: true };
	const at = (reached: number, { pagesElsewhere = 0, isStopped = true } = {}): Scan => {
		const scan = first(NOW);
		return { ...scan, isStopped, reading: { ...scan.reading, reached, pagesElsewhere } } as Scan;
	};

	it('takes an unknown record above a known one for new, where it has read before', () => {
		expect(isNewRecord(at(151), UNDATED, aboveKnown)).toBe(true);
		expect(isNewRecord(at(151), OLD, aboveKnown)).toBe(false);
		expect(isNewRecord(at(151), UNDATED, here)).toBe(false);
	});

	it.each([
		['where it has not read yet', at(150)],
		[
			'if it knows records of other pages, because it has searched for its place',
			at(151, { pagesElsewhere: 1 }),
		],
		['if it still advances', at(151, { isStopped: false })],
	])('takes it for an old one %s', (_, scan) => {
		expect(isNewRecord(scan, UNDATED, aboveKnown)).toBe(false);
	});
});

describe('if the first reading could not reach the end', () => {
	it.each([
		['above the place it came to', 200, here, true],
		['below it', 100, here, false],
		['below it, and above a known record', 100, { ...here, isAboveKnown: true }, true],
	] as const)(
		'a record without a time is new by its place: %s',
		(_, readTo, standing, expected) => {
			const scan = holding(readTo);
			expect(isNewRecord(scan, UNDATED, standing)).toBe(expected);
			// If there is a creation time, it alone decides.
			expect(isNewRecord(scan, YOUNG, standing)).toBe(true);
			expect(isNewRecord(scan, OLD, standing)).toBe(false);
		},
	);
});
