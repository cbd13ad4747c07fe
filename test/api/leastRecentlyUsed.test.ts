/** A map of limited size: what was not used for the longest time leaves first. */
import { LeastRecentlyUsed } from '../../nodes/LeadGenPublishing/api/leastRecentlyUsed';

it('holds as many as it may, and drops what was not used for the longest time', () => {
	const made: string[] = [];
	const map = new LeastRecentlyUsed<string | undefined>(2);
	const get = (key: string) =>
		map.getOrAdd(key, () => {
			made.push(key);
			return key === 'nothing' ? undefined : `of ${key}`;
		});
	expect(['a', 'b', 'a', 'b'].map(get)).toEqual(['of a', 'of b', 'of a', 'of b']);
	get('a');
	get('c');
	expect(get('a')).toBe('of a');
	expect(made).toEqual(['a', 'b', 'c']);
	get('b');
	get('c');
	expect(made).toEqual(['a', 'b', 'c', 'b', 'c']);
	// What was made may be anything, also nothing.
	expect([get('nothing'), get('nothing')]).toEqual([undefined, undefined]);
	expect(made.filter((key) => key === 'nothing')).toHaveLength(1);
});
