/** How long a list that is not watched is remembered. */
import { markUnwatched } from '../../../nodes/LeadGenPublishing/feed/lists/beginLists';
import type { RememberedList } from '../../../nodes/LeadGenPublishing/feed/memory/state';
import { DAY, knownList, NOW } from '../list/lists';

/** After polls at these times, in which nobody watched it. */
function isKept(readAt: number, polls: readonly number[]): boolean {
	const lists = new Map<string, RememberedList>([['a', { list: knownList(['1']), readAt }]]);
	for (const now of polls) markUnwatched(lists, { watched: new Set(), now });
	return lists.has('a');
}

it('is thirty days from the first poll that did not watch it, whenever it was last read', () => {
	const quiet = NOW - 35 * DAY;
	expect(isKept(quiet, [NOW])).toBe(true);
	expect(isKept(quiet, [NOW, NOW + 29 * DAY])).toBe(true);
	expect(isKept(quiet, [NOW, NOW + 30 * DAY])).toBe(false);
});

it('is no longer than that after a clock that ran ahead', () => {
	const ahead = NOW + 365 * DAY;
	expect(isKept(NOW, [ahead, NOW, NOW + 29 * DAY])).toBe(true);
	expect(isKept(NOW, [ahead, NOW, NOW + 30 * DAY])).toBe(false);
});

it('does not begin for a list that is watched', () => {
	const before = { list: knownList(['1']), readAt: NOW };
	const lists = new Map<string, RememberedList>([['a', before]]);
	markUnwatched(lists, { watched: new Set(['a']), now: NOW });
	expect(lists.get('a')).toBe(before);
});
