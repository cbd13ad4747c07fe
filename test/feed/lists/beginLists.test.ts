/** Which lists a poll watches, and how long a list that is not watched is remembered. */
import {
	accountsIn,
	markUnwatched,
	takeUpLists,
	withLists,
} from '../../../nodes/LeadGenPublishing/feed/lists/beginLists';
import { Horizon } from '../../../nodes/LeadGenPublishing/feed/memory/horizon';
import type { RememberedList } from '../../../nodes/LeadGenPublishing/feed/memory/state';
import { hash53 } from '../../../nodes/LeadGenPublishing/feed/list/hash';
import { Seen } from '../../../nodes/LeadGenPublishing/feed/list/seen';
import { packState } from '../../../nodes/LeadGenPublishing/feed/memory/packing';
import { EMPTY_REST } from '../../../nodes/LeadGenPublishing/feed/memory/state';
import { DAY, knownList, newRecords, NOW } from '../list/lists';

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

/** These lists are known, and clients come and go in polls, one day after the other. */
function watchedInTurn(...polls: ReadonlyArray<readonly string[]>): Map<string, RememberedList> {
	const lists = new Map<string, RememberedList>();
	const world = {
		...{ event: 'newLead', filtersName: 'newLead', queryName: 'newLead' },
		list: { emitExisting: false, startFrom: undefined, rules: newRecords },
	} as unknown as Parameters<typeof withLists>[2]['world'];
	for (const [day, accounts] of polls.entries()) {
		const now = NOW + day * DAY;
		const horizon = Horizon.open(undefined);
		const usual = { isLost: false, hasListed: false, isOtherAgency: false };
		withLists(lists, accounts, { world, horizon, now, ...usual });
		markUnwatched(lists, { watched: new Set(accounts), now });
	}
	return lists;
}

describe('a client that leaves and comes back', () => {
	it('is watched again, as well as the other clients', () => {
		expect(accountsIn(watchedInTurn(['a', 'b', 'c'], ['c']))).toEqual(['c']);
		expect(accountsIn(watchedInTurn(['a', 'b', 'c'], ['c'], ['a', 'b', 'c']))).toEqual([
			...['a', 'b', 'c'],
		]);
	});

	it('may leave again for a month, because the time before its return does not count', () => {
		const month = Array.from({ length: 30 }, () => ['c']);
		const isKnown = (...polls: string[][]) => watchedInTurn(...polls).has('b');
		expect(isKnown(['b', 'c'], ...month.slice(1), ['b', 'c'], ...month)).toBe(true);
		expect(isKnown(['b', 'c'], ...month, ['c'])).toBe(false);
	});

	it('keeps its list, and a further client gets one of its own', () => {
		const [one, two] = [watchedInTurn(['a']), watchedInTurn(['a'], [], ['b', 'a'])];
		expect(two.get('a')?.list).toEqual(one.get('a')?.list);
		expect([...two.keys()]).toEqual(['a', 'b']);
	});
});

it.each([
	['own', true],
	['own2', false],
])('Emit Existing applies to a new list of %s: %p', (account, emits) => {
	const lists = new Map<string, RememberedList>();
	const world = {
		...{ event: 'newLead', filtersName: 'newLead', queryName: 'newLead' },
		list: { emitExisting: true, startFrom: undefined, rules: newRecords },
	} as unknown as Parameters<typeof withLists>[2]['world'];
	const horizon = Horizon.open(undefined);
	const usual = { isLost: false, hasListed: false, isOtherAgency: false };
	withLists(lists, [account], { world, horizon, now: NOW, ...usual });
	// The records of an own account that a new key brings are not new.
	expect(lists.get(account)?.list.scan).toMatchObject({ emits: emits ? 'all' : 'nothing' });
});

describe('stored lists', () => {
	const rules = { ...newRecords, width: 1, revalued: () => '-' };
	const named = { event: 'newLead', queryName: 'leads' };
	const remembered = { value: '0', day: 0, isDelivered: false };
	const seen = new Seen('', 1).with(new Map([[hash53('1'), remembered]]));
	const stored = packState(
		{ ...named, filtersName: 'before', sequence: '', pollNumber: 1, by: '', rest: EMPTY_REST },
		new Map(['a', 'b'].map((account) => [account, { list: knownList([], { seen }), readAt: NOW }])),
	);

	it.each([
		['with the same settings stay as they are', 'before', false],
		['with other filters judge their records again', 'now', false],
		['with Emit Existing look for what was never delivered', 'before', true],
		['with both judge their records again and look for them', 'now', true],
	])('%s', (_, filtersName, emitExisting) => {
		const world = { ...named, filtersName, list: { emitExisting, startFrom: undefined, rules } };
		const horizon = Horizon.open(undefined);
		const lists = takeUpLists(stored, {
			world: world as unknown as Parameters<typeof takeUpLists>[1]['world'],
			...{ horizon, now: NOW },
		});
		expect([...lists.keys()]).toEqual(['a', 'b']);
		for (const { list } of lists.values()) {
			const value = filtersName === 'now' ? '-' : '0';
			expect(list.seen.get(hash53('1'))).toEqual({ ...remembered, value });
			expect(list.scan.emits).toBe(emitExisting ? 'all' : 'nothing');
		}
	});
});
