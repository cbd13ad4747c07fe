/** Whether a record that nobody has seen before has just appeared. */
import type { JsonRecord } from '../../nodes/LeadGenPublishing/api/schemas';
import { isNewRecord } from '../../nodes/LeadGenPublishing/listdiff/newness';
import {
	beginPass,
	type HeldBack,
	type Scan,
	type Trouble,
} from '../../nodes/LeadGenPublishing/listdiff/state';

import { HOUR, NOW } from './lists';

const OLD = { id: 'a', created_at: NOW - HOUR };
const YOUNG = { id: 'a', created_at: NOW + HOUR };
const UNDATED = { id: 'a' };
const NONE: Trouble = { kind: 'none' };

const first = (after: number | 'unset', emits = false): Scan => ({
	kind: 'first',
	pass: beginPass(NOW),
	after,
	emits,
	tries: 0,
});
const check = (heldBack: HeldBack): Scan => ({
	kind: 'check',
	pass: beginPass(NOW),
	pace: 'usual',
	heldBack,
});
const HOLDING = check({ kind: 'untilChecked', after: NOW, checks: 1 });
const TRUSTING = check({ kind: 'none' });

const here = { position: 150, isAboveKnown: false };

it.each<[string, Scan, { old: boolean; young: boolean; undated: boolean }]>([
	['in a first reading', first(NOW), { old: false, young: true, undated: false }],
	['in one that knows no time yet', first('unset'), { old: false, young: false, undated: false }],
	['where all is delivered', first(NOW, true), { old: true, young: true, undated: true }],
	['until two checks have ended', HOLDING, { old: false, young: true, undated: true }],
	['afterwards', TRUSTING, { old: true, young: true, undated: true }],
])('%s', (_, scan, { old, young, undated }) => {
	const isNew = (record: JsonRecord) => isNewRecord({ scan, trouble: NONE }, record, here);
	const records: JsonRecord[] = [OLD, YOUNG, UNDATED];
	expect(records.map(isNew)).toEqual([old, young, undated]);
});

it('what was created at that very time was there', () => {
	const record = { id: 'a', created_at: NOW };
	expect(isNewRecord({ scan: HOLDING, trouble: NONE }, record, here)).toBe(false);
});

describe('where the first reading could not get to the end', () => {
	it.each<[string, Trouble, { position: number; isAboveKnown: boolean }, boolean]>([
		['before a blank page', { kind: 'blank', at: 200, shown: 210, polls: 5 }, here, true],
		['after a blank page', { kind: 'blank', at: 100, shown: 110, polls: 5 }, here, false],
		['after one that may pass', { kind: 'blank', at: 100, shown: 110, polls: 4 }, here, true],
		['where all was blank', { kind: 'blank', at: 0, shown: 0, polls: 5 }, here, true],
		[
			'below known records of a repeated page',
			{ kind: 'repeating', at: 90, shown: 90, polls: 5 },
			here,
			false,
		],
		[
			'above known records of a repeated page',
			{ kind: 'repeating', at: 90, shown: 90, polls: 5 },
			{ position: 3, isAboveKnown: true },
			true,
		],
		['where the service refuses offsets', { kind: 'refused', at: 100, shown: 100 }, here, false],
	])('a record without a time is new by its place: %s', (_, trouble, standing, expected) => {
		expect(isNewRecord({ scan: HOLDING, trouble }, UNDATED, standing)).toBe(expected);
		// A creation time decides it alone.
		expect(isNewRecord({ scan: HOLDING, trouble }, YOUNG, standing)).toBe(true);
		expect(isNewRecord({ scan: HOLDING, trouble }, OLD, standing)).toBe(false);
	});
});
