/** The remembered records of one list. */
import { hash53 } from '../../../nodes/LeadGenPublishing/feed/list/hash';
import { nextDay, Seen } from '../../../nodes/LeadGenPublishing/feed/list/seen';

import { numbered } from './lists';

const remembered = (ids: readonly string[], value: string, day: number) =>
	new Map(ids.map((id) => [hash53(id), { value, day, isDelivered: false }]));

it('returns what was added, and nothing else', () => {
	const ids = numbered(500);
	const seen = new Seen('', 2).with(remembered(ids, 'ab', 7));
	expect(seen.size).toBe(500);
	for (const id of ids)
		expect(seen.get(hash53(id))).toEqual({ value: 'ab', day: 7, isDelivered: false });
	for (const id of numbered(500, 1_000)) expect(seen.get(hash53(id))).toBeUndefined();
});

it('replaces values, removes those that are undefined, and leaves the previous set unchanged', () => {
	const before = new Seen('', 1).with(remembered(['a', 'b', 'c'], '0', 0));
	const after = before.with(
		new Map([
			[hash53('a'), { value: '1', day: 5, isDelivered: false }],
			[hash53('b'), undefined],
			[hash53('never there'), undefined],
		]),
	);
	expect(['a', 'b', 'c'].map((id) => after.get(hash53(id))?.value)).toEqual(['1', undefined, '0']);
	expect([before.size, after.size]).toEqual([3, 2]);
	expect(before.get(hash53('b'))?.value).toBe('0');
});

it('takes ten characters for each record in addition to its value, in any order', () => {
	const ids = numbered(300);
	const one = new Seen('', 3).with(remembered(ids, 'abc', 1));
	let other = new Seen('', 3);
	for (const id of ids.toReversed()) other = other.with(remembered([id], 'abc', 1));
	expect(one.text).toHaveLength(300 * 13);
	expect(other.text).toBe(one.text);
});

it('remembers next to the day whether the record was delivered', () => {
	for (const day of [0, 31])
		for (const isDelivered of [true, false]) {
			const one = { value: 'x', day, isDelivered };
			const seen = new Seen('', 1).with(new Map([[hash53('a'), one]]));
			expect(seen.get(hash53('a'))).toEqual(one);
			expect(seen.valued(2, () => 'yz').get(hash53('a'))).toEqual({ ...one, value: 'yz' });
		}
});

describe('forgetting', () => {
	const after = (from: number, count: number): number =>
		numbered(count).reduce((day) => nextDay(day), from);

	it.each([0, 1, 15, 30, 31])(
		'keeps a record through thirty days from %i on, and not through thirty-one',
		(from) => {
			const seen = new Seen('', 0).with(remembered(['a'], '', from));
			expect(seen.forgotten(after(from, 30)).size).toBe(1);
			expect(seen.forgotten(after(from, 31)).size).toBe(0);
		},
	);

	it('affects only records that were not seen since', () => {
		const seen = new Seen('', 0)
			.with(remembered(['old'], '', 0))
			.with(remembered(['young'], '', 20));
		const left = seen.forgotten(31);
		expect([left.get(hash53('old')), left.get(hash53('young'))]).toEqual([
			undefined,
			{ value: '', day: 20, isDelivered: false },
		]);
	});
});
