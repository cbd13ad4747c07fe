import type { Post } from '../../../../fake-service';
import { markerOf, rowsOf } from './calendar';
import { isGood, judge } from './verdict';

const NOW = Date.parse('2026-03-02T09:00:00Z');
const rows = rowsOf(3, NOW);
const post = (place: number, change: Partial<Post> = {}) => {
	const row = rows[place];
	if (row === undefined) throw new Error('there is no such row');
	const { text, time: scheduled_at } = row;
	return { text, scheduled_at, notes: markerOf(row), ...change } as Post;
};
const good = [post(0), post(1), post(2)];
const withKeys = (posts: Post[]) => judge(posts, { rows, withKeys: true });
const withoutKeys = (posts: Post[]) => judge(posts, { rows, withKeys: false });

describe('the verdict on the posts of a calendar', () => {
	it('is good if each row has its post once, whatever else there is', () => {
		const verdict = withKeys([...good, { text: 'Another', notes: null } as Post]);
		expect(verdict).toEqual({ missing: [], twice: [], surplus: 0, different: [] });
		expect(isGood(verdict)).toBe(true);
	});

	it('names what is missing', () => {
		const verdict = withKeys(good.slice(1));
		expect(verdict).toMatchObject({ missing: ['row-1'], twice: [] });
		expect(isGood(verdict)).toBe(false);
	});

	it.each([
		['by text and key', {}],
		['by text alone', { notes: null }],
		['by key alone', { text: 'Changed' }],
	])('names what is there twice %s', (_, change) => {
		const verdict = withKeys([...good, post(1, change)]);
		expect(verdict).toMatchObject({ missing: [], twice: ['row-2'], surplus: 1 });
		expect(isGood(verdict)).toBe(false);
	});

	it('does not take the key of another row for its own', () => {
		const many = rowsOf(10, NOW);
		const tenth = { ...post(0, { text: 'Other' }), notes: markerOf(many[9]!) };
		expect(withKeys([...good, tenth])).toMatchObject({ twice: [] });
	});

	it('names what has not its text, its time or its key', () => {
		const other = [
			post(0, { text: 'Other' }),
			post(1, { scheduled_at: rows[0]?.time }),
			post(2, { notes: null }),
		];
		const verdict = withKeys(other);
		expect(verdict).toMatchObject({ missing: [], different: ['row-1', 'row-2', 'row-3'] });
		expect(isGood(verdict)).toBe(false);
	});

	it('goes by the text alone without keys', () => {
		const posts = () => good.map((one) => ({ ...one, notes: null }));
		expect(isGood(withoutKeys(posts()))).toBe(true);
		const twice = [...posts(), ...posts(), ...posts().slice(0, 1)];
		expect(withoutKeys(twice)).toMatchObject({ twice: rows.map(({ row }) => row), surplus: 4 });
	});
});
