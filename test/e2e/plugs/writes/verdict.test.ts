import type { Post } from '../../../../fake-service';
import { markerOf, rowsOf } from './calendar';
import { isGood, judge, type Verdict } from './verdict';

const NOW = Date.parse('2026-03-02T09:00:00Z');
const rows = rowsOf(3, NOW);
const many = rowsOf(10, NOW);
const post = (place: number, change: Partial<Post> = {}) => {
	const { text = '', time, row = '' } = rows[place] ?? {};
	return { text, scheduled_at: time, notes: markerOf({ row }), ...change } as Post;
};
const good = [post(0), post(1), post(2)];
const unkeyed = good.map((one) => ({ ...one, notes: null }));
const found = (verdict: Partial<Verdict> = {}): Verdict => ({
	...{ missing: [], twice: [], surplus: 0, different: [] },
	...verdict,
});
const second = (different: string[] = ['row-2']) =>
	found({ twice: ['row-2'], surplus: 1, different });

it.each<[what: string, withKeys: boolean, posts: Post[], verdict: Verdict]>([
	['each row once', true, [...good, { text: 'Another', notes: null } as Post], found()],
	['a row without a post', true, good.slice(1), found({ missing: ['row-1'] })],
	['one twice by text and key', true, [...good, post(1)], second([])],
	['one twice by text', true, [...good, post(1, { notes: null })], second()],
	['one twice by key', true, [...good, post(1, { text: 'Changed' })], second()],
	[
		'the key of another row',
		true,
		[...good, { ...post(0, { text: 'Other' }), notes: markerOf(many[9] ?? { row: '' }) }],
		found(),
	],
	[
		'another text, time or key',
		true,
		[post(0, { text: 'Other' }), post(1, { scheduled_at: NOW as never }), post(2, { notes: null })],
		found({ different: ['row-1', 'row-2', 'row-3'] }),
	],
	['texts alone, without keys', false, unkeyed, found()],
	[
		'texts twice, without keys',
		false,
		[
			...unkeyed,
			...unkeyed.map((one) => ({ ...one })),
			...unkeyed.slice(0, 1).map((one) => ({ ...one })),
		],
		found({ twice: rows.map(({ row }) => row), surplus: 4 }),
	],
])('the verdict on the posts of a calendar with %s', (_, withKeys, posts, verdict) => {
	const judged = judge(posts, { rows, withKeys });
	expect(judged).toEqual(verdict);
	expect(isGood(judged)).toBe(
		JSON.stringify({ ...verdict, surplus: 0 }) === JSON.stringify(found()),
	);
});
