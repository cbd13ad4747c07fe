/** The verdict on the posts of a calendar: none missing, none twice, none different. */
import type { Post } from '../../../fake-service';
import { markerOf, rowsOf } from './calendar';
import { isGood, judge, type Verdict } from './verdict';

const NOW = Date.parse('2026-03-02T09:00:00Z');
const rows = rowsOf(3, NOW);
const post = (place: number, change: Partial<Post> = {}) => {
	const { text = '', time, row = '' } = rows[place] ?? {};
	return { text, scheduled_at: time, notes: markerOf({ row }), ...change } as Post;
};
const good = [post(0), post(1), post(2)];
const unkeyed = good.map((one) => ({ ...one, notes: null }));
const other = { text: 'Other' };

it.each<[what: string, withKeys: boolean, posts: readonly Post[], wrong: Partial<Verdict>]>([
	['each row once', true, [...good, post(9, { ...other, notes: null })], {}],
	['a row without a post', true, good.slice(1), { missing: ['row-1'] }],
	['one twice by text and key', true, [...good, post(1)], { twice: ['row-2'] }],
	[
		'one twice by text',
		...([true, [...good, post(1, { notes: null })]] as const),
		{ twice: ['row-2'], different: ['row-2'] },
	],
	[
		'one twice by key',
		...([true, [...good, post(1, other)]] as const),
		{ twice: ['row-2'], different: ['row-2'] },
	],
	[
		'the key of another row',
		true,
		[...good, post(0, { ...other, notes: '[unique-key: row-10]' })],
		{},
	],
	[
		'another text, time or key',
		true,
		[post(0, other), post(1, { scheduled_at: NOW as never }), post(2, { notes: null })],
		{ different: ['row-1', 'row-2', 'row-3'] },
	],
	['texts alone, without keys', false, unkeyed, {}],
	[
		'texts twice, without keys',
		...([false, [...unkeyed, ...unkeyed]] as const),
		{ twice: ['row-1', 'row-2', 'row-3'] },
	],
])('the verdict on the posts of a calendar with %s', (_, withKeys, posts, wrong) => {
	const judged = judge(posts, { rows, withKeys });
	expect(judged).toEqual({ missing: [], twice: [], different: [], ...wrong });
	expect(isGood(judged)).toBe(Object.keys(wrong).length === 0);
});
